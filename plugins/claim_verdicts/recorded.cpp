#include "recorded.hpp"

#include <cmath>
#include <functional>
#include <limits>
#include <map>

#include "assay/algo/sequence.hpp"

namespace assay::claims {
namespace {

constexpr std::string_view kBlock = "block", kTwin = "twin";

bool is_twin(const StudyView& view, std::size_t report) { return view.label_text(report, kTwin) == "yes"; }

std::optional<double> block_of(const StudyView& view, std::size_t report) {
  const auto label = view.label(kBlock);
  const auto row = label ? view.label_value(report, *label) : std::nullopt;
  return row ? std::optional(view.study().label_values->order[*row]) : std::nullopt;
}

/// Values of one side by block, of its twins or of all others; several of a block are its runs.
using ByBlock = std::map<double, std::vector<double>>;

ByBlock by_block(const StudyView& view, const detail::Side& side, const std::function<double(double)>& scale,
                 bool twins = false) {
  ByBlock out;
  for (const detail::RunValue& run : side) {
    const auto block = block_of(view, run.report);
    if (block && is_twin(view, run.report) == twins) out[*block].push_back(scale(run.value));
  }
  return out;
}

/// In the order of the blocks, those that have both sides; with no base the values themselves.
std::vector<double> differences(const ByBlock& base, const ByBlock& treated, bool level) {
  std::vector<double> out;
  for (const auto& [block, values] : treated) {
    const auto at = base.find(block);
    if (level) out.push_back(mean(values));
    if (!level && at != base.end()) out.push_back(mean(values) - mean(at->second));
  }
  return out;
}

double share_of(double logit_value) { return 1 / (1 + std::exp(-logit_value)); }

std::string method_text(std::size_t blocks, const char* what) {
  return "confidence sequence over " + std::to_string(blocks) + (blocks == 1 ? " block" : " blocks") + " of " + what +
         ", valid at every look";
}

/// Puts the interval on the scale of the effect by `back`, which rises.
void set_ends(Contrast& contrast, const SequenceInterval& seen, const std::function<double(double)>& back) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  contrast.effect.scope = Scope::kBetweenRun;
  contrast.effect.value = back(seen.mean);
  contrast.effect.lo = std::isfinite(seen.lo) ? back(seen.lo) : kNan;
  contrast.effect.hi = std::isfinite(seen.hi) ? back(seen.hi) : kNan;
}

std::optional<Contrast> ratio_or_level(const StudyView& view, const Claim& claim, const Stratum& cell,
                                       const NoiseFloor& floor, double level) {
  const bool is_level = cell.base.empty();
  const Lengths lengths = lengths_of(view, cell.base, cell.treated, claim.metric, claim.dims);
  if (!lengths.comparable() || (is_level && lengths.per_iteration)) return std::nullopt;
  const detail::Side base = detail::side_of(view, cell.base, claim.metric, claim.dims, lengths);
  const detail::Side treated = detail::side_of(view, cell.treated, claim.metric, claim.dims, lengths);
  if (treated.empty() || !detail::all_positive(base) || !detail::all_positive(treated)) return std::nullopt;
  const bool logits = floor.logits;
  const auto scale = [&](double value) { return logits ? detail::logit(value) : std::log(value); };
  const std::vector<double> found = differences(by_block(view, base, scale), by_block(view, treated, scale), is_level);
  if (found.empty()) return std::nullopt;
  const EffectKind kind = is_level ? EffectKind::kLevel : EffectKind::kRatio;
  Contrast contrast = detail::contrast_of(view, kind, claim.metric, base, treated, level);
  const SequenceInterval seen = sequence_interval(found, level);
  // A ratio of shares is said at the base's own level: a difference of logits means another ratio at another base.
  const double of_base = logits && !is_level ? detail::median_value(base) : 1;
  set_ends(contrast, seen, [&](double value) {
    if (!logits) return std::exp(value);
    return is_level ? share_of(value) : share_of(detail::logit(of_base) + value) / of_base;
  });
  contrast.method = method_text(found.size(), is_level ? (logits ? "logits" : "logs")
                                                       : (logits ? "differences of logits" : "differences of logs"));
  return contrast;
}

/// Values of the `block` labels of the claim, as text.
std::string group_of(const StudyView& view, std::size_t report, const std::vector<std::string>& names) {
  std::string key;
  for (const std::string& name : names) key += std::string(view.label_text(report, name)) + ";";
  return key;
}

/// In each block the mean over groups of equal `block` labels that have both levels.
std::optional<Contrast> step(const StudyView& view, const Claim& claim, const Stratum& cell, double level) {
  struct Ends {
    std::vector<double> before, after;
  };
  std::map<double, std::map<std::string, Ends>> blocks;
  Contrast contrast;
  for (const RunReports& run : as_runs(view, cell.treated)) {
    const std::size_t r = run.front();
    const auto block = block_of(view, r);
    const auto fact = view.fact(static_cast<Row>(r), claim.metric, claim.dims);
    const std::string_view at = view.label_text(r, claim.label);
    if (!block || !fact || is_twin(view, r) || (at != claim.base && at != claim.treated.front())) continue;
    Ends& ends = blocks[*block][group_of(view, r, claim.block)];
    (at == claim.base ? ends.before : ends.after).push_back(view.study().facts->value[*fact]);
    contrast.evidence.push_back(static_cast<std::int64_t>(*fact));
  }
  std::vector<double> found;
  for (const auto& [block, groups] : blocks) {
    std::vector<double> steps;
    for (const auto& [key, ends] : groups) {
      if (!ends.before.empty() && !ends.after.empty()) steps.push_back(mean(ends.after) - mean(ends.before));
    }
    if (!steps.empty()) found.push_back(mean(steps));
  }
  if (found.empty()) return std::nullopt;
  contrast.effect.kind = EffectKind::kDifference;
  contrast.effect.metric = view.study().metrics->id[*view.metric(claim.metric)];
  contrast.effect.level = level;
  contrast.effect.n = static_cast<std::int64_t>(contrast.evidence.size());
  set_ends(contrast, sequence_interval(found, level), [](double value) { return value; });
  contrast.method = method_text(found.size(), "steps");
  return contrast;
}

}  // namespace

