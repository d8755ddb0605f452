#include "analysis.hpp"

#include <algorithm>
#include <cmath>

namespace assay::tokens {
namespace {

/// Appends the log of one profiled throughput, images per second, of each run of a side; the ranks of a job are one.
void add_profiled(const StudyView& view, const Side& side, double batch, std::vector<double>& logs) {
  for (const double period : values_of_runs(
           view, side.reports, [&](std::size_t r) { return view.value(static_cast<Row>(r), "iteration.period_ns"); })) {
    if (period > 0) logs.push_back(std::log(batch * 1e9 / period));
  }
}

/// One curve a model: latency of a batch from the mean log of its throughputs.
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

Analysis analyse(const StudyView& view, const Design& design, const Criteria& criteria, double opaque_limit) {
  Analysis out;
  out.level = view.level();
  out.read = read_sweeps(view.study(), design);
  for (const Sweep& sweep : out.read.sweeps) {
    SweepResult result{sweep, crossing_of(sweep, view.level()), {}, {}};
    result.flop_reduction = flop_reduction(sweep, result.no_flop_reduction);
    out.sweeps.push_back(std::move(result));
  }
  Pairs pairs = read_pairs(view, design, opaque_limit);
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
