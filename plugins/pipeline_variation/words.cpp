#include "words.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "assay/words.hpp"

namespace assay::pipeline {
namespace {

std::vector<std::string> pair_names(const Tested& tested) {
  std::vector<LabelTexts> labels;
  for (const Pair& pair : tested.pairs) labels.push_back(pair.stratum.labels);
  return telling_names(labels, "the pair");
}

/// What one change did to one metric over its pairs.
struct Outcome {
  std::size_t measured = 0, found = 0;
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();

  Outcome(const Tested& tested, std::size_t metric) {
    for (const Pair& pair : tested.pairs) {
      const auto& contrast = pair.contrasts[metric];
      if (!contrast) continue;
      ++measured;
      found += differs(*contrast) ? 1U : 0U;
      low = std::min(low, contrast->effect.value);
      high = std::max(high, contrast->effect.value);
    }
  }
  [[nodiscard]] std::string word() const {
    if (measured == 0) return "not measured";
    if (found < measured) return found == 0 ? "inconclusive" : "mixed";
    return high < 1 ? "lower" : low > 1 ? "higher" : "mixed";
  }
};

std::string percent(double share) { return printed("%.0f %%", 100 * std::max(0.0, share)); }

std::string shares_clause(const std::string& metric, const VarianceShares& s) {
  return "the model explains " + percent(std::min(s.model_alone, s.model_after())) + " to " +
         percent(std::max(s.model_alone, s.model_after())) + " of the variance of " + metric +
         ", the pipeline's options " + percent(std::min(s.pipeline_alone, s.pipeline_after())) + " to " +
         percent(std::max(s.pipeline_alone, s.pipeline_after()));
}

}  // namespace

Finding answer(const Design& design, const Comparison& comparison, const Shares& shares) {
  Finding finding;
  finding.role = FindingRole::kAnswer;
  std::map<std::string, std::vector<std::string>> by_word;
  for (const Tested& tested : comparison.tested) {
    if (!tested.pairs.empty()) by_word[Outcome(tested, 0).word()].push_back(tested.change.text());
  }
  std::string words;
  for (const auto& [word, changes] : by_word) words += (words.empty() ? "" : "; ") + word + " for " + listed(changes);
  finding.title =
      words.empty() ? "No two runs differ in one option of the pipeline alone" : design.metrics.front() + ": " + words;
  if (!shares.empty() && shares.front()) finding.title += "; " + shares_clause("it", *shares.front());
  for (const Tested& tested : comparison.tested) {
    for (std::size_t m = 0; m < design.metrics.size(); ++m) {
      const Outcome outcome(tested, m);
      if (outcome.measured == 0) continue;
      finding.text +=
          tested.change.text() + ": " + design.metrics[m] + " × " + low_to_high(outcome.low, outcome.high, 3) + ", " +
          (outcome.found == 0 ? "inconclusive in " + counted_of(outcome.measured, outcome.measured, "pair")
                              : "beyond the noise floor in " + counted_of(outcome.found, outcome.measured, "pair")) +
          ". ";
    }
  }
  for (std::size_t m = 0; m < design.metrics.size(); ++m) {
    if (!comparison.floors[m].known()) continue;
    finding.text += "Equal programs differ by up to " +
                    printed("%.1f", 100 * (comparison.floors[m].largest_ratio - 1)) + " % in " + design.metrics[m] +
                    ". ";
  }
  finding.text += printed("Intervals have level %.4f, 0.05 shared by all of them.", comparison.level);
  return finding;
}

std::vector<Finding> evidence(const Design& design, const Comparison& comparison) {
  std::vector<Finding> out;
  for (std::size_t m = 0; m < design.metrics.size(); ++m) {
    for (const Tested& tested : comparison.tested) {
      const std::vector<std::string> names = pair_names(tested);
      for (std::size_t i = 0; i < tested.pairs.size(); ++i) {
        const Pair& pair = tested.pairs[i];
        const auto& contrast = pair.contrasts[m];
        if (!contrast) continue;
        Finding finding;
        finding.labels = pair.stratum.labels;
        finding.labels.emplace_back(tested.change.label, tested.change.from + " -> " + tested.change.to);
        finding.title = names[i] + ": " + tested.change.text() + " on " + design.metrics[m];
        finding.text = printed("ratio %.3f, ", contrast->effect.value) +
                       (differs(*contrast)             ? "beyond the noise floor"
                        : contrast->inside_noise_floor ? "inside the noise floor"
                                                       : "inconclusive") +
                       (pair.equal_programs ? "; both sides asked the device for the same work." : ".");
        finding.effect = contrast->effect;
        finding.effect->method = contrast->method;
        finding.evidence = contrast->evidence;
        out.push_back(std::move(finding));
      }
    }
  }
  return out;
}

std::vector<Finding> mechanisms(const Comparison& comparison) {
  std::vector<Finding> out;
  for (const Tested& tested : comparison.tested) {
    if (tested.pairs.empty()) continue;
    std::size_t equal = 0;
    std::vector<double> waits_before, waits_after, overlap_before, overlap_after;
    for (const Pair& pair : tested.pairs) {
      equal += pair.equal_programs ? 1U : 0U;
      waits_before.push_back(pair.before.waits), waits_after.push_back(pair.after.waits);
      overlap_before.push_back(pair.before.overlap), overlap_after.push_back(pair.after.overlap);
    }
    const auto range = [](std::vector<double>& values, int digits) {
      std::erase_if(values, [](double v) { return std::isnan(v); });
      if (values.empty()) return std::string("unknown");
      const auto [low, high] = std::minmax_element(values.begin(), values.end());
      return low_to_high(*low, *high, digits);
    };
    Finding finding;
    finding.title = "Mechanism of " + tested.change.text() + ": " +
                    (equal == tested.pairs.size()
                         ? "none in the trace, both sides ran the same program"
                         : "waiting calls " + range(waits_before, 2) + " -> " + range(waits_after, 2) +
                               " an iteration, overlap " + range(overlap_before, 2) + " -> " + range(overlap_after, 2));
    finding.text = counted(tested.pairs.size(), "pair") + ", of which " + std::to_string(equal) +
                   " ran equal programs. Waiting calls are host calls that wait for the device; overlap is the share "
                   "of copy time during which a kernel runs.";
    out.push_back(std::move(finding));
  }
  return out;
}

std::vector<Finding> variance_findings(const Design& design, const Shares& shares) {
  std::vector<Finding> out;
  for (std::size_t m = 0; m < design.metrics.size(); ++m) {
    if (!shares[m]) continue;
    const VarianceShares& s = *shares[m];
    Finding finding;
    finding.title = "Of " + design.metrics[m] + " " + shares_clause("its logarithm", s);
    finding.text =
        "Least squares over " + counted(s.runs, "run") + " with " + std::to_string(s.models) +
        " combinations of model labels and " + std::to_string(s.pipelines) +
        " of pipeline labels; the first number of each is what it explains after the other or alone, "
        "whichever is less. " +
        (s.degrees() == 0 ? "No run is left over to tell the two apart, so the shares describe only this set."
                          : counted(s.degrees(), "degree") + " of freedom are left.");
    out.push_back(std::move(finding));
  }
  return out;
}

Finding scale_finding(const BatchScale& scale, const std::string& batch) {
  Finding finding;
  finding.labels = scale.labels;
  const BatchPoint& first = scale.points.front();
  const BatchPoint& last = scale.points.back();
  finding.title = batch + " " + first.batch + " -> " + last.batch + ": latency × " +
                  printed("%.2f", last.latency_ns / first.latency_ns) + ", samples per second × " +
                  printed("%.1f", last.samples_per_s / first.samples_per_s);
  for (const BatchPoint& p : scale.points) {
    finding.text += batch + " " + p.batch + ": " + time_text(p.latency_ns) + " a batch, " +
                    printed("%.0f", p.samples_per_s) + " samples/s" +
                    (std::isnan(p.device_ns) ? std::string() : ", GPU busy " + time_text(p.device_ns)) +
                    " (n = " + counted(p.runs, "run") + "). ";
    finding.evidence.insert(finding.evidence.end(), p.facts.begin(), p.facts.end());
  }
  finding.text += "These describe the runs; the host delays the latency by as much as equal programs differ.";
  return finding;
}

Table pair_table(const Design& design, const Comparison& comparison) {
  std::vector<std::string> changes, pairs, metrics, programs;
  std::vector<double> ratios, lows, highs, waits_before, waits_after, overlap_before, overlap_after;
  std::vector<std::int64_t> runs;
  for (const Tested& tested : comparison.tested) {
    const std::vector<std::string> names = pair_names(tested);
    for (std::size_t i = 0; i < tested.pairs.size(); ++i) {
      const Pair& pair = tested.pairs[i];
      for (std::size_t m = 0; m < design.metrics.size(); ++m) {
        if (!pair.contrasts[m]) continue;
        const Effect& effect = pair.contrasts[m]->effect;
        changes.push_back(tested.change.text());
        pairs.push_back(names[i]);
        metrics.push_back(design.metrics[m]);
        ratios.push_back(effect.value);
        lows.push_back(effect.lo);
        highs.push_back(effect.hi);
        runs.push_back(effect.n);
        waits_before.push_back(pair.before.waits);
        waits_after.push_back(pair.after.waits);
        overlap_before.push_back(pair.before.overlap);
        overlap_after.push_back(pair.after.overlap);
        programs.emplace_back(pair.equal_programs ? "equal" : "differ");
      }
    }
  }
  Table table("options", "Options of the pipeline, pair by pair");
  table.add("change", "", std::move(changes));
  table.add("pair", "", std::move(pairs));
  table.add("metric", "", std::move(metrics));
  table.add("ratio", "ratio", std::move(ratios));
  table.add("low", "ratio", std::move(lows));
  table.add("high", "ratio", std::move(highs));
  table.add("runs", "1", std::move(runs));
  table.add("waits before", "1", std::move(waits_before));
  table.add("waits after", "1", std::move(waits_after));
  table.add("overlap before", "ratio", std::move(overlap_before));
  table.add("overlap after", "ratio", std::move(overlap_after));
  table.add("programs", "", std::move(programs));
  return table;
}

Table scale_table(const std::vector<BatchScale>& scales, const std::string& batch) {
  std::vector<LabelTexts> labels;
  for (const BatchScale& scale : scales) labels.push_back(scale.labels);
  const std::vector<std::string> names = telling_names(labels, "all runs");
  std::vector<std::string> models, batches;
  std::vector<double> latencies, devices, samples;
  std::vector<std::int64_t> runs;
  for (std::size_t s = 0; s < scales.size(); ++s) {
    for (const BatchPoint& p : scales[s].points) {
      models.push_back(names[s]);
      batches.push_back(p.batch);
      latencies.push_back(p.latency_ns);
      devices.push_back(p.device_ns);
      samples.push_back(p.samples_per_s);
      runs.push_back(static_cast<std::int64_t>(p.runs));
    }
  }
  Table table("batch", "Latency and throughput by " + batch);
  table.add("runs of", "", std::move(models));
  table.add(batch, "", std::move(batches));
  table.add("latency", "ns", std::move(latencies));
  table.add("GPU busy", "ns", std::move(devices));
  table.add("samples per second", "1/s", std::move(samples));
  table.add("runs", "1", std::move(runs));
  return table;
}

}  // namespace assay::pipeline
