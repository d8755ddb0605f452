#include "plots.hpp"

#include "assay/ratio_plot.hpp"
#include "assay/words.hpp"

namespace assay::compile {

std::optional<Plot> pair_plot(const Delta& delta, const Design& design) {
  std::vector<LabelTexts> labels;
  for (const ModeEffect& effect : delta.effects) {
    for (const PairEffect& pair : effect.pairs) labels.push_back(pair.stratum.labels);
  }
  const std::vector<std::string> names = telling_names(labels, "the pair");
  const bool several = !delta.effects.empty() && delta.effects.front().mode != delta.effects.back().mode;
  RatioPlot plot("pairs", "Compiled against uncompiled, pair by pair", design.label + " mode / " + design.base,
                 "pair of runs", design.label);
  std::size_t at = 0;
  for (const ModeEffect& effect : delta.effects) {
    for (const PairEffect& pair : effect.pairs) {
      const std::string& name = names[at++];
      if (!pair.contrast) continue;
      plot.add(effect.metric, several ? name + " " + effect.mode : name, effect.mode, pair.contrast->effect,
               pair.contrast->evidence);
      plot.shade(effect.metric, effect.floor);
    }
  }
  if (plot.empty()) return std::nullopt;
  return plot.take("Below 1 the compiled run took less time than its uncompiled partner.");
}

}  // namespace assay::compile
