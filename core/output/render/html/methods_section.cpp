#include "render/format.hpp"
#include "render/html/assets.hpp"
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

constexpr std::string_view kHowPlots =
    "<p>Every plot is a <a href=\"https://vega.github.io/vega/\">Vega</a> specification that includes its data. “Save "
    "as Vega” writes it to a file. To draw it in JupyterLab: <code>import json; from IPython.display import display; "
    "display({'application/vnd.vega.v5+json': json.load(open('plot.vg.json'))}, raw=True)</code>. In this file the "
    "specifications are the elements <code>script[type=&quot;application/json&quot;]</code> whose id ends with "
    "<code>-spec</code>; their signal <code>available</code> is the width in px.</p>\n";

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
  return "<section class=\"question\" id=\"methods\" aria-labelledby=\"methods-title\"><h2 "
         "id=\"methods-title\">Methods</h2>\n" +
         std::string(kHowVerdicts) + "<details class=\"part\"><summary><h3>Metrics</h3> <span class=\"small\">" +
         counted(metrics.size(), "definition") + "</span></summary>\n" + table.str() + "</details>\n" +
         "<details class=\"part\"><summary><h3>How to reuse the plots</h3></summary>\n" + std::string(kHowPlots) +
         "</details>\n" +
         "<details><summary class=\"small\">Licence of Vega, which draws the plots</summary><pre class=\"small\" "
         "tabindex=\"0\">" +
         html(kVegaLicence) + "</pre></details>\n</section>\n";
}

}  // namespace assay
