#include "render/claimed_words.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "assay/words.hpp"
#include "render/format.hpp"

namespace assay {
namespace {

/// Prefix of values of a kind, which distinguishes a factor from a level.
std::string_view sign_of(EffectKind kind) { return kind == EffectKind::kRatio ? "×\u00a0" : ""; }

/// Factor and unit to print with: shares and differences of shares in percent, unless they are multiples.
DisplayUnit shown_in(const OwnedClaim& claim) {
  constexpr double kMaxOfAShare = 1.5;  // a claimed share may exceed 100 %
  if (!claim.claimed || claim.claimed->kind == EffectKind::kRatio) return {1, "ratio"};
  if (claim.claimed->unit != "ratio") return {1, claim.claimed->unit};
  double most = 0;
  for (const double value : {claim.claimed->low, claim.claimed->high}) {
    if (std::isfinite(value)) most = std::max(most, std::abs(value));
  }
  for (const OwnedStratum& stratum : claim.strata) {
    if (stratum.effect && std::isfinite(stratum.effect->value)) most = std::max(most, std::abs(stratum.effect->value));
  }
  return most > kMaxOfAShare ? DisplayUnit{1, "ratio"} : DisplayUnit{100, "%"};
}

OwnedEffect scaled(OwnedEffect effect, const DisplayUnit& shown) {
  for (double* value : {&effect.value, &effect.lo, &effect.hi}) *value *= shown.factor;
  effect.unit = shown.name;
  return effect;
}

std::string strata_count(EffectKind kind, std::size_t count) {
  return counted(count, kind == EffectKind::kRatio ? "pair" : "setting");
}

std::vector<const OwnedEffect*> measured_in(const OwnedClaim& claim) {
  std::vector<const OwnedEffect*> out;
  for (const OwnedStratum& stratum : claim.strata) {
    if (stratum.effect && std::isfinite(stratum.effect->value)) out.push_back(&*stratum.effect);
  }
  return out;
}

}  // namespace

ClaimShape shape_of(const OwnedClaim& claim) {
  struct Key {
    std::string_view name;
    std::variant<std::string, std::vector<std::string>, std::vector<double>, bool> value;
  };
  std::vector<Key> keys;
  for (const auto& [name, texts] : claim.keys) {
    if (texts.size() == 1) keys.push_back({name, texts.front()});
  }
  return claim_shape(keys);
}

const std::vector<std::string>* claim_key(const OwnedClaim& claim, std::string_view name) {
  const auto at = std::ranges::find(claim.keys, name, [](const auto& key) { return key.first; });
  return at == claim.keys.end() ? nullptr : &at->second;
}

std::vector<std::string> claim_dims(const OwnedClaim& claim) {
  const auto* dims = claim_key(claim, "dims");
  return dims == nullptr ? std::vector<std::string>() : *dims;
}

std::string claimed_text(const OwnedClaim& claim) {
  if (!claim.claimed) return {};
  const EffectKind kind = claim.claimed->kind;
  const auto [factor, shown] = shown_in(claim);
  const double low = claim.claimed->low * factor, high = claim.claimed->high * factor;
  const std::string sign(sign_of(kind));
  if (std::isinf(low) && std::isinf(high)) return "any value";
  if (std::isinf(high)) return "at least " + sign + quantity(low, shown);
  // The range starts at 0 anyway, except for differences.
  if (std::isinf(low) || (low == 0 && high > 0 && kind != EffectKind::kDifference))
    return "at most " + sign + quantity(high, shown);
  return sign + (low == high ? quantity(low, shown) : quantity_range(low, high, shown));
}

std::string measured_text(const OwnedClaim& claim) {
  const std::vector<const OwnedEffect*> measured = measured_in(claim);
  if (measured.empty()) return "nothing";
  const OwnedEffect& first = *measured.front();
  const std::string sign(sign_of(first.kind));
  // A claim without a range has no unit; takes that of the measurements.
  OwnedClaim of_measured = claim;
  if (!claim.claimed)
    of_measured.claimed = ClaimedRange{first.metric, first.unit, first.kind, first.value, first.value};
  const auto [factor, shown] = shown_in(of_measured);
  if (claim.strata.size() == 1 && first.lo == first.value && first.hi == first.value)
    return sign + quantity(first.value * factor, shown);  // it cannot err
  if (claim.strata.size() == 1) return sign + with_interval(scaled(first, {factor, shown}));
  const auto [low, high] = std::ranges::minmax_element(measured, {}, [](const OwnedEffect* e) { return e->value; });
  return fmt::format("{}{} in {}", sign, quantity_range((*low)->value * factor, (*high)->value * factor, shown),
                     strata_count(first.kind, measured.size()));
}

std::string judged_on(const OwnedClaim& claim) {
  if (!claim.claimed) return {};
  const std::vector<std::string> dims = claim_dims(claim);
  const std::vector<const OwnedEffect*> measured = measured_in(claim);
  return (measured.empty() ? claim.claimed->metric : measured.front()->metric) +
         (dims.empty() ? "" : " (" + dims.front() + ")");
}

std::string verdict_reason(const OwnedClaim& claim) {
  if (!claim.claimed || measured_in(claim).empty()) return claim.reason;
  std::string text =
      fmt::format("measured {}, claimed {} ({})", measured_text(claim), claimed_text(claim), judged_on(claim));
  const bool decided = claim.verdict == Verdict::kSupported || claim.verdict == Verdict::kRefuted;
  const bool shown = claim.strata.size() == 1 && decided;  // both numbers are already shown
  return shown ? text : text + "; " + claim.reason;
}

std::string counted_strata(const OwnedClaim& claim) {
  return strata_count(claim.claimed ? claim.claimed->kind : EffectKind::kLevel, claim.strata.size());
}

std::string runs_text(const OwnedClaim& claim) {
  const std::vector<const OwnedEffect*> measured = measured_in(claim);
  if (measured.empty()) return "0";
  const auto [low, high] = std::ranges::minmax_element(measured, {}, [](const OwnedEffect* e) { return e->n; });
  const std::string text = (*low)->n == (*high)->n ? std::to_string((*low)->n)
                                                   : std::to_string((*low)->n) + " to " + std::to_string((*high)->n);
  return claim.strata.size() > 1 ? text + " each" : text;
}

}  // namespace assay
