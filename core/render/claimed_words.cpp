#include "render/claimed_words.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "render/format.hpp"

namespace assay {
namespace {

/// How values of a kind begin: a factor is told from a level at a glance.
std::string_view sign_of(EffectKind kind) { return kind == EffectKind::kRatio ? "×\u00a0" : ""; }

/// Shares and differences of shares are read in percent: factor and unit of what is printed.
DisplayUnit shown_in(EffectKind kind, std::string_view unit) {
  if (kind == EffectKind::kRatio) return {1, "ratio"};
  return unit == "ratio" ? DisplayUnit{100, "%"} : DisplayUnit{1, unit};
}

OwnedEffect scaled(OwnedEffect effect) {
  const DisplayUnit shown = shown_in(effect.kind, effect.unit);
  for (double* value : {&effect.value, &effect.lo, &effect.hi}) *value *= shown.factor;
  effect.unit = shown.name;
  return effect;
}

std::vector<const OwnedEffect*> measured_in(const OwnedClaim& claim) {
  std::vector<const OwnedEffect*> out;
  for (const OwnedStratum& stratum : claim.strata) {
    if (stratum.effect && std::isfinite(stratum.effect->value)) out.push_back(&*stratum.effect);
  }
  return out;
}

}  // namespace

std::string claimed_text(const OwnedClaim& claim) {
  if (!claim.claimed) return {};
  const EffectKind kind = claim.claimed->kind;
  const auto [factor, shown] = shown_in(kind, claim.claimed->unit);
  const double low = claim.claimed->low * factor, high = claim.claimed->high * factor;
  const std::string sign(sign_of(kind));
  if (std::isinf(low) && std::isinf(high)) return "any value";
  if (std::isinf(high)) return "at least " + sign + quantity(low, shown);
  if (std::isinf(low)) return "at most " + sign + quantity(high, shown);
  return sign + (low == high ? quantity(low, shown) : quantity_range(low, high, shown));
}

std::string measured_text(const OwnedClaim& claim) {
  const std::vector<const OwnedEffect*> measured = measured_in(claim);
  if (measured.empty()) return "nothing";
  const OwnedEffect& first = *measured.front();
  const std::string sign(sign_of(first.kind));
  if (claim.strata.size() == 1) return sign + with_interval(scaled(first));
  const auto [low, high] = std::ranges::minmax_element(measured, {}, [](const OwnedEffect* e) { return e->value; });
  const auto [factor, shown] = shown_in(first.kind, first.unit);
  return sign + quantity_range((*low)->value * factor, (*high)->value * factor, shown) + " in " +
         std::to_string(measured.size()) + (measured.size() == 1 ? " stratum" : " strata");
}

std::string runs_text(const OwnedClaim& claim) {
  const std::vector<const OwnedEffect*> measured = measured_in(claim);
  if (measured.empty()) return "0";
  const auto [low, high] = std::ranges::minmax_element(measured, {}, [](const OwnedEffect* e) { return e->n; });
  const std::string text = (*low)->n == (*high)->n ? std::to_string((*low)->n)
                                                   : std::to_string((*low)->n) + " to " + std::to_string((*high)->n);
  return claim.strata.size() > 1 ? text + " a stratum" : text;
}

}  // namespace assay
