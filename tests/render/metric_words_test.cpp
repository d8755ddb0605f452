// Titles in the place of metric ids: whole words only, with a capital where a sentence begins.
#include "render/metric_words.hpp"

#include "notes/notes.hpp"
#include "support/test.hpp"

namespace assay::metric_words_test {

std::vector<OwnedMetric> metrics() {
  std::vector<OwnedMetric> metrics(3);
  metrics[0].id = "gpu.busy_ratio";
  metrics[0].title = "share of time the GPU is busy";
  metrics[0].definition = "Busy time over the \"window\".";
  metrics[1].id = "gpu.busy";
  metrics[1].title = "busy time";
  metrics[2].id = "odd.without_title";
  return metrics;
}

TEST(MetricWords, AreWholeWords) {
  const std::vector<OwnedMetric> all = metrics();
  const MetricWords words(all);
  const std::pair<const char*, const char*> cases[] = {
      {"", ""},
      {"no id. none.", "no id. none."},
      {"judged on gpu.busy_ratio; so", "judged on share of time the GPU is busy; so"},
      {"judged on gpu.busy.", "judged on busy time."},
      {"gpu.busy is lower, gpu.busy_ratio is not", "Busy time is lower, share of time the GPU is busy is not"},
      {"It is so. gpu.busy is lower", "It is so. Busy time is lower"},
      {"\n- **gpu.busy is lower**", "\n- **Busy time is lower**"},
      {"| a | gpu.busy |", "| a | Busy time |"},
      {"xgpu.busy gpu.busyx gpu.busy.more my.gpu.busy", "xgpu.busy gpu.busyx gpu.busy.more my.gpu.busy"},
      {"odd.without_title 0.5..1.5 v1.2", "odd.without_title 0.5..1.5 v1.2"},
      {"(gpu.busy 0.404..0.486)", "(busy time 0.404..0.486)"},
      {"...gpu.busy", "...gpu.busy"},
  };
  for (const auto& [text, wanted] : cases) EXPECT_EQ(words.in_text(text), wanted);
}

TEST(MetricWords, InHtmlShowTheirIdAndDefinitionAndLeaveTagsAlone) {
  const std::vector<OwnedMetric> all = metrics();
  const MetricWords words(all);
  EXPECT_EQ(words.in_html("<p id=\"gpu.busy\">lower: gpu.busy_ratio</p>"),
            "<p id=\"gpu.busy\">lower: <abbr title=\"gpu.busy_ratio: Busy time over the &quot;window&quot;. " +
                notes::metric_note("gpu.busy_ratio")->is_not + "\">share of time the GPU is busy</abbr></p>");
  EXPECT_EQ(words.in_html("<td>gpu.busy</td>"), "<td><abbr title=\"gpu.busy: \">Busy time</abbr></td>");
  EXPECT_EQ(words.in_html("a < gpu.busy"), "a < gpu.busy") << "what is no element ends nothing well";
}

TEST(MetricWords, PlotsShowTitles) {
  QuestionResult result;
  result.metrics = metrics();
  result.plots.resize(1);
  result.plots[0].x.title = "gpu.busy_ratio";
  result.plots[0].caption = "By gpu.busy.";
  title_plots(result);
  EXPECT_EQ(result.plots[0].x.title, "Share of time the GPU is busy");
  EXPECT_EQ(result.plots[0].caption, "By busy time.");
}

}  // namespace assay::metric_words_test
