#include "assay/algo/pairs.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/detail/run_order.hpp"

namespace assay {
namespace {

constexpr double kSameRatio = 1e-9;  ///< of logs: the mean of a claim over some pairs is not that over all

LabelTexts claimed_dims_of(const PairStudy& study, const PairEffect& effect) {
  return claimed_dims(study.measure_of(effect), study.pair_of(effect), study.stratum_of(effect).labels);
}

/// Value of the fact of the study that has these dims and no others.
std::optional<double> claimed_value(const StudyView& view, std::string_view metric, const LabelTexts& dims) {
  std::optional<double> found;
  view.each_fact(kNone, metric, [&](std::size_t fact) {
    const std::string_view own = view.study().facts->dims[fact];
    const bool all =
        std::all_of(dims.begin(), dims.end(), [&](const auto& dim) { return dim_value(own, dim.first) == dim.second; });
    const auto parts = static_cast<std::size_t>(std::count(own.begin(), own.end(), ';')) + 1;
    if (all && parts == dims.size()) found = view.study().facts->value[fact];
  });
  return found;
}

/// Gives an effect the numbers that a claim is judged on. In a recording these leave out the second runs of the A/A
/// pair and have no interval before there are enough blocks.
void set_claimed(const StudyView& view, const RunSides& sides, const LabelTexts& dims, PairEffect& of) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  Contrast& contrast = *of.contrast;
  Effect& effect = contrast.effect;
  effect.value = *claimed_value(view, kClaimedRatio, dims);
  effect.lo = claimed_value(view, kClaimedLow, dims).value_or(kNan);
  effect.hi = claimed_value(view, kClaimedHigh, dims).value_or(kNan);
  effect.level = claimed_value(view, kClaimedLevel, dims).value_or(effect.level);
  effect.scope = Scope::kBetweenRun;
  contrast.inside_noise_floor = !(effect.lo > 1 || effect.hi < 1);
  std::set<std::string_view> blocks[2];
  for (const RunValue& run : sides.base) blocks[0].insert(view.label_text(run.report, "block"));
  for (const RunSide* side : {&sides.base, &sides.treated}) {
    for (const RunValue& run : *side) {
      const std::string_view block = view.label_text(run.report, "block");
      if (side == &sides.treated && !block.empty() && blocks[0].contains(block)) blocks[1].insert(block);
      if (view.label_text(run.report, "twin") == "yes") --effect.n;
    }
  }
  of.blocks = blocks[1].size();
  if (of.blocks > 0) contrast.method = "of the claim on it: confidence sequence over " + counted(of.blocks, "block");
}

}  // namespace

std::string Measure::name() const {
  std::string text = metric;
  for (const auto& [key, value] : texts()) text += " " + value;
  return text;
}

LabelTexts Measure::texts() const {
  LabelTexts out;
  for (std::string_view rest = dims; !rest.empty();) {
    const std::string_view part = rest.substr(0, rest.find(';'));
    rest.remove_prefix(std::min(rest.size(), part.size() + 1));
    const std::string key(part.substr(0, part.find('=')));
    out.emplace_back(key, dim_value(dims, key).value_or(""));
  }
  return out;
}

LabelTexts claimed_dims(const Measure& measure, const LabelPair& pair, const LabelTexts& labels) {
  LabelTexts out = {{"metric", measure.metric}, {pair.label, filled("{} / {}", {pair.treated, pair.base})}};
  for (auto& dim : measure.texts()) out.push_back(std::move(dim));
  out.insert(out.end(), labels.begin(), labels.end());
  return out;
}

std::vector<Measure> measures_of(const StudyView& view, const std::vector<std::string>& metrics) {
  std::vector<Measure> out;
  for (const std::string& metric : metrics) {
    std::set<std::string_view> dims;
    for (const std::size_t r : view.participants()) {
      view.each_fact(static_cast<Row>(r), metric,
                     [&](std::size_t fact) { dims.insert(view.study().facts->dims[fact]); });
    }
    for (const std::string_view d : dims) out.push_back({metric, std::string(d)});
  }
  return out;
}