bool is_recorded(const StudyView& view, const Stratum& cell) {
  for (const auto* side : {&cell.base, &cell.treated}) {
    for (const std::size_t r : *side) {
      if (block_of(view, r)) return true;
    }
  }
  return false;
}

std::optional<Contrast> recorded_contrast(const StudyView& view, const Claim& claim, const Stratum& cell,
                                          const NoiseFloor& floor, double level) {
  if (claim.compare == Compare::kStep) return step(view, claim, cell, level);
  return ratio_or_level(view, claim, cell, floor, level);
}

std::optional<Contrast> twin_contrast(const StudyView& view, const Claim& claim, double level) {
  constexpr std::size_t kNoLabel = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> twins, others;
  for (const std::size_t r : view.participants()) {
    if (is_twin(view, r) && block_of(view, r)) twins.push_back(r);
  }
  if (twins.empty()) return std::nullopt;
  const detail::LabelKey key = detail::key_without(view, twins.front(), kNoLabel);
  std::erase_if(twins, [&](std::size_t r) { return detail::key_without(view, r, kNoLabel) != key; });
  for (const std::size_t r : view.participants()) {
    if (!is_twin(view, r) && block_of(view, r) && detail::key_without(view, r, kNoLabel) == key) others.push_back(r);
  }
  const Lengths lengths = lengths_of(view, others, twins, claim.metric, claim.dims);
  if (!lengths.comparable()) return std::nullopt;
  const detail::Side first = detail::side_of(view, others, claim.metric, claim.dims, lengths);
  const detail::Side second = detail::side_of(view, twins, claim.metric, claim.dims, lengths);
  if (first.empty() || second.empty() || !detail::all_positive(first) || !detail::all_positive(second))
    return std::nullopt;
  const auto log = [](double value) { return std::log(value); };
  const std::vector<double> found = differences(by_block(view, first, log), by_block(view, second, log, true), false);
  if (found.empty()) return std::nullopt;
  Contrast contrast = detail::contrast_of(view, EffectKind::kRatio, claim.metric, first, second, level);
  set_ends(contrast, sequence_interval(found, level), [](double value) { return std::exp(value); });
  return contrast;
}

}  // namespace assay::claims
