#include <algorithm>

#include "render/html/html.hpp"
#include "render/outputs.hpp"
#include "render/plots/svg.hpp"

namespace assay {

std::string plot_file_name(std::string_view question, const OwnedPlot& plot) {
  return "plots/" + slug(question) + "-" + slug(plot.analyzer) + "-" + slug(plot.id) + ".svg";
}

std::vector<std::pair<std::string, std::string>> plot_files(const RunResult& run) {
  std::vector<std::pair<std::string, std::string>> files;
  for (const QuestionRun& question : run.each_question()) {
    for (const OwnedPlot& plot : question.result.plots)
      files.emplace_back(plot_file_name(question.question.id, plot), svg_file(plot, drawing_of(plot)));
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace assay
