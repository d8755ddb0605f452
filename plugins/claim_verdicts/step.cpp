#include "step.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "assay/algo/block_fit.hpp"
#include "assay/algo/stats.hpp"

namespace assay::claims {
namespace {

template <class Key>
std::size_t index_of(const std::map<Key, std::size_t>& indices, const Key& key) {
  return static_cast<std::size_t>(std::distance(indices.begin(), indices.find(key)));
}

}  // namespace

std::optional<Contrast> step_contrast(const StudyView& view, const Claim& claim, const Stratum& cell, double level) {
  struct Run {
    RunReports reports;
    std::vector<double> axis, block;
  };
  std::vector<Run> runs;
  std::map<std::vector<double>, std::size_t> levels, blocks;
  std::optional<std::vector<double>> before, after;
  const std::string axis_label[] = {claim.label};
  for (RunReports& reports : as_runs(view, cell.treated)) {
    const std::size_t r = reports.front();
    const auto axis = named_key(view, r, axis_label), block = named_key(view, r, claim.block);
    if (!axis || !block) continue;
    levels.emplace(axis->order, 0);
    blocks.emplace(block->order, 0);
    if (view.label_text(r, claim.label) == claim.base) before = axis->order;
    if (view.label_text(r, claim.label) == claim.treated.front()) after = axis->order;
    runs.push_back({std::move(reports), axis->order, block->order});
  }
  if (!before || !after) return std::nullopt;

  std::vector<BlockObservation> observations;
  Contrast contrast;
  for (const Run& run : runs) {
    observations.push_back({index_of(levels, run.axis), index_of(blocks, run.block),
                            *value_of(view, run.reports, claim.metric, claim.dims)});
    for (const std::size_t r : run.reports) {
      if (const auto fact = view.fact(static_cast<Row>(r), claim.metric, claim.dims))
        contrast.evidence.push_back(static_cast<std::int64_t>(*fact));
    }
  }
  const BlockFit fit = fit_blocks(observations);
  const auto place = [&](const std::vector<double>& axis) {
    return std::find(fit.levels.begin(), fit.levels.end(), index_of(levels, axis)) - fit.levels.begin();
  };
  const auto from = place(*before);
  const auto to = place(*after);
  if (fit.degrees < 1 || to != from + 1 || to >= std::ssize(fit.levels)) return std::nullopt;

  const auto step = static_cast<std::size_t>(from);
  const double half = student_t_quantile(0.5 + level / 2, static_cast<double>(fit.degrees)) * fit.step_error(step);
  contrast.method = "least squares with blocks, t interval on the spread of the runs";
  contrast.effect.kind = EffectKind::kDifference;
  contrast.effect.scope = Scope::kBetweenRun;
  contrast.effect.metric = claim.metric;
  contrast.effect.value = fit.step(step);
  contrast.effect.lo = fit.step(step) - half;
  contrast.effect.hi = fit.step(step) + half;
  contrast.effect.level = level;
  contrast.effect.n = static_cast<std::int64_t>(runs.size());
  return contrast;
}

}  // namespace assay::claims
