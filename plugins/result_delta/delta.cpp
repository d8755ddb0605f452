#include "delta.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace assay::result_delta {
namespace {

/// Metric and dims, as they stand in facts.
using FactKey = std::pair<std::size_t, std::string>;

/// Facts that both sides of some stratum have.
std::set<FactKey> shared_facts(const StudyView& view, const std::vector<Stratum>& strata) {
  const FactTable& facts = *view.study().facts;
  std::vector<std::set<std::size_t>> before_of(view.report_count()), after_of(view.report_count());
  for (std::size_t s = 0; s < strata.size(); ++s) {
    for (const std::size_t r : strata[s].base) before_of[r].insert(s);
    for (const std::size_t r : strata[s].treated) after_of[r].insert(s);
  }
  std::map<FactKey, std::pair<std::set<std::size_t>, std::set<std::size_t>>> sides;
  for (std::size_t f = 0; f < facts.rows; ++f) {
    if (facts.report[f] == kNone) continue;
    const auto r = static_cast<std::size_t>(facts.report[f]);
    auto& [before, after] = sides[{facts.metric[f], std::string(facts.dims[f].view())}];
    before.insert(before_of[r].begin(), before_of[r].end());
    after.insert(after_of[r].begin(), after_of[r].end());
  }
  std::set<FactKey> shared;
  for (const auto& [key, strata_of] : sides) {
    const auto& [before, after] = strata_of;
    if (std::any_of(before.begin(), before.end(), [&](std::size_t s) { return after.contains(s); })) shared.insert(key);
  }
  return shared;
}

std::optional<double> median_of(const StudyView& view, const std::vector<std::size_t>& reports, std::string_view metric,
                                std::string_view dims, const Lengths& lengths) {
  std::vector<double> values;
  for (const std::size_t r : reports) {
    if (const auto value = value_for(view, r, metric, dims, lengths)) values.push_back(*value);
  }
  if (values.empty()) return std::nullopt;
  return median_in_place(values);
}

Change change_of(const Comparison& comparison, Polarity polarity) {
  if (!comparison.lengths.comparable()) return Change::kUnlike;
  if (comparison.before == comparison.after) return Change::kEqual;
  if (!comparison.contrast) return Change::kUndecided;
  const Effect& effect = comparison.contrast->effect;
  if (effect.scope != Scope::kBetweenRun || std::isnan(effect.lo)) return Change::kUndecided;
  if (effect.lo <= 1 && effect.hi >= 1) return Change::kInside;
  if (polarity == Polarity::kNeutral) return Change::kDifferent;
  return (effect.value > 1) == (polarity == Polarity::kHigherIsBetter) ? Change::kBetter : Change::kWorse;
}

/// The comparison of one metric in one stratum, without its interval.
std::optional<Comparison> values_of(const StudyView& view, const FactKey& key, const Stratum& stratum) {
  const std::string_view metric = view.study().metrics->id[key.first];
  Comparison comparison;
  comparison.lengths = lengths_of(view, stratum.base, stratum.treated, metric, key.second);
  const auto before = median_of(view, stratum.base, metric, key.second, comparison.lengths);
  const auto after = median_of(view, stratum.treated, metric, key.second, comparison.lengths);
  if (!before || !after) return std::nullopt;
  comparison.metric = key.first;
  comparison.dims = key.second;
  comparison.before = *before;
  comparison.after = *after;
  return comparison;
}

}  // namespace

std::string_view change_name(Change change) {
  constexpr std::string_view names[] = {"equal",     "inside noise", "better",        "worse",
                                        "different", "undecided",    "not comparable"};
  return names[static_cast<std::size_t>(change)];
}

Delta compare(const StudyView& view, std::string_view label, std::string_view base, std::string_view treated,
              double alpha, std::span<const Str> only) {
  Matching matching = match_pairs(view, label, base, treated);
  Delta delta;
  delta.strata = std::move(matching.strata);
  delta.unmatched = std::move(matching.unmatched);
  const MetricTable& metrics = *view.study().metrics;
  const auto asked = [&](std::size_t metric) {
    return only.empty() || std::any_of(only.begin(), only.end(), [&](Str id) { return id == metrics.id[metric]; });
  };
  for (const FactKey& key : shared_facts(view, delta.strata)) {
    if (!asked(key.first)) continue;
    for (std::size_t s = 0; s < delta.strata.size(); ++s) {
      auto comparison = values_of(view, key, delta.strata[s]);
      if (!comparison) continue;
      comparison->stratum = s;
      if (metrics.polarity[key.first] != Polarity::kNeutral && comparison->lengths.comparable()) ++delta.tested;
      delta.comparisons.push_back(std::move(*comparison));
    }
  }
  delta.level = 1 - alpha / static_cast<double>(std::max<std::size_t>(1, delta.tested));

  std::map<FactKey, NoiseFloor> floors;
  for (Comparison& c : delta.comparisons) {
    const std::string_view metric = metrics.id[c.metric];
    const auto [floor, fresh] = floors.try_emplace({c.metric, c.dims});
    if (fresh) floor->second = noise_floor(view, metric, c.dims, label);
    c.contrast =
        ratio_contrast(view, delta.strata[c.stratum], metric, c.dims, floor->second, delta.level, "result_delta");
    c.change = change_of(c, metrics.polarity[c.metric]);
  }
  return delta;
}

std::size_t count(const Delta& delta, Change change) {
  return static_cast<std::size_t>(std::count_if(delta.comparisons.begin(), delta.comparisons.end(),
                                                [&](const Comparison& c) { return c.change == change; }));
}

}  // namespace assay::result_delta