std::string_view PairTally::word() const {
  if (made == 0) return "not measured";
  if (differs == 0) return equivalent == made ? "equal" : "inconclusive";
  if (differs < made) return "mixed";
  return high < 1 ? "lower" : low > 1 ? "higher" : "mixed";
}

std::vector<const PairEffect*> PairStudy::made() const {
  std::vector<const PairEffect*> out;
  for (const PairEffect& effect : effects) {
    if (effect.contrast) out.push_back(&effect);
  }
  return out;
}

PairTally PairStudy::tally() const {
  return tally_of([](const PairEffect&) { return true; });
}

PairTally PairStudy::tally(std::size_t measure) const {
  return tally_of([&](const PairEffect& e) { return e.measure == measure; });
}

PairTally PairStudy::tally(std::size_t measure, std::size_t pair) const {
  return tally_of([&](const PairEffect& e) { return e.measure == measure && e.pair == pair; });
}

JointEffect PairStudy::joint(std::size_t measure, std::size_t pair) const {
  std::map<std::vector<std::size_t>, std::size_t> bases;
  std::vector<PairLog> logs;
  for (const PairEffect* e : made()) {
    if (e->measure != measure || e->pair != pair) continue;
    const auto base = bases.emplace(stratum_of(*e).base.reports(), bases.size()).first;
    logs.push_back({std::log(e->contrast->effect.value), base->second});
  }
  JointEffect out = logs.empty() ? JointEffect{} : joint_effect(logs, joint_level);
  if (const auto mean = claimed_means.find({measure, pair});
      mean != claimed_means.end() && std::abs(std::log(mean->second.first / out.ratio)) < kSameRatio)
    out = joint_effect(logs, mean->second.second);
  out.days_apart = days_apart[pair] != 0;
  return out;
}

bool recorded_days_apart(const StudyView& view, const std::vector<std::size_t>& base,
                         const std::vector<std::size_t>& treated) {
  const auto days_of = [&](const std::vector<std::size_t>& runs) {
    std::set<std::string_view> days;
    for (const std::size_t r : runs) days.insert(view.attribute(r, kRecordedAttribute).value_or("").substr(0, 10));
    return days;
  };
  const std::set<std::string_view> first = days_of(base), second = days_of(treated);
  if (first.empty() || second.empty() || first.contains("") || second.contains("")) return false;
  return std::none_of(first.begin(), first.end(), [&](std::string_view day) { return second.contains(day); });
}

namespace detail {

namespace {

SideValues values_of(const RunSide& side) {
  SideValues out;
  if (side.empty()) return out;
  for (const RunValue& run : side) out.runs.push_back(run.value);
  const auto [least, greatest] = std::minmax_element(out.runs.begin(), out.runs.end());
  out.least = *least;
  out.greatest = *greatest;
  out.median = median_value(side);
  return out;
}

// Names of all strata of the pairs of one label, distinct from each other.
std::vector<std::vector<std::string>> names_of(const std::vector<LabelPair>& pairs,
                                               const std::vector<std::vector<Stratum>>& strata) {
  std::vector<std::vector<std::string>> out(pairs.size());
  std::map<std::string, std::vector<LabelTexts>> by_label;
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    for (const Stratum& stratum : strata[p]) by_label[pairs[p].label].push_back(stratum.labels);
  }
  std::map<std::string, std::size_t> next;
  std::map<std::string, std::vector<std::string>> names;
  for (const auto& [label, labels] : by_label) names[label] = telling_names(labels, "the pair");
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    for (std::size_t s = 0; s < strata[p].size(); ++s) out[p].push_back(names[pairs[p].label][next[pairs[p].label]++]);
  }
  return out;
}

