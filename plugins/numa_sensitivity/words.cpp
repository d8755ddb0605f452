#include "words.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "assay/words.hpp"

namespace assay::numa {
namespace {

std::vector<std::string> stratum_names(const Nodes& nodes) {
  std::vector<LabelTexts> labels;
  for (const Comparison& c : nodes.comparisons) labels.push_back(c.stratum.labels);
  return telling_names(labels, "the pair");
}

std::pair<double, double> range_of(const Nodes& nodes, std::size_t measure) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Comparison& c : nodes.comparisons) {
    if (c.measure != measure) continue;
    low = std::min(low, c.contrast.effect.value);
    high = std::max(high, c.contrast.effect.value);
  }
  return {low, high};
}

std::string measure_sentence(const Nodes& nodes, const Design& design, std::size_t m) {
  const std::size_t effects = nodes.count(m, Outcome::kEffect), equal = nodes.count(m, Outcome::kEquivalent);
  const std::size_t all = effects + equal + nodes.count(m, Outcome::kInconclusive);
  if (all == 0) return {};
  const auto [low, high] = range_of(nodes, m);
  std::string text = design.measures[m].name() + " × " + low_to_high(low, high, 3) + ": ";
  std::vector<std::string> parts;
  if (effects > 0) parts.push_back("differs in " + counted_of(effects, all, "comparison"));
  if (equal > 0) {
    parts.push_back("equal within " + printed("%g", 100 * design.margin) + " % in " +
                    counted_of(equal, all, "comparison"));
  }
  if (effects + equal < all) {
    parts.push_back("inconclusive in " + counted_of(all - effects - equal, all, "comparison"));
  }
  text += listed(parts);
  if (nodes.floors[m].known()) {
    text += " (equal programs on one node differ by up to " +
            printed("%.1f", 100 * (nodes.floors[m].largest_ratio - 1)) + " %)";
  } else {
    text += " (no two runs of one program on one node tell how much equal runs differ)";
  }
  return text + ". ";
}

/// "bandwidth h2d, busy": measures with the outcome in all or some comparisons.
std::string measures_with(const Nodes& nodes, const Design& design, Outcome outcome, bool in_all) {
  std::vector<std::string> names;
  for (std::size_t m = 0; m < design.measures.size(); ++m) {
    std::size_t all = 0;
    for (const Comparison& c : nodes.comparisons) all += c.measure == m ? 1U : 0U;
    const std::size_t count = nodes.count(m, outcome);
    if (count > 0 && (!in_all || count == all)) names.push_back(design.measures[m].name());
  }
  return listed(names);
}

/// Median, least and greatest value of the runs of one node.
struct NodeLevel {
  double median = std::numeric_limits<double>::quiet_NaN(), least = median, greatest = median;

  NodeLevel(const StudyView& view, const std::vector<std::size_t>& reports, const Measure& measure) {
    std::vector<double> values;
    for (const std::size_t r : reports) {
      if (const auto value = view.value(static_cast<Row>(r), measure.metric, measure.dims)) values.push_back(*value);
    }
    if (values.empty()) return;
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    least = *low, greatest = *high;
    median = median_in_place(values);
  }
};

}  // namespace

std::string_view outcome_word(Outcome outcome) {
  switch (outcome) {
    case Outcome::kEffect:
      return "differs";
    case Outcome::kEquivalent:
      return "equivalent";
    case Outcome::kInconclusive:
      break;
  }
  return "inconclusive";
}

Finding answer(const Nodes& nodes, const Design& design) {
  Finding finding;
  finding.role = FindingRole::kAnswer;
  const std::size_t effects = nodes.count(Outcome::kEffect);
  if (nodes.comparisons.empty()) {
    finding.title = "No two runs differ in the bound node alone, so nothing can be said of it";
    finding.text = "A pair needs two runs with a common measure whose labels are equal but for the bound node.";
    return finding;
  }
  if (effects > 0) {
    finding.title = "The bound node matters: " + measures_with(nodes, design, Outcome::kEffect, false) +
                    " beyond the noise floor in " + counted_of(effects, nodes.comparisons.size(), "comparison");
  } else {
    const std::string equal = measures_with(nodes, design, Outcome::kEquivalent, true);
    finding.title = "No effect of the bound node was found";
    if (!equal.empty()) {
      finding.title += "; equal within " + printed("%g", 100 * design.margin) + " %: " + equal;
    }
    const std::string open = measures_with(nodes, design, Outcome::kInconclusive, false);
    if (!open.empty()) finding.title += "; inconclusive: " + open;
  }
  for (std::size_t m = 0; m < design.measures.size(); ++m) finding.text += measure_sentence(nodes, design, m);
  finding.text += printed("An effect is found at level %.4f, 0.05 shared by ", nodes.level) +
                  counted(nodes.comparisons.size(), "comparison") + "; equality is shown at level 0.95.";
  return finding;
}

