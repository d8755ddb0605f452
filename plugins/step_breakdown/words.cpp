#include "words.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "assay/table_rows.hpp"
#include "assay/words.hpp"

namespace assay::step {
namespace {

struct RuleWords {
  Rule rule;
  const char* name;      ///< in tables and lists
  const char* holds;     ///< of a title: "X ... in n reports"; {}: the threshold
  const char* measured;  ///< what the number of a report is
  const char* try_this;
};

constexpr std::array<RuleWords, kRules> kWords = {{
    {Rule::kDataLoader, "waiting for data", "Waiting for the DataLoader takes more than {} of a step",
     "DataLoader's share of a step",
     "load ahead in more worker processes (num_workers of DataLoader), with pin_memory and a higher prefetch_factor, "
     "or move decoding and augmentation out of the loop."},
    {Rule::kCommunication, "communication", "Communication that no kernel hides takes more than {} of a step",
     "Communication's share of a step",
     "overlap it with the backward pass (DistributedDataParallel, its bucket_cap_mb), communicate less often (gradient "
     "accumulation, a larger batch) or in fewer bytes (gradients in half precision)."},
    {Rule::kUtilization, "GPU utilization", "Kernels run less than {} of the time", "GPU utilization",
     "give the GPU more to do at once (a larger batch), launch fewer and larger kernels (torch.compile, CUDA graphs), "
     "and take synchronizations out of the loop; the breakdown above shows the rest of a step."},
    {Rule::kTensorCores, "tensor cores",
     "Tensor cores are used for no more than {} of kernel time though operators could use them",
     "Share of kernel time that operators which could use them spend in kernels that do not",
     "compute in mixed precision (torch.autocast: fp16, from compute capability 8.0 on bf16), or from 8.0 on allow "
     "TF32 (torch.set_float32_matmul_precision('high')); sizes that are multiples of 8 help."},
    {Rule::kMemory, "device memory", "More than {} of a device's memory is taken at the peak",
     "Peak memory over the memory of the device",
     "take a smaller batch, activation checkpointing or mixed precision before an allocation fails; a large gap "
     "between reserved and allocated memory is fragmentation (PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True)."},
}};

std::string threshold(double share) { return printed("%g %%", 100 * share); }

std::vector<std::size_t> largest_first(const Run& run) {
  std::vector<std::size_t> order(kCategories);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return run.shares[a] > run.shares[b]; });
  return order;
}

/// The shares that print as more than nothing, largest first, at most `most` of them.
std::string shares_text(const Run& run, std::size_t most) {
  constexpr double kMinShown = 0.0005;
  std::vector<std::string> parts;
  for (const std::size_t c : largest_first(run)) {
    if (parts.size() == most || run.shares[c] < kMinShown) break;
    parts.push_back(percent(run.shares[c]) + " " + std::string(kCategoryTitles[c]));
  }
  return listed(parts);
}

std::string device_text(const Run& run) {
  if (!run.utilization) return "No kernels were captured.";
  std::vector<std::string> parts = {"GPU utilization " + percent(*run.utilization)};
  if (run.sm_efficiency) parts.push_back("SM efficiency " + percent(*run.sm_efficiency));
  if (run.occupancy) parts.push_back("achieved occupancy " + percent(*run.occupancy));
  std::string text = listed(parts) + ".";
  if (run.corrected_occupancy) {
    text += " The profiler gives kernels less occupancy than they can have; computed for these it is " +
            percent(*run.corrected_occupancy) + ".";
  }
  if (run.tensor_yes && run.tensor_unknown) {
    text +=
        filled(" {} of kernel time is in kernels known to use tensor cores, {} in kernels whose names do not show it.",
               {percent(*run.tensor_yes), percent(*run.tensor_unknown)});
  }
  return text;
}

/// "Mean of 5 steps (1 ms to 3 ms; 1 more dropped)".
std::string steps_text(const Run& run) {
  const auto steps = static_cast<std::size_t>(run.steps);
  const std::string dropped =
      run.dropped > 0 ? std::to_string(static_cast<std::size_t>(run.dropped)) + " more dropped" : std::string();
  if (steps == 1) return "One step" + (dropped.empty() ? "" : " (" + dropped + ")");
  return filled("Mean of {} ({} to {}{})", {counted(steps, "step"), time_text(run.least_ns), time_text(run.greatest_ns),
                                            dropped.empty() ? "" : "; " + dropped});
}

Finding where_a_step_goes(const Run& run) {
  constexpr std::size_t kInTitle = 3;
  Finding finding;
  finding.role = FindingRole::kAnswer;
  finding.title = filled("{}: a step of {} is {}", {run.name, time_text(run.step_ns), shares_text(run, kInTitle)});
  finding.text = filled("{}: {}. {}", {steps_text(run), shares_text(run, kCategories), device_text(run)});
  finding.evidence = run.facts;
  return finding;
}

