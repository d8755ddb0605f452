#include <fmt/core.h>

#include <algorithm>

#include "render/answer_parts.hpp"
#include "render/html/html.hpp"
#include "render/outputs.hpp"
#include "render/plots/claimed_ranges.hpp"
#include "render/plots/svg.hpp"
#include "render/samples.hpp"

namespace assay {

std::string plot_file_name(std::string_view question, const OwnedPlot& plot) {
  return fmt::format("plots/{}-{}-{}.svg", slug(question), slug(plot.analyzer), slug(plot.id));
}

std::string samples_file_name(std::string_view question, const OwnedPlot& plot, std::size_t strips) {
  const std::string name = plot_file_name(question, plot);
  return fmt::format("{}-samples-{}.svg", name.substr(0, name.rfind('.')), strips + 1);
}

std::vector<std::pair<std::string, std::string>> plot_files(const RunResult& run) {
  std::vector<std::pair<std::string, std::string>> files;
  for (const QuestionRun& question : run.each_question()) {
    for (const OwnedPlot& plot : question.result.plots) {
      const Drawing drawing = drawing_of(plot, claimed_ranges(question.result, plot).ranges);
      files.emplace_back(plot_file_name(question.question.id, plot), svg_file(plot, drawing));
    }
    const OwnedPlot* answering = answer_parts(question.result).plot;
    if (answering == nullptr) continue;
    const Samples samples = samples_behind(question, *answering);
    for (std::size_t i = 0; i < samples.strips.size(); ++i) {
      files.emplace_back(samples_file_name(question.question.id, *answering, i),
                         strips_svg(samples.strips[i], true) + "\n");
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace assay
