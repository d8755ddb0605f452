// Does it matter to which NUMA node a run was bound? Runs matched in everything else, node by node.
#include <set>
#include <stdexcept>

#include "assay/sdk.hpp"
#include "nodes.hpp"
#include "plots.hpp"
#include "words.hpp"

namespace assay::numa {

class NumaSensitivity {
 public:
  static constexpr std::string_view kSummary =
      "Compares runs bound to one NUMA node with runs bound to another, on duration and copy bandwidth.";
  static constexpr OptionSpec kOptions[] = {
      {"node", OptionType::kLabel, "numa", "Label that holds the bound node; everything else is held fixed."},
      {"base", OptionType::kText, "", "Node that the others are compared with; empty: the one that sorts first."},
      {"duration", OptionType::kMetricList, "iteration.period_ns, window.duration_ns, iteration.gpu_busy_ns",
       "Times that are compared."},
      {"bandwidth", OptionType::kMetricList, "copy.bandwidth_bytes_per_s",
       "Metrics with the dim direction that are compared in each of `directions`."},
      {"directions", OptionType::kTextList, "h2d, d2h", "Directions of copies."},
      {"equivalent_within",
       OptionType::kNumber,
       "0.05",
       "Two nodes are equal in a metric when the whole interval of the ratio lies within 1 + this, either way.",
       {},
       0,
       10},
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
  static constexpr Str kConsumes[] = {"fingerprint", "?iteration.count"};

  explicit NumaSensitivity(const Options& options) {
    design_.label = options.label("node");
    design_.base = options.text("base");
    design_.margin = options.number("equivalent_within");
    std::set<std::string_view> directions;
    for (const Str& direction : options.texts("directions")) {
      if (!directions.insert(direction.view()).second)
        throw std::invalid_argument("'directions' names '" + std::string(direction.view()) + "' twice; name it once");
    }
    for (const Str& metric : options.metrics("duration")) design_.measures.push_back({std::string(metric.view()), {}});
    for (const Str& metric : options.metrics("bandwidth")) {
      for (const Str& direction : options.texts("directions")) {
        design_.measures.push_back({std::string(metric.view()), "direction=" + std::string(direction.view())});
      }
    }
  }

  void conclude(const Study& study, StudySink& sink) const {
    const StudyView view(study);
    const Nodes nodes = compare(view, design_);
    for (const Unmatched& u : nodes.unmatched) sink.skip(static_cast<Row>(u.report), u.reason);
    if (nodes.others.empty()) {
      return sink.skip(kNone, "all runs have one value of the label " + design_.label + ", so no node can be compared");
    }
    emit_facts(nodes, sink);
    sink.finding(answer(nodes, design_));
    for (const Finding& finding : evidence(nodes, design_)) sink.finding(finding);
    if (nodes.comparisons.empty()) return;
    sink.plot(node_plot(nodes, design_));
    sink.table(comparison_table(nodes, design_));
    sink.table(level_table(view, nodes, design_));
  }

 private:
  std::vector<Dim> measure_dims(std::size_t measure, std::string& direction) const {
    const Measure& m = design_.measures[measure];
    std::vector<Dim> dims = {{"metric", m.metric}};
    direction = dim_value(m.dims, "direction").value_or("");
    if (!direction.empty()) dims.push_back({"direction", direction});
    return dims;
  }

  void emit_facts(const Nodes& nodes, StudySink& sink) const {
    std::string direction;
    for (const Comparison& c : nodes.comparisons) {
      std::vector<Dim> dims = measure_dims(c.measure, direction);
      dims.push_back({"node", c.node});
      for (const auto& [name, value] : c.stratum.labels) dims.push_back({name, value});
      sink.fact("numa.ratio", c.contrast.effect.value, dims);
    }
    sink.fact("numa.effects_found", static_cast<double>(nodes.count(Outcome::kEffect)));
    for (std::size_t m = 0; m < design_.measures.size(); ++m) {
      for (const Outcome outcome : {Outcome::kEffect, Outcome::kEquivalent, Outcome::kInconclusive}) {
        std::vector<Dim> dims = measure_dims(m, direction);
        dims.push_back({"outcome", outcome_word(outcome)});
        sink.fact("numa.comparisons", static_cast<double>(nodes.count(m, outcome)), dims);
      }
    }
  }

  Design design_;
};

ASSAY_PLUGIN("numa_sensitivity", "1.0.0", NumaSensitivity);

}  // namespace assay::numa
