#include "recorded.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "algo/noise/sequence.hpp"
#include "assay/words.hpp"

namespace assay::claims {
namespace {

constexpr std::string_view kBlock = "block", kTwin = "twin";

bool is_twin(const StudyView& view, std::size_t report) { return view.label_text(report, kTwin) == "yes"; }

std::optional<double> block_of(const StudyView& view, std::size_t report) {
  const auto label = view.label(kBlock);
  const auto row = label ? view.label_value(report, *label) : std::nullopt;
  return row ? std::optional(view.study().label_values->order[*row]) : std::nullopt;
}

/// Values of one side by block, of its twins or of all others; several values in a block are its runs.
using ByBlock = std::map<double, std::vector<double>>;

ByBlock by_block(const StudyView& view, const RunSide& side, const std::function<double(double)>& scale,
                 bool twins = false) {
  ByBlock out;
  for (const RunValue& run : side) {
    const auto block = block_of(view, run.report);
    if (block && is_twin(view, run.report) == twins) out[*block].push_back(scale(run.value));
  }
  return out;
}

/// Ordered by block, for blocks with both sides; without a base the values themselves.
BlockSeries differences(const ByBlock& base, const ByBlock& treated, bool level) {
  BlockSeries out;
  for (const auto& [block, values] : treated) {
    const auto at = base.find(block);
    if (!level && at == base.end()) continue;
    out.block.push_back(block);
    out.value.push_back(mean(values) - (level ? 0 : mean(at->second)));
  }
  return out;
}

/// The scale of a claim. Ratios, including those of shares, are compared in logs: a difference of logits is another
/// ratio at another base, and the base is not known without error.
std::function<double(double)> scale_of(const NoiseFloor& floor, bool is_level) {
  if (is_level) return [&floor](double value) { return floor.scaled(value); };
  return [](double value) { return std::log(value); };
}

RunSide without_twins(const StudyView& view, RunSide side) {
  std::erase_if(side, [&](const RunValue& run) { return is_twin(view, run.report); });
  return side;
}

std::string method_text(std::size_t blocks, const char* what) {
  return filled("confidence sequence over {}{} of {}, valid at every look",
                {std::to_string(blocks), blocks == 1 ? " block" : " blocks", what});
}

/// The quantity that a stratum compares in each block, on the scale of the sequence, and how to convert it to an
/// effect.
struct BlockComparison {
  Contrast contrast;  ///< but its interval
  BlockSeries series;
  std::function<double(double)> back;  ///< from that scale to the effect; monotonic
  double unseen = kUnseenShift;
};

std::string block_text(double block) { return "block " + std::to_string(static_cast<std::int64_t>(block)); }

/// ": x0.6 to x1.2 in the 4 so far", the range that blocks of a ratio took before there is an interval; empty for other
/// effects and a single block.
std::string range_over_blocks(const BlockComparison& compared) {
  const std::vector<double>& values = compared.series.value;
  if (compared.contrast.effect.kind != EffectKind::kRatio || values.size() < 2) return {};
  const auto [low, high] = std::ranges::minmax(values);
  return printed(": x%.3g to x%.3g in the %zu so far", compared.back(low), compared.back(high), values.size());
}

/// What noise of several blocks makes the interval wider; empty: none that matters, or too few blocks to tell.
std::string lasting_noise(const SequenceInterval& seen) {
  constexpr std::size_t kFew = 9;
  constexpr double kAlike = 0.3, kDrifting = 1.4;
  const bool alike = seen.correlation > kAlike, drifts = seen.partial_sums > kDrifting;
  if (seen.n < kFew || (!alike && !drifts)) return {};
  return std::string(!drifts ? "neighbouring blocks are alike"
                     : alike ? "values drift, and neighbouring blocks are alike"
                             : "values drift over the blocks") +
         ", which widens it";
}

/// Why the sequence has no interval, or none that can decide now; empty: it has one without objection.
std::string why_open(const SequenceInterval& seen, bool early, const BlockComparison& compared) {
  const BlockSeries& series = compared.series;
  if (seen.changed_at > 0) {
    return "the effect changed at " + block_text(series.block[seen.changed_at - 1]) +
           ": the interval of the blocks up to there contradicts that of the blocks before";
  }
  if (seen.left_at > 0) {
    return "the effect changed by " + block_text(series.block[seen.left_at - 1]) +
           ", or the noise is correlated for longer than the rule allows: the mean of all blocks is outside the "
           "interval of the first ones";
  }
  if (seen.lasting)
    return "the noise is correlated for longer than the rule allows: neighbouring blocks are too similar to count as "
           "independent";
  if (seen.known() && !early) return {};
  return "there are too few blocks for an interval" + range_over_blocks(compared);
}

RecordedContrast judged(BlockComparison compared, const RecordingNoise& noise, double level) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const SequenceInterval seen = sequence_interval(compared.series, noise, level, compared.unseen);
  Contrast::Basis& basis = compared.contrast.basis;
  basis = {basis.logits, seen.mean, seen.sd, static_cast<double>(seen.n) - 1, seen.n, 1};
  Effect& effect = compared.contrast.effect;
  effect.scope = Scope::kBetweenRun;
  effect.value = compared.back(seen.mean);
  effect.lo = seen.known() ? compared.back(seen.lo) : kNan;
  effect.hi = seen.known() ? compared.back(seen.hi) : kNan;
  // "0.09x to 8x" is no interval for those who read it, nor for readers of the claim.
  const bool early = seen.early || (effect.kind == EffectKind::kRatio && !interval_tells(effect.lo, effect.hi));
  std::string why = why_open(seen, early, compared);
  return {std::move(compared.contrast), std::move(why), lasting_noise(seen), early,
          seen.changed_at > 0,          compared.unseen};
}

std::optional<BlockComparison> ratio_or_level(const StudyView& view, const Claim& claim, const Stratum& cell,
                                              const NoiseFloor& floor, double level) {
  const bool is_level = cell.base.empty();
  const Lengths lengths = lengths_of(view, cell.base, cell.treated, claim.metric, claim.dims);
  if (!lengths.comparable() || (is_level && lengths.per_iteration)) return std::nullopt;
  const RunSide base = without_twins(view, side_of(view, cell.base, claim.metric, claim.dims, lengths));
  const RunSide treated = without_twins(view, side_of(view, cell.treated, claim.metric, claim.dims, lengths));
  if (treated.empty() || !all_positive(base) || !all_positive(treated)) return std::nullopt;
  BlockSeries found = differences(by_block(view, base, scale_of(floor, is_level)),
                                  by_block(view, treated, scale_of(floor, is_level)), is_level);
  if (found.value.empty()) return std::nullopt;
  const EffectKind kind = is_level ? EffectKind::kLevel : EffectKind::kRatio;
  BlockComparison out{contrast_of(view, kind, claim.metric, base, treated, level), std::move(found), {}};
  out.contrast.method = method_text(out.series.value.size(), !is_level      ? "differences of logs"
                                                             : floor.logits ? "logits"
                                                                            : "logs");
  out.contrast.basis.logits = floor.logits && is_level;
  if (is_level) {
    out.unseen = kUnseenMachineShift;
    out.back = [floor](double value) { return floor.unscaled(value); };
    return out;
  }
  double most = std::numeric_limits<double>::infinity();
  if (floor.logits) {  // no ratio can raise a share above 1
    for (const RunValue& run : base) most = std::min(most, 1 / run.value);
  }
  out.back = [most](double value) { return std::min(std::exp(value), most); };
  return out;
}

/// Values of the claim's `block` labels, as text.
std::string group_of(const StudyView& view, std::size_t report, const std::vector<std::string>& names) {
  std::string key;
  for (const std::string& name : names) key += std::string(view.label_text(report, name)) + ";";
  return key;
}

/// In each block, the mean over groups of equal `block` labels that have both levels.
std::optional<BlockComparison> step(const StudyView& view, const Claim& claim, const Stratum& cell, double level) {
  struct Ends {
    std::vector<double> before, after;
  };
  std::map<double, std::map<std::string, Ends>> blocks;
  BlockComparison out;
  Contrast& contrast = out.contrast;
  const Lengths lengths = lengths_of(view, {}, cell.treated, claim.metric, claim.dims);
  for (const RunValue& run : side_of(view, cell.treated, claim.metric, claim.dims, lengths)) {
    const auto block = block_of(view, run.report);
    const std::string_view at = view.label_text(run.report, claim.label);
    if (!block || is_twin(view, run.report) || (at != claim.base && at != claim.treated.front())) continue;
    Ends& ends = blocks[*block][group_of(view, run.report, claim.block)];
    (at == claim.base ? ends.before : ends.after).push_back(run.value);
    contrast.evidence.insert(contrast.evidence.end(), run.facts.begin(), run.facts.end());
  }
  std::vector<double> sizes;
  for (const auto& [block, groups] : blocks) {
    std::vector<double> steps;
    for (const auto& [key, ends] : groups) {
      if (ends.before.empty() || ends.after.empty()) continue;
      steps.push_back(mean(ends.after) - mean(ends.before));
      sizes.push_back(std::abs(mean(ends.before)));
    }
    if (steps.empty()) continue;
    out.series.block.push_back(block);
    out.series.value.push_back(mean(steps));
  }
  if (sizes.empty()) return std::nullopt;
  contrast.effect.kind = EffectKind::kDifference;
  contrast.effect.metric = view.study().metrics->id[*view.metric(claim.metric)];
  contrast.effect.level = level;
  contrast.effect.n = static_cast<std::int64_t>(contrast.evidence.size());
  contrast.method = method_text(out.series.value.size(), "steps");
  out.back = [](double value) { return value; };
  out.unseen = kUnseenShift * mean(sizes);  // a fraction of a level, in logs
  return out;
}

std::optional<BlockComparison> compared(const StudyView& view, const Claim& claim, const Stratum& cell,
                                        const NoiseFloor& floor, double level) {
  if (claim.compare == Compare::kStep) return step(view, claim, cell, level);
  return ratio_or_level(view, claim, cell, floor, level);
}

/// The second run of the A/A pair relative to the first.
std::optional<BlockComparison> twins(const StudyView& view, const Claim& claim, const NoiseFloor& floor, double level) {
  const RunGrouping alike = alike_groups(view, {{}, {}, [&](std::size_t r) { return block_of(view, r).has_value(); }});
  Runs again, others;
  for (const RunGroup& group : alike.groups) {
    if (!again.empty()) break;
    again = group.runs.where([&](std::size_t r) { return is_twin(view, r); });
    others = group.runs.where([&](std::size_t r) { return !is_twin(view, r); });
  }
  if (again.empty()) return std::nullopt;
  const Lengths lengths = lengths_of(view, others, again, claim.metric, claim.dims);
  if (!lengths.comparable()) return std::nullopt;
  const RunSide first = side_of(view, others, claim.metric, claim.dims, lengths);
  const RunSide second = side_of(view, again, claim.metric, claim.dims, lengths);
  if (first.empty() || second.empty() || !all_positive(first) || !all_positive(second)) return std::nullopt;
  const auto scale = scale_of(floor, claim.compare == Compare::kLevel);
  BlockSeries found = differences(by_block(view, first, scale), by_block(view, second, scale, true), false);
  if (found.value.empty()) return std::nullopt;
  found.twins = true;
  return BlockComparison{contrast_of(view, EffectKind::kRatio, claim.metric, first, second, level), std::move(found),
                         [](double value) { return std::exp(value); }};
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

void RecordedContrast::hide_early() {
  if (early) contrast.effect.lo = contrast.effect.hi = std::numeric_limits<double>::quiet_NaN();
}

RecordedNoise::Key RecordedNoise::key_of(const Claim& claim) {
  // Steps have their own axis and labels; ratios and levels of one metric show the same noise.
  return {claim.compare, claim.metric, claim.dims, claim.compare == Compare::kStep ? claim.id : ""};
}

RecordedNoise::RecordedNoise(const StudyView& view, std::span<const ClaimRuns> gathered,
                             std::span<const NoiseFloor> floors) {
  std::set<std::tuple<Key, std::vector<std::size_t>, std::vector<std::size_t>>> seen;  // two claims on one pair
  for (std::size_t i = 0; i < gathered.size(); ++i) {
    const Claim& claim = gathered[i].claim;
    if (claim.compare == Compare::kStudy || claim.compare == Compare::kBest || claim.exact) continue;
    const bool fresh = !noise_.contains(key_of(claim));
    RecordingNoise& noise = noise_[key_of(claim)];
    for (const ClaimCell& cell : gathered[i].cells) {
      if (!gathered[i].is_measured(cell) || !is_recorded(view, cell) ||
          !seen.emplace(key_of(claim), cell.base.reports(), cell.treated.reports()).second)
        continue;
      if (const auto found = compared(view, claim, cell, floors[i], 0)) noise.add(found->series);
    }
    const auto pair = fresh && claim.compare == Compare::kRatio ? twins(view, claim, floors[i], 0) : std::nullopt;
    if (pair) noise.add(pair->series);
  }
}

const RecordingNoise& RecordedNoise::noise_of(const Claim& claim) const { return noise_.at(key_of(claim)); }

std::optional<RecordedContrast> recorded_contrast(const StudyView& view, const Claim& claim, const Stratum& cell,
                                                  const NoiseFloor& floor, const RecordedNoise& noise, double level) {
  auto found = compared(view, claim, cell, floor, level);
  if (!found) return std::nullopt;
  return judged(*std::move(found), noise.noise_of(claim), level);
}

std::optional<RecordedContrast> twin_contrast(const StudyView& view, const Claim& claim, const NoiseFloor& floor,
                                              const RecordedNoise& noise, double level) {
  auto found = twins(view, claim, floor, level);
  if (!found) return std::nullopt;
  if (claim.compare == Compare::kRatio) return judged(*std::move(found), noise.noise_of(claim), level);
  RecordingNoise own;
  own.add(found->series);
  return judged(*std::move(found), own, level);
}

}  // namespace assay::claims
