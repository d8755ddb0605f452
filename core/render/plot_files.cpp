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
  for (std::size_t q = 0; q < run.questions.size(); ++q) {
    for (const OwnedPlot& plot : run.questions[q].plots) {
      files.emplace_back(plot_file_name(run.plan->questions[q].question->id, plot), svg_file(plot, drawing_of(plot)));
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace assay
