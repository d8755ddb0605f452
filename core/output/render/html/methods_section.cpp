#include <fmt/core.h>

#include "render/format.hpp"
#include "render/html/page.hpp"

namespace assay {
namespace {

constexpr std::string_view kHowVerdicts =
    "<h3>How effects are judged</h3>\n<p>A verdict depends only on an interval: <em>supported</em> if it lies entirely "
    "inside the claimed range, <em>refuted</em> if it lies entirely outside, <em>inconclusive</em> if it straddles a "
    "bound or if only the spread within single runs is known, <em>untestable</em> if data are missing or the trace "
    "contradicts the labels. A between-run interval includes the spread between runs of the same program; a within-run "
    "interval describes only these runs and decides nothing. If a question has several claims, the level of each "
    "interval is raised so that all of them together hold at 95 %.</p>\n";

}  // namespace

std::string methods_section(const PageInput& page) {
  std::map<std::string, const OwnedMetric*> metrics;
  for (const QuestionRun& run : page.questions) {
    const QuestionResult& question = run.result;
    for (const OwnedMetric& metric : question.metrics) metrics.emplace(metric.id, &metric);
  }
  HtmlTable table("metrics", "Metrics as the analyzers define them",
                  {{"metric", {}}, {"id", {}}, {"unit", {}}, {"better", {}}, {"definition", {}}, {"analyzer", {}}});
  for (const auto& [id, metric] : metrics) {
    table.row({{metric->title},
               {"<code>" + html(id) + "</code>", true},
               {metric->unit},
               {std::string(polarity_name(metric->polarity))},
               {metric->definition},
               {metric->analyzer}});
  }
  return fmt::format(
      "<section class=\"question\" id=\"methods\" aria-labelledby=\"methods-title\"><h2 "
      "id=\"methods-title\">Methods</h2>\n{}<details class=\"part\"><summary><h3>Metrics</h3> <span "
      "class=\"small\">{}</span></summary>\n{}</details>\n</section>\n",
      std::string(kHowVerdicts), counted(metrics.size(), "definition"), table.str());
}

}  // namespace assay
