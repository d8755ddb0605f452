// Does the NUMA node a run is bound to matter? Compares runs that agree in everything else, node by node.
#include <algorithm>

#include "assay/sdk.hpp"

namespace assay::numa {

class NumaSensitivity {
 public:
  static constexpr std::string_view kSummary =
      "Compares runs bound to different NUMA nodes in duration and copy bandwidth.";
  static constexpr OptionSpec kOptions[] = {
      {"node", OptionType::kLabel, "numa", "Label that holds the bound node; everything else is held fixed."},
      {"base", OptionType::kText, "", "Node that the others are compared with; empty: the one that sorts first."},
      {"duration", OptionType::kMetricList, "iteration.period_ns, window.duration_ns, iteration.gpu_busy_ns",
       "Times that are compared."},
  };
  static constexpr MetricSpec kProduces[] = {
      {"numa.ratio", "ratio", Polarity::kNeutral,
       "Median of a metric over the runs bound to a node over that of the base node; dims: metric, direction, node and "
       "the labels held fixed.",
       "bound to another node over the base node"},
      {"numa.comparisons", "1", Polarity::kNeutral,
       "Comparisons of a metric by outcome; dims: metric, direction, outcome=differs|equivalent|inconclusive.",
       "comparisons between nodes"},
      {"numa.effects_found", "1", Polarity::kNeutral,
       "Comparisons, of all metrics, that differ beyond the noise floor.", "comparisons of nodes with an effect"},
  };
  static constexpr Str kConsumes[] = {"fingerprint", "?iteration.count", "?claim.ratio"};

  explicit NumaSensitivity(const Options& options) : label_(options.label("node")), base_(options.text("base")) {
    for (const std::string& metric : options.strings("duration")) measures_.push_back({metric});
    for (const char* direction : {"direction=h2d", "direction=d2h"})
      measures_.push_back({"copy.bandwidth_bytes_per_s", direction});
  }

  void conclude(const Study& study, StudySink& sink) const {
    const StudyView view(study);
    const PairStudy nodes =
        compare_pairs(view, {"numa_sensitivity", label_pairs(view, label_, base_), measures_, kMargin});
    emit_left_out(nodes, sink);
    if (nodes.pairs.empty()) {
      return sink.skip(kNone, "all runs have one value of the label " + label_ + ", so no node can be compared");
    }
    emit_facts(nodes, sink);
    sink.finding(answer(view, nodes));
    if (nodes.made().empty()) return;
    const std::string base = "node " + nodes.pairs.front().base;
    emit_pairs(
        view, nodes,
        {"nodes", "Each node against " + base + ", by model and batch", "node / " + base,
         "Right of 1, the node gives a larger value than " + base + ": worse for a time, better for a bandwidth."},
        "node", sink);
    sink.table(level_table(view, nodes));
  }

 private:
  /// Two nodes are equal in a metric if the whole interval of the ratio lies within 1 + this, either way.
  static constexpr double kMargin = 0.05;

  static void emit_facts(const PairStudy& nodes, StudySink& sink) {
    emit_pair_facts(nodes, "numa.ratio", "node", sink);
    sink.fact("numa.effects_found", static_cast<double>(nodes.tally().differs));
    for (std::size_t m = 0; m < nodes.measures.size(); ++m)
      emit_outcomes(nodes.tally(m), "numa.comparisons", measure_dims(nodes.measures[m]), sink);
  }

  /// "busy × 1.2 to 1.4": measures that differ in some comparison.
  static std::string differing(const PairStudy& nodes) {
    std::vector<std::string> names;
    for (std::size_t m = 0; m < nodes.measures.size(); ++m) {
      const PairTally tally = nodes.tally(m);
      if (tally.differs > 0) names.push_back(nodes.measures[m].name() + " " + ratio_range(tally));
    }
    return listed(names);
  }

  /// ": busy within 0.4 % and bandwidth h2d within 1.5 %; period too noisy to tell (x0.60 to 1.38)". Within the margin:
  /// the measured value, whether or not proven.
  [[nodiscard]] std::string spread_clauses(const PairStudy& nodes) const {
    std::vector<std::string> near, far;
    for (std::size_t m = 0; m < nodes.measures.size(); ++m) {
      const PairTally tally = nodes.tally(m);
      if (tally.made == 0) continue;
      const double off = std::max(tally.high - 1, 1 - tally.low);
      if (off <= kMargin)
        near.push_back(nodes.measures[m].name() + " within " + percent(off));
      else
        far.push_back(nodes.measures[m].name() + printed(" (x%.2g to %.3g pair by pair)", tally.low, tally.high));
    }
    return (near.empty() ? "" : ": " + listed(near)) + (far.empty() ? "" : "; too noisy to tell: " + listed(far));
  }

  [[nodiscard]] Finding answer(const StudyView& view, const PairStudy& nodes) const {
    Finding finding;
    finding.role = FindingRole::kAnswer;
    const PairTally all = nodes.tally();
    if (all.made == 0) {
      finding.title = "No two runs differ only in the bound node, so its effect cannot be determined";
      finding.text = "A pair needs two runs that have a metric in common and differ only in the bound node.";
      return finding;
    }
    if (all.differs > 0) {
      finding.title = filled("The bound node matters: {} beyond run-to-run noise in {}",
                             {differing(nodes), counted_of(all.differs, all.made, "comparison")});
    } else {
      finding.title = "No effect of the bound node found" + spread_clauses(nodes);
    }
    for (std::size_t m = 0; m < nodes.measures.size(); ++m) {
      const std::string text = tally_text(nodes, m);
      if (!text.empty()) finding.text += text + ". ";
    }
    finding.text += level_sentence(nodes);
    // The numbers are those of the first metric on the first node.
    if (const auto numbers = pair_answer(view, nodes, 0, 0, {})) {
      finding.effect = numbers->effect;
      finding.method = numbers->method;
      finding.pairs = numbers->pairs;
      finding.agreeing = numbers->agreeing;
    }
    return finding;
  }

  /// One row per comparison: the metric on both nodes, with median, minimum and maximum over the runs.
  static Table level_table(const StudyView& view, const PairStudy& nodes) {
    const std::vector<const PairEffect*> rows = nodes.made();
    Table table("node_levels", "Every metric on node " + nodes.pairs.front().base +
                                   " and on the other, over the runs of a model and batch");
    table.column("runs of", "", rows, [&](const PairEffect* e) { return nodes.name_of(*e); })
        .column("metric", "", rows, [&](const PairEffect* e) { return nodes.measure_of(*e).name(); })
        .column("unit", "", rows,
                [&](const PairEffect* e) {
                  return view.study().metrics->unit[*view.metric(nodes.measure_of(*e).metric)].view();
                })
        .column("node", "", rows, [&](const PairEffect* e) { return nodes.pair_of(*e).name; });
    for (const bool other : {false, true}) {
      const auto value = [&](double SideValues::* part) {
        return [other, part](const PairEffect* e) { return (other ? e->treated : e->base).*part; };
      };
      const std::string side = other ? "node " : "base ";
      table.column(side + "median", "", rows, value(&SideValues::median))
          .column(side + "least", "", rows, value(&SideValues::least))
          .column(side + "greatest", "", rows, value(&SideValues::greatest));
    }
    return table;
  }

  std::string label_, base_;
  std::vector<Measure> measures_;
};

ASSAY_PLUGIN("numa_sensitivity", "1.0.0", NumaSensitivity);

}  // namespace assay::numa
