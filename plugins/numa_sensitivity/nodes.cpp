#include "nodes.hpp"

#include <algorithm>

namespace assay::numa {
namespace {

constexpr double kSingle = 0.95;

/// Values of the label among the question's reports, in order.
std::vector<std::string> values_of(const StudyView& view, std::string_view label) {
  std::map<double, std::string> found;
  const auto row = view.label(label);
  for (const std::size_t r : row ? view.participants() : std::vector<std::size_t>()) {
    const auto value = view.label_value(r, *row);
    if (value) found.emplace(view.study().label_values->order[*value], view.study().label_values->text[*value].view());
  }
  std::vector<std::string> out;
  for (auto& [order, text] : found) out.push_back(std::move(text));
  return out;
}

bool decides(const Effect& effect) { return effect.scope == Scope::kBetweenRun && !std::isnan(effect.lo); }

bool excludes_one(const Effect& effect) { return effect.lo > 1 || effect.hi < 1; }

/// What is tested, apart from the level.
struct Test {
  const StudyView& view;
  const Stratum& stratum;
  const Measure& measure;
  const NoiseFloor& floor;
  std::string seed;

  [[nodiscard]] std::optional<Contrast> at(double level) const {
    return ratio_contrast(view, stratum, measure.metric, measure.dims, floor, level, seed);
  }
};

/// An effect is found at the level that all comparisons share, lest one of many be found by chance. Equality is shown
/// at kSingle: it is claimed of a comparison only when that one shows it, so many comparisons make no false claim
/// likelier. The interval shown is the one that decided.
std::optional<std::pair<Contrast, Outcome>> decide(const Test& test, double shared, double margin) {
  auto strict = test.at(shared);
  if (!strict) return std::nullopt;
  if (differs(*strict)) {
    return std::pair(std::move(*strict), Outcome::kEffect);
  }
  auto single = test.at(kSingle);
  const Effect& effect = single->effect;
  if (decides(effect) && effect.lo >= 1 / (1 + margin) && effect.hi <= 1 + margin) {
    return std::pair(std::move(*single), Outcome::kEquivalent);
  }
  return std::pair(excludes_one(effect) ? std::move(*strict) : std::move(*single), Outcome::kInconclusive);
}

/// A run of several nodes may lack a partner at one of them and not at another: it is listed once.
void keep_once(std::vector<Unmatched>& unmatched) {
  std::stable_sort(unmatched.begin(), unmatched.end(),
                   [](const Unmatched& a, const Unmatched& b) { return a.report < b.report; });
  const auto same = [](const Unmatched& a, const Unmatched& b) { return a.report == b.report; };
  unmatched.erase(std::unique(unmatched.begin(), unmatched.end(), same), unmatched.end());
}

}  // namespace

std::string Measure::name() const {
  const auto direction = dim_value(dims, "direction");
  return dims.empty() ? metric : metric + " " + direction.value_or(dims);
}

std::size_t Nodes::count(std::size_t measure, Outcome outcome) const {
  return static_cast<std::size_t>(std::count_if(comparisons.begin(), comparisons.end(), [&](const Comparison& c) {
    return c.measure == measure && c.outcome == outcome;
  }));
}

std::size_t Nodes::count(Outcome outcome) const {
  return static_cast<std::size_t>(
      std::count_if(comparisons.begin(), comparisons.end(), [&](const Comparison& c) { return c.outcome == outcome; }));
}

Nodes compare(const StudyView& view, const Design& design) {
  Nodes nodes;
  std::vector<std::string> values = values_of(view, design.label);
  if (values.empty()) return nodes;
  nodes.base = design.base.empty() ? values.front() : design.base;
  std::erase(values, nodes.base);
  nodes.others = std::move(values);

  std::vector<Matching> matchings;
  for (const std::string& node : nodes.others) {
    matchings.push_back(match_pairs(view, design.label, nodes.base, node));
    nodes.unmatched.insert(nodes.unmatched.end(), matchings.back().unmatched.begin(), matchings.back().unmatched.end());
  }
  keep_once(nodes.unmatched);
  std::size_t tests = 0;
  for (const Matching& matching : matchings) tests += matching.strata.size() * design.measures.size();
  nodes.level = shared_level(tests, kSingle);

  for (std::size_t m = 0; m < design.measures.size(); ++m) {
    const Measure& measure = design.measures[m];
    nodes.floors.push_back(noise_floor(view, measure.metric, measure.dims, design.label));
    for (std::size_t n = 0; n < nodes.others.size(); ++n) {
      for (const Stratum& stratum : matchings[n].strata) {
        const Test test{view, stratum, measure, nodes.floors.back(), "numa_sensitivity/" + nodes.others[n]};
        auto decided = decide(test, nodes.level, design.margin);
        if (!decided) {
          const Lengths lengths = lengths_of(view, stratum.base, stratum.treated, measure.metric, measure.dims);
          if (!lengths.comparable())
            nodes.unmatched.push_back(
                {stratum.treated.front(), measure.name() + " is not compared: " + lengths.refused});
          continue;
        }
        nodes.comparisons.push_back({stratum, nodes.others[n], m, std::move(decided->first), decided->second});
      }
    }
  }
  return nodes;
}

}  // namespace assay::numa
