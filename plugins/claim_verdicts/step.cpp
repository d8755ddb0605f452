#include "step.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "assay/algo/block_fit.hpp"
#include "assay/algo/stats.hpp"
#include "assay/words.hpp"

namespace assay::claims {
namespace {

template <class Key>
std::size_t index_of(const std::map<Key, std::size_t>& indices, const Key& key) {
  return static_cast<std::size_t>(std::distance(indices.begin(), indices.find(key)));
}

/// Whether only the sign of the step is claimed, which is the same per iteration.
bool is_sign_claim(const Claim& claim) {
  const auto open = [](double end) { return end == 0 || std::isinf(end); };
  return open(claim.low) && open(claim.high);
}

}  // namespace

std::string why_no_length(const std::string& metric) {
  return metric + " grows with the length of a run, and these runs have different numbers of iterations";
}

std::string why_no_step(const StudyView& view, const Claim& claim, const Stratum& cell) {
  const Lengths lengths = lengths_of(view, {}, cell.treated, claim.metric, claim.dims);
  if (!lengths.comparable()) return claim.metric + " is not compared: " + lengths.refused;
  if (lengths.per_iteration && !is_sign_claim(claim)) return why_no_length(claim.metric);
  for (const std::string& value : {claim.base, claim.treated.front()}) {
    const bool measured = std::any_of(cell.treated.begin(), cell.treated.end(),
                                      [&](std::size_t r) { return view.label_text(r, claim.label) == value; });
    if (!measured)
      return filled("no run of it has {}={}{}", {claim.label, value, cell.apart.empty() ? "" : ": " + cell.apart});
  }
  return {};
}

std::optional<Contrast> step_contrast(const StudyView& view, const Claim& claim, const Stratum& cell, double level) {
  const std::vector<std::string> axis_label = {claim.label};
  const RunSide runs = side_of(view, cell.treated, claim.metric, claim.dims,
                               lengths_of(view, {}, cell.treated, claim.metric, claim.dims));
  std::map<std::vector<double>, std::size_t> levels, blocks;
  std::optional<std::vector<double>> before, after;
  for (const RunValue& run : runs) {
    const std::vector<double> axis = named_key(view, run.report, axis_label)->order;
    levels.emplace(axis, 0);
    blocks.emplace(named_key(view, run.report, claim.block)->order, 0);
    if (view.label_text(run.report, claim.label) == claim.base) before = axis;
    if (view.label_text(run.report, claim.label) == claim.treated.front()) after = axis;
  }
  if (!before || !after) return std::nullopt;

  std::vector<BlockObservation> observations;
  Contrast contrast;
  for (const RunValue& run : runs) {
    observations.push_back({index_of(levels, named_key(view, run.report, axis_label)->order),
                            index_of(blocks, named_key(view, run.report, claim.block)->order), run.value});
    contrast.evidence.insert(contrast.evidence.end(), run.facts.begin(), run.facts.end());
  }
  const BlockFit fit = fit_blocks(observations);
  const auto index_on = [&](const std::vector<double>& axis) {
    return std::find(fit.levels.begin(), fit.levels.end(), index_of(levels, axis)) - fit.levels.begin();
  };
  const auto from = index_on(*before);
  const auto to = index_on(*after);
  if (fit.degrees < 1 || to != from + 1 || to >= std::ssize(fit.levels)) return std::nullopt;

  const auto step = static_cast<std::size_t>(from);
  const double half =
      student_t_quantile(0.5 + level / 2, static_cast<double>(fit.degrees)) * fit.error({step, step + 1});
  contrast.method = blocks.size() > 1 ? "least squares with blocks, t interval on the spread of the cells' means"
                                      : "t interval on the spread of the runs";
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
