#include "render/html/page.hpp"
#include "render/plots/svg.hpp"
#include "render/plots/vega.hpp"

namespace assay {

std::string plot_figure(const PageInput& page, const QuestionRun& question, const OwnedPlot& whole) {
  const OwnedPlot plot = thinned(whole, page.budget.points);
  const Drawing drawing = drawing_of(plot);
  const std::string id = "plot-" + slug(question.question.id) + "-" + slug(plot.analyzer) + "-" + slug(plot.id);
  return "<figure class=\"plot\" id=\"" + id + "\" data-spec=\"" + id + "-spec\">\n<h4>" + html(plot.title) +
         "</h4>\n<div class=\"canvas\"><div class=\"static\">" + svg_element(plot, drawing) +
         "</div></div>\n<figcaption>" + html(plot.caption) + facts_link(page, question, plot.evidence) +
         "</figcaption>\n<details class=\"plot-data\" hidden><summary class=\"small\">Data of the "
         "plot</summary></details>\n"
         "</figure>\n" +
         json_element(id + "-spec", vega_spec(plot, drawing));
}

std::string plots_part(const PageInput& page, const QuestionRun& question, const OwnedPlot* shown) {
  std::string out;
  for (const OwnedPlot& plot : question.result.plots) {
    if (&plot != shown) out += plot_figure(page, question, plot);
  }
  return out.empty() ? out : "<h3>Further plots</h3>\n" + out;
}

}  // namespace assay
