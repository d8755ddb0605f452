#include "analysis.hpp"

#include <algorithm>
#include <cmath>

#include "assay/algo/distributions.hpp"
#include "assay/algo/summary.hpp"
#include "assay/words.hpp"
#include "forwards.hpp"
#include "spread.hpp"

namespace assay::tokens {
namespace {

void add_bounds(const Sweep& sweep, double at_level, std::vector<LevelSpeedup>& levels) {
  double squares = 0, degrees = 0;
  for (const auto& [batch, level] : sweep.levels) {
    for (const std::vector<double>* side : {&level.base, &level.treated}) {
      if (side->size() < 2) return;
      squares += squared_deviations(logs_of(*side));
      degrees += static_cast<double>(side->size() - 1);
    }
  }
  if (degrees == 0) return;
  for (LevelSpeedup& level : levels) {
    const double medians = median_variance(level.base_rows) + median_variance(level.treated_rows);
    const double half =
        student_t_quantile((1 + at_level) / 2, degrees) * std::sqrt(squares / degrees) * std::sqrt(medians);
    level.bounds = {level.speedup * std::exp(-half), level.speedup * std::exp(half)};
  }
}

Status status_of(bool holds) { return holds ? Status::kConfirmed : Status::kNotConfirmed; }

std::string missing(const char* what) { return std::string("the profiles do not both have ") + what; }

Cause launches(const Pair& pair, const Criteria& c) {
  Cause cause{"launches", "more launches", Status::kNotTestable, {}, {}, "fuse top-k and gather into one kernel"};
  cause.criterion = printed(
      "at least %g times the kernels per forward, and at least %g %% of the reduced run's kernels "
      "waited for the host",
      c.more_kernels, 100 * c.launch_bound);
  if (!pair.base.kernels || !pair.treated.kernels || !pair.treated.launch_bound || *pair.base.kernels <= 0) {
    cause.evidence = missing("kernels per forward and launch.bound_ratio");
    return cause;
  }
  const double ratio = *pair.treated.kernels / *pair.base.kernels;
  cause.status = status_of(ratio >= c.more_kernels && *pair.treated.launch_bound >= c.launch_bound);
  cause.evidence =
      printed("%g kernels per forward become %g (x %.2f); %s of the reduced run's kernels waited for the host",
              *pair.base.kernels, *pair.treated.kernels, ratio, percent(*pair.treated.launch_bound).c_str());
  if (pair.base.launch_bound) cause.evidence += ", " + percent(*pair.base.launch_bound) + " without the reduction";
  return cause;
}

Cause utilization(const Pair& pair, const Criteria& c) {
  Cause cause{
      "utilization", "low utilization", Status::kNotTestable, {}, {}, "do not reduce tokens below the crossover batch"};
  cause.criterion = printed(
      "the GPU is busy for at most %g %% of the reduced run's iteration period, and less than "
      "without the reduction",
      100 * c.low_utilization);
  const auto before = pair.base.utilization(), after = pair.treated.utilization();
  if (!before || !after) {
    cause.evidence = missing("GPU busy time and period of an iteration");
    return cause;
  }
  cause.status = status_of(*after <= c.low_utilization && *after < *before);
  cause.evidence =
      filled("the GPU is busy for {} of an iteration's period ({} of {}), {} without the reduction",
             {percent(*after), time_text(*pair.treated.busy), time_text(*pair.treated.period), percent(*before)});
  return cause;
}

Cause dynamic_operations(const Pair& pair, const Criteria& c) {
  Cause cause{"dynamic_operations", "cost of dynamic operations", Status::kNotTestable, {}, {}, c.dynamic_remedy};
  cause.criterion =
      printed("top-k, sort, gather and index kernels add at least %g %% of the reduced run's GPU busy time",
              100 * c.dynamic_share);
  if (pair.base.by_name.empty() || pair.treated.by_name.empty() || !pair.treated.busy || *pair.treated.busy <= 0) {
    cause.evidence = missing("kernels by name");
    return cause;
  }
  const ForwardCost before = pair.base.of_class(kDynamic), after = pair.treated.of_class(kDynamic);
  const double added = after.time - before.time, share = added / *pair.treated.busy;
  cause.status = status_of(share >= c.dynamic_share);
  const auto launches_text = [](const ForwardCost& kernels) {
    return kernels.count > 0 ? printed("%s in %g launches", time_text(kernels.time).c_str(), kernels.count)
                             : std::string("nothing");
  };
  cause.evidence = filled("they take {} per forward and {} without the reduction, which adds {} of GPU busy time",
                          {launches_text(after), launches_text(before), percent(share)});
  if (pair.base.busy && *pair.base.busy > *pair.treated.busy) {
    cause.evidence += "; the reduction saves " + time_text(*pair.base.busy - *pair.treated.busy);
  }
  return cause;
}

std::string memory_text(const Side& side) {
  std::string text = time_text(side.of_class(kMemory).time) + " in memory-moving kernels";
  if (side.copy_time) text += ", " + time_text(*side.copy_time) + " in copies";
  if (side.copy_bytes) text += printed(" (%.4g MB)", *side.copy_bytes / 1e6);
  if (side.set_time) text += ", " + time_text(*side.set_time) + " in sets";
  if (side.set_bytes) text += printed(" (%.4g MB)", *side.set_bytes / 1e6);
  return text;
}

Cause memory(const Pair& pair, const Criteria& c) {
  Cause cause{"memory", "memory", Status::kNotTestable, {}, {}, "reorder tokens once or cache their indices"};
  cause.criterion = printed(
      "memory-moving kernels, copies and sets take at least %g %% of the reduced run's GPU busy "
      "time, and more than without the reduction",
      100 * c.memory_share);
  const auto before = pair.base.memory_share(), after = pair.treated.memory_share();
  if (!before || !after) {
    cause.evidence = missing("kernels by name");
    return cause;
  }
  cause.status = status_of(*after >= c.memory_share && *after > *before);
  cause.evidence = filled("{} of GPU busy time ({}), {} without the reduction ({})",
                          {percent(*after), memory_text(pair.treated), percent(*before), memory_text(pair.base)});
  return cause;
}

/// Appends the log of one profiled throughput, in images per second, for each run of a side; the ranks of a job count
/// as one.
void add_profiled(const StudyView& view, const Side& side, double batch, std::vector<double>& logs) {
  for (const double period : values_of_runs(
           view, side.reports, [&](std::size_t r) { return view.value(static_cast<Row>(r), "iteration.period_ns"); })) {
    if (period > 0) logs.push_back(std::log(batch * 1e9 / period));
  }
}

/// One curve per model: latency of a batch from the mean log of its throughputs.
void add_fits(const Sweep& sweep, std::vector<LatencyFit>& fits) {
  for (const bool reduced : {false, true}) {
    std::vector<double> batches, latencies;
    for (const auto& [batch, level] : sweep.levels) {
      batches.push_back(batch);
      latencies.push_back(batch / std::exp(mean(logs_of(reduced ? level.treated : level.base))));
    }
    if (const auto fit = fit_latency(batches, latencies)) fits.push_back(*fit);
  }
}

class Joining {
 public:
  Joining(const StudyView& view, Analysis& out) : view_(view), out_(out) {}

