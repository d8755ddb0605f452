#include <fmt/format.h>

#include "render/html/page.hpp"
#include "render/plots/claimed_ranges.hpp"
#include "render/plots/svg.hpp"
#include "render/samples.hpp"

namespace assay {
namespace {

std::string figure(const PageInput& page, const QuestionRun& question, const OwnedPlot& whole, std::string_view level) {
  const std::optional<OwnedPlot> thin = thinned(whole, page.budget.points);
  const OwnedPlot& plot = thin ? *thin : whole;
  const ClaimedRanges claimed = claimed_ranges(question.result, plot);
  const Drawing drawing = drawing_of(plot, claimed.ranges);
  const std::string id = fmt::format("plot-{}-{}-{}", slug(question.question.id), slug(plot.analyzer), slug(plot.id));
  const std::string caption =
      plot.caption.empty() ? "" : "<details><summary>How to read it</summary>" + html(plot.caption) + "</details>";
  const std::string title = html(plot.title);
  const std::string said = claimed.said.empty() ? "" : fmt::format("<p>{}</p>", html(claimed.said));
  return fmt::format(
      "<figure class=\"plot\" id=\"{0}\">\n<{1}>{2}</{1}>\n<div class=\"canvas\" tabindex=\"0\" role=\"group\" "
      "aria-label=\"Plot: {2}\">{3}</div>\n<figcaption>{4}{5}{6}</figcaption>\n</figure>\n",
      id, level, title, svg_element(plot, drawing), said, caption, facts_link(page, question, plot.evidence));
}

std::string samples_part(const QuestionRun& question, const OwnedPlot& plot) {
  const Samples samples = samples_behind(question, plot);
  if (samples.strips.empty()) return {};
  std::string content;
  for (const SampleStrips& strips : samples.strips) {
    content += fmt::format(
        "<figure class=\"samples\"><h4>{}</h4><div class=\"scroll\" tabindex=\"0\" role=\"group\" "
        "aria-label=\"Samples: {}\">{}</div></figure>\n",
        html(strips.title), html(strips.title), strips_svg(strips, false));
  }
  for (const Instant& instant : samples.instants)
    content += fmt::format("<p class=\"small\">{} <code>{}</code></p>\n", html(instant.said), html(instant.command));
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
