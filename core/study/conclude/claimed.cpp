#include "conclude/claimed.hpp"

#include <algorithm>

#include "assay/quantity.hpp"

namespace assay {
namespace {

/// The value of a key as texts.
struct Texts {
  std::vector<std::string> operator()(bool value) const { return {value ? "true" : "false"}; }
  std::vector<std::string> operator()(std::int64_t value) const { return {std::to_string(value)}; }
  std::vector<std::string> operator()(double value) const { return {exact(value)}; }
  std::vector<std::string> operator()(const std::string& value) const { return {value}; }
  std::vector<std::string> operator()(const std::vector<std::string>& values) const { return values; }
  std::vector<std::string> operator()(const std::vector<double>& values) const {
    std::vector<std::string> out;
    for (const double value : values) out.push_back(exact(value));
    return out;
  }
};

/// What is claimed of a claim's `compare`: the range of an untestable ratio is no time.
EffectKind kind_of(std::string_view compare) {
  return compare == "ratio" ? EffectKind::kRatio : compare == "step" ? EffectKind::kDifference : EffectKind::kLevel;
}

}  // namespace

OwnedClaim claim_to_judge(const PlannedClaim& claim, const std::vector<OwnedMetric>& metrics) {
  OwnedClaim out{claim.config->id,     claim.config->text,     claim.config->source,
                 Verdict::kUntestable, "no verdict was given", {}};
  std::string metric;
  EffectKind kind = EffectKind::kLevel;
  const std::vector<double>* between = nullptr;
  for (const OptionSet::Entry& entry : claim.keys.entries()) {
    if (entry.name == "between") between = std::get_if<std::vector<double>>(&entry.value);
    if (entry.name == "metric" && std::holds_alternative<std::string>(entry.value))
      metric = std::get<std::string>(entry.value);
    if (entry.name == "compare" && std::holds_alternative<std::string>(entry.value))
      kind = kind_of(std::get<std::string>(entry.value));
    if (entry.given && entry.name != "between") out.keys.emplace_back(entry.name, std::visit(Texts{}, entry.value));
  }
  if (between == nullptr || between->size() != 2) return out;
  const auto declared =
      std::find_if(metrics.begin(), metrics.end(), [&](const OwnedMetric& m) { return m.id == metric; });
  const std::string unit = declared == metrics.end() ? "" : declared->unit;
  out.claimed = ClaimedRange{metric, kind == EffectKind::kRatio ? "1" : unit, kind, (*between)[0], (*between)[1]};
  return out;
}

void settle_claimed_range(OwnedClaim& claim) {
  if (!claim.claimed) return;
  for (const OwnedStratum& stratum : claim.strata) {
    if (!stratum.effect) continue;
    claim.claimed->kind = stratum.effect->kind;
    claim.claimed->unit = stratum.effect->unit;
    return;
  }
}

}  // namespace assay