  void add_sweeps() {
    for (const SweepResult& result : out_.sweeps) {
      for (const auto& [batch, level] : result.sweep.levels) {
        cells_.push_back({result.sweep.labels, batch, level.text, logs_of(level.base), logs_of(level.treated)});
      }
      add_fits(result.sweep, fits_);
    }
  }

  void add_pair(PairResult& result) {
    const Pair& pair = result.pair;
    for (std::size_t s = 0; s < out_.sweeps.size(); ++s) {
      if (out_.sweeps[s].sweep.labels != pair.labels) continue;
      result.sweep = s;
      const std::vector<LevelSpeedup>& levels = out_.sweeps[s].crossing.levels;
      const auto at = std::find_if(levels.begin(), levels.end(), [&](auto& l) { return l.batch == pair.batch; });
      if (at != levels.end()) result.level = static_cast<std::size_t>(at - levels.begin());
    }
    if (!(pair.batch > 0)) return;
    const auto same = [&](const Cell& cell) { return cell.labels == pair.labels && cell.batch == pair.batch; };
    auto at = std::find_if(cells_.begin(), cells_.end(), same);
    if (at == cells_.end()) at = cells_.insert(at, {pair.labels, pair.batch, pair.batch_text, {}, {}});
    add_profiled(view_, pair.base, pair.batch, at->base);
    add_profiled(view_, pair.treated, pair.batch, at->treated);
    result.cell = static_cast<std::size_t>(at - cells_.begin());
  }

  void combine_cells() {
    out_.spread = pool(cells_, fits_);
    for (Cell& cell : cells_) {
      auto combined = combine(cell, out_.spread);
      out_.cells.push_back({std::move(cell), combined});
    }
  }

 private:
  const StudyView& view_;
  Analysis& out_;
  std::vector<Cell> cells_;
  std::vector<LatencyFit> fits_;
};

}  // namespace

Crossing crossing_of(const Sweep& sweep, double level_of_bounds) {
  Crossing out;
  for (const auto& [batch, level] : sweep.levels) {
    LevelSpeedup speedup{batch, level.text, median(level.treated) / median(level.base), 0, 0, {}};
    speedup.base_rows = level.base.size();
    speedup.treated_rows = level.treated.size();
    out.levels.push_back(std::move(speedup));
  }
  add_bounds(sweep, level_of_bounds, out.levels);
  std::vector<CrossoverLevel> levels;
  for (const LevelSpeedup& level : out.levels) levels.push_back({level.batch, level.speedup, level.bounds});
  out.crossover = crossover(levels);
  return out;
}

std::vector<Cause> causes_of(const Pair& pair, const Criteria& criteria) {
  std::vector<Cause> out = {launches(pair, criteria), utilization(pair, criteria), dynamic_operations(pair, criteria),
                            memory(pair, criteria)};
  if (!pair.opaque) return out;
  for (Cause& cause : out) {
    if (cause.status == Status::kNotTestable)
      cause.evidence = "most GPU time is in CUDA graphs traced as a whole, or it is unknown how much is";
  }
  return out;
}

Analysis analyse(const StudyView& view, const Design& design, const Criteria& criteria) {
  Analysis out;
  out.level = view.level();
  out.read = read_sweeps(view.study(), design);
  for (const Sweep& sweep : out.read.sweeps) {
    SweepResult result{sweep, crossing_of(sweep, view.level()), {}, {}};
    result.flop_reduction = flop_reduction(sweep, result.no_flop_reduction);
    out.sweeps.push_back(std::move(result));
  }
  Pairs pairs = read_pairs(view, design);
  out.unmatched = std::move(pairs.unmatched);
  Joining joining(view, out);
  joining.add_sweeps();
  for (Pair& pair : pairs.pairs) {
    PairResult result{std::move(pair), {}, {}, {}, {}};
    result.causes = causes_of(result.pair, criteria);
    joining.add_pair(result);
    out.pairs.push_back(std::move(result));
  }
  joining.combine_cells();
  return out;
}

}  // namespace assay::tokens
