#include <algorithm>
#include <limits>

#include "words.hpp"

namespace assay::tokens {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

std::string labels_text(const LabelTexts& labels) {
  std::string out;
  for (const auto& [name, value] : labels) out += (out.empty() ? "" : " ") + name + "=" + value;
  return out;
}

/// The pair whose cell this is, or null.
const PairResult* pair_at(const Analysis& analysis, std::size_t cell) {
  const auto at = std::find_if(analysis.pairs.begin(), analysis.pairs.end(),
                               [&](const PairResult& pair) { return pair.cell == cell; });
  return at == analysis.pairs.end() ? nullptr : &*at;
}

/// The sweep's speed-up of a cell; NaN where it was not swept.
double swept(const Analysis& analysis, const Cell& cell) {
  for (const SweepResult& result : analysis.sweeps) {
    if (result.sweep.labels != cell.labels) continue;
    for (const LevelSpeedup& level : result.crossing.levels) {
      if (level.batch == cell.batch) return level.speedup;
    }
  }
  return kNothing;
}

}  // namespace

Table speedup_table(const Analysis& analysis) {
  constexpr double kLevel = 0.95;
  std::vector<std::string> labels, batches;
  std::vector<double> sweep, profile, combined, low, high;
  std::vector<std::int64_t> measurements;
  for (std::size_t c = 0; c < analysis.cells.size(); ++c) {
    const CellResult& result = analysis.cells[c];
    if (!result.combined) continue;
    const PairResult* pair = pair_at(analysis, c);
    const auto interval = result.combined->interval(kLevel);
    labels.push_back(labels_text(result.cell.labels));
    batches.push_back(result.cell.text);
    sweep.push_back(swept(analysis, result.cell));
    profile.push_back(pair == nullptr ? kNothing : pair->pair.speedup().value_or(kNothing));
    combined.push_back(result.combined->value);
    low.push_back(interval ? interval->first : kNothing);
    high.push_back(interval ? interval->second : kNothing);
    measurements.push_back(static_cast<std::int64_t>(result.combined->measurements));
  }
  Table table("speedups", "Throughput with the reduction over that without, by batch");
  table.add("labels", "", std::move(labels));
  table.add("batch", "", std::move(batches));
  table.add("sweep", "ratio", std::move(sweep));
  table.add("profile", "ratio", std::move(profile));
  table.add("combined", "ratio", std::move(combined));
  table.add("low", "ratio", std::move(low));
  table.add("high", "ratio", std::move(high));
  table.add("measurements", "1", std::move(measurements));
  return table;
}

Table cause_table(const Analysis& analysis) {
  std::vector<std::string> pairs, causes, statuses, evidence, criteria, remedies;
  for (const PairResult& result : analysis.pairs) {
    for (const Cause& cause : result.causes) {
      const std::string labels = labels_text(result.pair.labels);
      pairs.push_back("batch " + result.pair.batch_text + (labels.empty() ? "" : ", " + labels));
      causes.push_back(cause.title);
      statuses.emplace_back(status_name(cause.status));
      evidence.push_back(cause.evidence);
      criteria.push_back(cause.criterion);
      remedies.push_back(cause.status == Status::kConfirmed ? cause.remedy : "");
    }
  }
  Table table("causes", "Why the reduction may not save time, cause by cause");
  table.add("pair", "", std::move(pairs));
  table.add("cause", "", std::move(causes));
  table.add("status", "", std::move(statuses));
  table.add("evidence", "", std::move(evidence));
  table.add("criterion", "", std::move(criteria));
  table.add("remedy", "", std::move(remedies));
  return table;
}

Table added_table(const Analysis& analysis) {
  std::vector<std::string> pairs, kernels;
  std::vector<double> times, counts;
  for (const PairResult& result : analysis.pairs) {
    const std::string labels = labels_text(result.pair.labels);
    for (const auto& [name, added] : result.pair.added_names) {
      pairs.push_back("batch " + result.pair.batch_text + (labels.empty() ? "" : ", " + labels));
      kernels.push_back(name);
      times.push_back(added.time);
      counts.push_back(added.count);
    }
  }
  Table table("added_kernels", "Kernels that only the reduced run has, per forward");
  table.add("pair", "", std::move(pairs));
  table.add("kernel", "", std::move(kernels));
  table.add("time", "ns", std::move(times));
  table.add("launches", "1", std::move(counts));
  return table;
}

}  // namespace assay::tokens
