#include "study_fact.hpp"

#include <algorithm>
#include <cmath>

#include "assay/words.hpp"

namespace assay::claims {
namespace {

/// The "k=v" parts of canonical dims.
std::vector<std::string_view> parts_of(std::string_view dims) {
  std::vector<std::string_view> parts;
  while (!dims.empty()) {
    parts.push_back(dims.substr(0, dims.find(';')));
    dims.remove_prefix(std::min(dims.size(), parts.back().size() + 1));
  }
  return parts;
}

bool holds_all(std::string_view dims, std::string_view wanted) {
  const std::vector<std::string_view> parts = parts_of(dims), all = parts_of(wanted);
  return std::all_of(all.begin(), all.end(),
                     [&](std::string_view part) { return std::find(parts.begin(), parts.end(), part) != parts.end(); });
}

void set_spread(const StudyView& view, const Claim& claim, std::string_view dims, double level, Contrast& contrast) {
  Effect& effect = contrast.effect;
  const auto error = claim.spread.empty() ? std::nullopt : view.value(kNone, claim.spread, dims);
  const auto degrees = claim.degrees.empty() ? std::nullopt : view.value(kNone, claim.degrees, dims);
  if (!error || !degrees || !(*degrees > 0) || !(effect.value > 0)) {
    contrast.method = "no interval: the spread of this value is unknown";
    return;
  }
  const double half = student_t_quantile((1 + level) / 2, *degrees) * *error;
  effect.lo = effect.value * std::exp(-half);
  effect.hi = effect.value * std::exp(half);
  effect.scope = Scope::kBetweenRun;
  contrast.method =
      printed("t interval on a standard error of %.2g %% (%g degrees of freedom)", 100 * std::expm1(*error), *degrees);
}

}  // namespace

std::vector<ClaimCell> study_cells(const StudyView& view, const Claim& claim) {
  std::vector<ClaimCell> out;
  view.each_fact(kNone, claim.metric, [&](std::size_t fact) {
    const std::string_view dims = view.study().facts->dims[fact];
    if (!holds_all(dims, claim.dims)) return;
    ClaimCell& cell = out.emplace_back();
    for (const std::string_view part : parts_of(dims)) {
      const std::string key(part.substr(0, part.find('=')));
      cell.labels.emplace_back(key, dim_value(dims, key).value_or(""));
    }
    cell.fact = fact;
  });
  return out;
}

std::optional<Contrast> study_contrast(const StudyView& view, const Claim& claim, const ClaimCell& cell, double level) {
  const std::size_t fact = *cell.fact;
  Contrast contrast;
  contrast.evidence = {static_cast<std::int64_t>(fact)};
  contrast.effect.kind = EffectKind::kLevel;
  contrast.effect.metric = claim.metric;
  contrast.effect.value = view.study().facts->value[fact];
  contrast.effect.level = level;
  contrast.effect.n = 1;
  if (!claim.exact) {
    set_spread(view, claim, view.study().facts->dims[fact], level, contrast);
    return contrast;
  }
  make_exact(contrast);
  return contrast;
}

void make_exact(Contrast& contrast) {
  contrast.effect.lo = contrast.effect.hi = contrast.effect.value;
  contrast.effect.scope = Scope::kBetweenRun;
  contrast.method = "exact: a count or computed number, whose interval is the value itself";
}

}  // namespace assay::claims
