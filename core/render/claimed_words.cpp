#include "render/claimed_words.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "render/format.hpp"

namespace assay {
namespace {

/// How values of a kind begin: a factor is told from a level at a glance.
std::string_view sign_of(EffectKind kind) { return kind == EffectKind::kRatio ? "×\u00a0" : ""; }

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
  const auto& [metric, unit, kind, low, high] = *claim.claimed;
  const std::string_view shown = kind == EffectKind::kRatio ? "ratio" : std::string_view(unit);
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
  if (claim.strata.size() == 1) return sign + with_interval(first);
  const auto [low, high] = std::ranges::minmax_element(measured, {}, [](const OwnedEffect* e) { return e->value; });
  return sign + quantity_range((*low)->value, (*high)->value, unit_of(first)) + " in " +
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
