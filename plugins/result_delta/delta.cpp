#include "delta.hpp"

#include <algorithm>

#include "algo/days.hpp"

namespace assay::result_delta {
namespace {

Change change_of(const PairEffect& effect, Polarity polarity) {
  if (!effect.lengths.comparable()) return Change::kUnlike;
  if (effect.base.median == effect.treated.median) return Change::kEqual;
  if (!effect.contrast) return Change::kUndecided;
  const Effect& ratio = effect.contrast->effect;
  if (ratio.scope != Scope::kBetweenRun || std::isnan(ratio.lo)) return Change::kUndecided;
  if (!differs(*effect.contrast)) return Change::kInside;
  if (polarity == Polarity::kNeutral) return Change::kDifferent;
  return (ratio.value > 1) == (polarity == Polarity::kHigherIsBetter) ? Change::kBetter : Change::kWorse;
}

}  // namespace

std::string_view change_name(Change change) {
  constexpr std::string_view names[] = {"equal",     "inside noise", "better",        "worse",
                                        "different", "undecided",    "not comparable"};
  return names[static_cast<std::size_t>(change)];
}

Delta compare(const StudyView& view, const LabelPair& pair, std::vector<std::string> metrics,
              std::string_view measurement) {
  const MetricTable& known = *view.study().metrics;
  if (metrics.empty()) {
    for (const Str& id : known.id.view()) metrics.emplace_back(id.view());
  }
  Delta delta;
  PairDesign design{"result_delta", {pair}, measures_of(view, metrics)};
  for (Measure& measure : design.measures) {
    delta.polarity.push_back(known.polarity[*view.metric(measure.metric)]);
    measure.decides = delta.polarity.back() != Polarity::kNeutral;
  }
  delta.pairs = compare_pairs(view, std::move(design));
  widen_by_days(view, delta.pairs, measurement);
  for (const PairEffect& effect : delta.pairs.effects)
    delta.changes.push_back(change_of(effect, delta.polarity[effect.measure]));
  return delta;
}

std::size_t count(const Delta& delta, Change change) {
  return static_cast<std::size_t>(std::count(delta.changes.begin(), delta.changes.end(), change));
}

}  // namespace assay::result_delta