std::vector<Finding> evidence(const Nodes& nodes, const Design& design) {
  const std::vector<std::string> names = stratum_names(nodes);
  std::vector<Finding> out;
  for (const bool effects : {true, false}) {
    for (std::size_t i = 0; i < nodes.comparisons.size(); ++i) {
      const Comparison& c = nodes.comparisons[i];
      if ((c.outcome == Outcome::kEffect) != effects) continue;
      Finding finding;
      finding.labels = c.stratum.labels;
      finding.labels.emplace_back(design.label, c.node);
      finding.title =
          names[i] + ": node " + c.node + " / node " + nodes.base + " on " + design.measures[c.measure].name();
      finding.text = printed("ratio %.3f, ", c.contrast.effect.value) + std::string(outcome_word(c.outcome)) +
                     (c.contrast.inside_noise_floor ? ", inside the noise floor." : ".");
      finding.effect = c.contrast.effect;
      finding.effect->method = c.contrast.method;
      finding.evidence = c.contrast.evidence;
      out.push_back(std::move(finding));
    }
  }
  return out;
}

Table comparison_table(const Nodes& nodes, const Design& design) {
  std::vector<std::string> strata = stratum_names(nodes), measures, others, outcomes;
  std::vector<double> ratios, lows, highs;
  std::vector<std::int64_t> runs;
  for (const Comparison& c : nodes.comparisons) {
    measures.push_back(design.measures[c.measure].name());
    others.push_back(c.node);
    ratios.push_back(c.contrast.effect.value);
    lows.push_back(c.contrast.effect.lo);
    highs.push_back(c.contrast.effect.hi);
    runs.push_back(c.contrast.effect.n);
    outcomes.emplace_back(outcome_word(c.outcome));
  }
  Table table("nodes", "Each node against node " + nodes.base + ", by model and batch");
  table.add("runs of", "", std::move(strata));
  table.add("metric", "", std::move(measures));
  table.add("node", "", std::move(others));
  table.add("ratio", "ratio", std::move(ratios));
  table.add("low", "ratio", std::move(lows));
  table.add("high", "ratio", std::move(highs));
  table.add("runs", "1", std::move(runs));
  table.add("outcome", "", std::move(outcomes));
  return table;
}

Table level_table(const StudyView& view, const Nodes& nodes, const Design& design) {
  std::vector<std::string> strata = stratum_names(nodes), measures, units, others;
  std::array<std::vector<double>, 6> columns;
  for (const Comparison& c : nodes.comparisons) {
    const Measure& measure = design.measures[c.measure];
    const NodeLevel base(view, c.stratum.base, measure), other(view, c.stratum.treated, measure);
    measures.push_back(measure.name());
    units.emplace_back(view.study().metrics->unit[*view.metric(measure.metric)].view());
    others.push_back(c.node);
    const double values[] = {base.median, base.least, base.greatest, other.median, other.least, other.greatest};
    for (std::size_t v = 0; v < columns.size(); ++v) columns[v].push_back(values[v]);
  }
  Table table("node_levels",
              "Every metric on node " + nodes.base + " and on the other, over the runs of a model and batch");
  table.add("runs of", "", std::move(strata));
  table.add("metric", "", std::move(measures));
  table.add("unit", "", std::move(units));
  table.add("node", "", std::move(others));
  const char* headings[] = {"base median", "base least", "base greatest", "node median", "node least", "node greatest"};
  for (std::size_t v = 0; v < columns.size(); ++v) table.add(headings[v], "", std::move(columns[v]));
  return table;
}

}  // namespace assay::numa
