#include "render/html/page.hpp"
#include "render/plots/claimed_ranges.hpp"
#include "render/plots/svg.hpp"
#include "render/plots/vega.hpp"
#include "render/samples.hpp"

namespace assay {
namespace {

std::string figure(const PageInput& page, const QuestionRun& question, const OwnedPlot& whole, std::string_view level) {
  const std::optional<OwnedPlot> thin = thinned(whole, page.budget.points);
  const OwnedPlot& plot = thin ? *thin : whole;
  const ClaimedRanges claimed = claimed_ranges(question.result, plot);
  const Drawing drawing = drawing_of(plot, claimed.ranges);
  const std::string id = "plot-" + slug(question.question.id) + "-" + slug(plot.analyzer) + "-" + slug(plot.id);
  const std::string caption =
      plot.caption.empty() ? "" : "<details><summary>How to read it</summary>" + html(plot.caption) + "</details>";
  return "<figure class=\"plot\" id=\"" + id + "\" data-spec=\"" + id + "-spec\">\n<" + std::string(level) + ">" +
         html(plot.title) + "</" + std::string(level) + ">\n<div class=\"canvas\"><div class=\"static\">" +
         svg_element(plot, drawing) + "</div></div>\n<figcaption>" +
         (claimed.said.empty() ? "" : "<p>" + html(claimed.said) + "</p>") + caption +
         facts_link(page, question, plot.evidence) +
         "</figcaption>\n<details class=\"plot-data\" hidden><summary class=\"small\">Data of the "
         "plot</summary></details>\n"
         "</figure>\n" +
         json_element(id + "-spec", vega_spec(plot, drawing));
}

std::string samples_part(const QuestionRun& question, const OwnedPlot& plot) {
  const Samples samples = samples_behind(question, plot);
  if (samples.strips.empty()) return {};
  std::string content;
  for (const SampleStrips& strips : samples.strips) {
    content += "<figure class=\"samples\"><h4>" + html(strips.title) +
               "</h4><div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Samples: " + html(strips.title) +
               "\">" + strips_svg(strips, false) + "</div></figure>\n";
  }
  for (const Instant& instant : samples.instants)
    content += "<p class=\"small\">" + html(instant.said) + " <code>" + html(instant.command) + "</code></p>\n";
  return "<details class=\"block\"><summary>Samples <span class=\"small\">every iteration, with its run's median and "
         "quartiles</span></summary>\n" +
         content + "</details>\n";
}

}  // namespace

std::string plots_part(const PageInput& page, const QuestionRun& question, const OwnedPlot* first) {
  std::string out;
  if (first != nullptr) out += figure(page, question, *first, "h4") + samples_part(question, *first);
  for (const OwnedPlot& plot : question.result.plots) {
    if (&plot != first) out += figure(page, question, plot, "h4");
  }
  return out.empty() ? out : folded_part("Plots", std::to_string(question.result.plots.size()), out);
}

}  // namespace assay
