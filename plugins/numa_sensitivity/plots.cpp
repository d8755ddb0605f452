#include "plots.hpp"

#include "assay/ratio_plot.hpp"
#include "assay/words.hpp"
#include "words.hpp"

namespace assay::numa {

Plot node_plot(const Nodes& nodes, const Design& design) {
  std::vector<LabelTexts> labels;
  for (const Comparison& c : nodes.comparisons) labels.push_back(c.stratum.labels);
  const std::vector<std::string> names = telling_names(labels, "the pair");
  RatioPlot plot("nodes", "Each node against node " + nodes.base + ", by model and batch", "node / node " + nodes.base,
                 "runs of", "outcome");
  for (std::size_t i = 0; i < nodes.comparisons.size(); ++i) {
    const Comparison& c = nodes.comparisons[i];
    const std::string metric = design.measures[c.measure].name();
    plot.add(metric, nodes.others.size() > 1 ? names[i] + " node " + c.node : names[i],
             std::string(outcome_word(c.outcome)), c.contrast.effect, c.contrast.evidence);
    plot.shade(metric, nodes.floors[c.measure]);
  }
  return plot.take("Right of 1 the node gives a larger value than node " + nodes.base +
                   ": of a time that is worse, of a bandwidth better.");
}

}  // namespace assay::numa
