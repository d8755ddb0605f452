#include "plots.hpp"

#include "assay/ratio_plot.hpp"
#include "assay/words.hpp"

namespace assay::pipeline {

std::optional<Plot> option_plot(const Design& design, const Comparison& comparison) {
  RatioPlot plot("options", "Options of the pipeline, pair by pair", "changed / unchanged", "change, and pair of runs",
                 "programs of the pair");
  for (const Tested& tested : comparison.tested) {
    std::vector<LabelTexts> labels;
    for (const Pair& pair : tested.pairs) labels.push_back(pair.stratum.labels);
    const std::vector<std::string> names = telling_names(labels, "");
    for (std::size_t i = 0; i < tested.pairs.size(); ++i) {
      const Pair& pair = tested.pairs[i];
      for (std::size_t m = 0; m < design.metrics.size(); ++m) {
        if (!pair.contrasts[m]) continue;
        plot.add(design.metrics[m], tested.change.text() + (names[i].empty() ? "" : ": " + names[i]),
                 pair.equal_programs ? "equal" : "different", pair.contrasts[m]->effect, pair.contrasts[m]->evidence);
        plot.shade(design.metrics[m], comparison.floors[m]);
      }
    }
  }
  if (plot.empty()) return std::nullopt;
  return plot.take(
      "Left of 1 the change makes the run faster. Where both programs asked the device for the same, only the host can "
      "differ.");
}

}  // namespace assay::pipeline