// Adds what is measured on both sides, counts the comparisons that share the error, and returns the sides.
std::vector<RunSides> add_effects(const StudyView& view, const PairDesign& design, PairStudy& out) {
  std::vector<RunSides> sides;
  for (std::size_t m = 0; m < out.measures.size(); ++m) {
    const Measure& measure = out.measures[m];
    for (std::size_t p = 0; p < out.pairs.size(); ++p) {
      for (std::size_t s = 0; s < out.strata[p].size(); ++s) {
        const Stratum& stratum = out.strata[p][s];
        if (design.speaks && !design.speaks(stratum, measure)) continue;
        RunSides both(view, stratum, measure.metric, measure.dims);
        if (!both.measured()) continue;
        PairEffect& effect = out.effects.emplace_back(
            PairEffect{p, s, m, both.lengths, detail::values_of(both.base), detail::values_of(both.treated)});
        effect.claimed = claimed_value(view, kClaimedRatio, claimed_dims_of(out, effect)).has_value();
        out.tests += measure.decides && both.has_ratio() && !effect.claimed ? 1U : 0U;
        sides.push_back(std::move(both));
      }
    }
  }
  return sides;
}

// The means over pairs that claims are judged on.
void add_claimed_means(const StudyView& view, const std::set<std::pair<std::size_t, std::size_t>>& joint,
                       PairStudy& out) {
  for (const auto& [m, p] : joint) {
    const LabelTexts dims = claimed_dims(out.measures[m], out.pairs[p], {});
    if (const auto ratio = claimed_value(view, kClaimedRatio, dims))
      out.claimed_means[{m, p}] = {*ratio, claimed_value(view, kClaimedLevel, dims).value_or(out.joint_level)};
  }
}

}  // namespace

}  // namespace detail

PairStudy compare_pairs(const StudyView& view, PairDesign design) {
  PairStudy out;
  PairMatching matching = match_pairs(view, design.pairs);
  out.pairs = std::move(design.pairs);
  out.measures = std::move(design.measures);
  out.margin = design.margin;
  out.strata = std::move(matching.strata);
  out.left_out = std::move(matching.unmatched);
  if (out.pairs.empty()) {  // possibly because the runs of a value are not trusted
    for (const std::size_t r : view.disbelieved()) out.left_out.push_back({r, std::string(view.doubt(r))});
  }
  out.names = detail::names_of(out.pairs, out.strata);
  out.floors.assign(out.pairs.size(), std::vector<NoiseFloor>(out.measures.size()));
  out.level = view.level();

  const std::vector<RunSides> sides = detail::add_effects(view, design, out);
  out.each = shared_level(out.tests, out.level);

  const std::vector<std::vector<RunReports>> equal = equal_runs(view);
  std::map<std::pair<std::string, std::size_t>, NoiseFloor> floors;  // by label under test and metric
  std::set<std::pair<std::size_t, std::size_t>> joint;               // measure and pair
  for (std::size_t i = 0; i < out.effects.size(); ++i) {
    PairEffect& effect = out.effects[i];
    if (!sides[i].has_ratio()) continue;
    const Measure& measure = out.measures[effect.measure];
    const LabelPair& pair = out.pairs[effect.pair];
    const auto [floor, fresh] = floors.try_emplace({pair.label, effect.measure});
    if (fresh) floor->second = noise_floor(view, equal, measure.metric, measure.dims, pair.label);
    out.floors[effect.pair][effect.measure] = floor->second;
    effect.contrast =
        sides[i].ratio(view, measure.metric, measure.dims, floor->second, out.each, design.id + "/" + pair.name);
    if (effect.claimed) set_claimed(view, sides[i], claimed_dims_of(out, effect), effect);
    effect.outcome = detail::outcome_of(*effect.contrast, out.margin);
    if (measure.decides) joint.insert({effect.measure, effect.pair});
  }
  out.joint_level = shared_level(joint.size(), out.level);
  detail::add_claimed_means(view, joint, out);
  for (const std::vector<Stratum>& strata : out.strata) {
    std::vector<std::size_t> base, treated;
    for (const Stratum& stratum : strata) {
      base.insert(base.end(), stratum.base.begin(), stratum.base.end());
      treated.insert(treated.end(), stratum.treated.begin(), stratum.treated.end());
    }
    out.days_apart.push_back(recorded_days_apart(view, base, treated) ? 1 : 0);
  }
  return out;
}

}  // namespace assay