Finding where_all_go(const std::vector<Run>& runs) {
  std::map<std::size_t, std::size_t> firsts;
  for (const Run& run : runs) ++firsts[largest_first(run).front()];
  std::vector<std::string> parts;
  for (const auto& [category, count] : firsts)
    parts.push_back(std::string(kCategoryTitles[category]) + " in " + std::to_string(count));
  Finding finding;
  finding.role = FindingRole::kAnswer;
  finding.title = filled("The largest part of a step is {} of {}", {listed(parts), counted(runs.size(), "profile")});
  std::vector<std::string> ranges;
  for (std::size_t c = 0; c < kCategories; ++c) {
    double low = 1, high = 0;
    for (const Run& run : runs) {
      low = std::min(low, run.shares[c]);
      high = std::max(high, run.shares[c]);
    }
    if (high > 0)
      ranges.push_back(filled("{} {} %", {std::string(kCategoryTitles[c]), low_to_high(100 * low, 100 * high, 1)}));
  }
  finding.text = "Shares of a step over the profiles: " + listed(ranges) + ". The table has every profile.";
  for (const Run& run : runs) finding.evidence.insert(finding.evidence.end(), run.facts.begin(), run.facts.end());
  return finding;
}

/// "What it is: a 33.4 %, b 7.0 %." of the runs in which a rule holds, the first few.
std::string measured_text(const RuleWords& words, const std::vector<const Run*>& held, const Thresholds& thresholds) {
  constexpr std::size_t kNamed = 8;
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < std::min(held.size(), kNamed); ++i)
    parts.push_back(held[i]->name + " " + percent(judge(words.rule, *held[i], thresholds).measured));
  if (held.size() > kNamed) parts.push_back("and " + std::to_string(held.size() - kNamed) + " more (see the table)");
  std::string text = std::string(words.measured) + ": ";
  for (std::size_t i = 0; i < parts.size(); ++i) text += (i == 0 ? "" : ", ") + parts[i];
  return text + ".";
}

}  // namespace

std::vector<Finding> where_steps_go(const std::vector<Run>& runs) {
  constexpr std::size_t kMaxAnswers = 8;
  if (runs.size() > kMaxAnswers) return {where_all_go(runs)};
  std::vector<Finding> out;
  for (const Run& run : runs) out.push_back(where_a_step_goes(run));
  return out;
}

std::vector<Finding> advice(const std::vector<Run>& runs, const Thresholds& thresholds) {
  std::vector<Finding> out;
  std::vector<std::string> quiet, limits;
  for (const RuleWords& words : kWords) {
    std::vector<const Run*> held;
    std::size_t judged = 0;
    for (const Run& run : runs) {
      const Judgement j = judge(words.rule, run, thresholds);
      judged += j.judged ? 1U : 0U;
      if (j.holds) held.push_back(&run);
    }
    if (held.empty()) {
      quiet.emplace_back(words.name);
      limits.push_back(filled("{} {} ({})", {std::string(words.name), threshold(threshold_of(words.rule, thresholds)),
                                             counted(judged, "profile")}));
      continue;
    }
    Finding finding;
    finding.role = FindingRole::kAnswer;
    finding.title = filled(words.holds, {threshold(threshold_of(words.rule, thresholds))}) + " in " +
                    counted_of(held.size(), judged, "profile");
    finding.text = measured_text(words, held, thresholds) + " To try: " + words.try_this;
    const auto one_of_many = [](const Run* run) { return run->one_of_many; };
    if (words.rule == Rule::kCommunication && std::ranges::any_of(held, one_of_many)) {
      finding.text +=
          " The profile of one rank cannot show whether it transfers data or waits for a late rank, which overlap "
          "would not fix: the analyzer ranks shows it from the profiles of all ranks.";
    }
    for (const Run* run : held) finding.evidence.insert(finding.evidence.end(), run->facts.begin(), run->facts.end());
    out.push_back(std::move(finding));
  }
  if (quiet.empty()) return out;
  Finding finding;
  finding.role = FindingRole::kNote;
  finding.title = "Checked, nothing to mend: " + listed(quiet);
  finding.text =
      "Thresholds, and how many profiles have what the rule needs: " + listed(limits) +
      ". A profile without kernels, operators, compute capability or memory events cannot be judged by the rules that "
      "need them.";
  out.push_back(std::move(finding));
  return out;
}

Table run_table(const StudyView& view, const std::vector<Run>& runs) {
  Table table("steps", "Where a step goes, by profile");
  table.column("report", "", runs, [&](const Run& run) { return view.path(run.report); })
      .column("steps", "1", runs, [](const Run& run) { return static_cast<std::int64_t>(run.steps); })
      .column("step", "ns", runs, &Run::step_ns);
  for (std::size_t c = 0; c < kCategories; ++c)
    table.column(std::string(kCategoryTitles[c]), "ratio", runs, [c](const Run& run) { return run.shares[c]; });
  table.column("GPU utilization", "ratio", runs, &Run::utilization)
      .column("SM efficiency", "ratio", runs, &Run::sm_efficiency)
      .column("occupancy", "ratio", runs, &Run::occupancy)
      .column("tensor cores", "ratio", runs, &Run::tensor_yes)
      .column("peak memory", "ratio", runs, &Run::memory);
  return table;
}

Table advice_table(const StudyView& view, const std::vector<Run>& runs, const Thresholds& thresholds) {
  TableRows<std::string, std::string, std::string, double, double, std::string> rows;
  for (const RuleWords& words : kWords) {
    for (const Run& run : runs) {
      const Judgement j = judge(words.rule, run, thresholds);
      if (!j.holds) continue;
      rows.add(view.path(run.report), words.name, words.measured, j.measured, threshold_of(words.rule, thresholds),
               words.try_this);
    }
  }
  return rows.table(
      "advice", "What to try, by profile",
      {{"report"}, {"advice"}, {"what is measured"}, {"measured", "ratio"}, {"threshold", "ratio"}, {"to try"}});
}

}  // namespace assay::step
