// `assay describe`: every metric, analyzer and verdict has its texts, and the page has the same.
#include <nlohmann/json.hpp>

#include "assay/output.hpp"
#include "golden/golden_case.hpp"
#include "notes/notes.hpp"
#include "query/column_text.hpp"
#include "render/metric_words.hpp"
#include "support/test.hpp"

namespace assay::testing::describe_test {

using Json = nlohmann::json;

class Describe : public ::testing::Test {
 protected:
  Outcome assay(const std::string& arguments) { return run_assay(scratch_.path(), split_command(arguments)); }
  TempFolder scratch_;
};

TEST_F(Describe, EveryMetricAndAnalyzerOfOursHasANote) {
  const Json metrics = Json::parse(assay("describe --metrics --format json").out);
  ASSERT_GT(metrics.size(), 250U);
  std::set<const notes::MetricNote*> used;
  for (const Json& metric : metrics) {
    const notes::MetricNote* note = notes::metric_note(metric["metric"].get<std::string>());
    EXPECT_NE(note, nullptr) << metric["metric"];
    used.insert(note);
    EXPECT_NE(notes::unit_meaning(metric["unit"].get<std::string>()), "") << metric["unit"];
  }
  for (const notes::MetricNote& note : notes::metrics()) {
    EXPECT_TRUE(used.contains(&note)) << note.metrics.front() << " is of no metric, or hidden behind an earlier note";
    EXPECT_FALSE(note.tables.empty() && note.source.empty())
        << note.metrics.front() << " does not say where it comes from";
  }
  for (const Json& plugin : Json::parse(assay("plugins --format json").out)) {
    const bool noted = plugin["kind"] != "analyzer" || notes::analyzer_note(plugin["id"].get<std::string>()) != nullptr;
    EXPECT_TRUE(noted) << plugin["id"];
  }
}

TEST_F(Describe, EveryVerdictHasANote) {
  std::set<std::string> names;
  for (const notes::VerdictNote& note : notes::verdicts()) names.insert(note.name);
  std::set<std::string> verdicts;
  for (const Verdict verdict : {Verdict::kSupported, Verdict::kRefuted, Verdict::kInconclusive, Verdict::kUntestable})
    verdicts.emplace(verdict_name(verdict));
  EXPECT_EQ(names, verdicts);
}

TEST_F(Describe, NotesNameTablesOfTheModel) {
  for (const notes::MetricNote& note : notes::metrics()) {
    for (const std::string& table : note.tables) EXPECT_NE(query::column_text(table, {}).filled_by, "") << table;
  }
}

TEST_F(Describe, NamesTheNearest) {
  const Outcome wrong = assay("describe gpu.buzy_ratio");
  EXPECT_EQ(wrong.exit, 2);
  EXPECT_TRUE(contains(wrong.err, "'gpu.busy_ratio'?"));
  EXPECT_TRUE(contains(assay("describe inconclusve").err, "'inconclusive'?"));
}

TEST_F(Describe, TakesWhatPeopleCallMetrics) {
  for (const std::string name : {"mfu", "MFU"})
    EXPECT_EQ(assay("describe " + name).out, assay("describe step.mfu_ratio").out);
  for (const std::string name : {"busy", "gpu_busy"})
    EXPECT_EQ(assay("describe " + name).out, assay("describe gpu.busy_ratio").out);
}

TEST_F(Describe, TakesAnalyzersMetricsVerdictsAndTermsTogether) {
  const Json rows = Json::parse(assay("describe ranks gpu.busy_ratio inconclusive stratum --format json").out);
  std::map<std::string, std::set<std::string>> kinds;
  for (const Json& row : rows) kinds[row["name"]].insert(row["what"].get<std::string>());
  EXPECT_TRUE(kinds.at("straggler.rank").contains("metric"));
  EXPECT_TRUE(kinds.at("gpu.busy_ratio").contains("metric"));
  EXPECT_TRUE(kinds.at("gpu.busy_ratio").contains("not"));
  EXPECT_TRUE(kinds.at("inconclusive").contains("verdict"));
  EXPECT_TRUE(kinds.at("stratum").contains("term"));
}

TEST_F(Describe, TheReferenceHasEveryMetricAndVerdictOnce) {
  const std::string page = assay("describe --reference").out;
  const Json metrics = Json::parse(assay("describe --metrics --format json").out);
  const auto titles = [&](const std::string& name) {
    std::size_t count = 0;
    for (std::size_t at = 0; (at = page.find("\n### `" + name + "`\n", at)) != std::string::npos; ++at) ++count;
    return count;
  };
  for (const Json& metric : metrics) EXPECT_EQ(titles(metric["metric"]), 1U) << metric["metric"];
  for (const notes::VerdictNote& note : notes::verdicts()) EXPECT_EQ(titles(note.name), 1U) << note.name;
}

TEST_F(Describe, ThePageHasTheSameText) {
  OwnedMetric metric;
  metric.id = "gpu.busy_ratio";
  metric.title = "share of time the GPU is busy";
  metric.definition = "Busy time.";
  const MetricWords words({&metric, 1});
  EXPECT_TRUE(contains(words.in_html("<p>gpu.busy_ratio</p>"), "Busy time. " + notes::metric_note(metric.id)->is_not));
  EXPECT_TRUE(contains(assay("describe gpu.busy_ratio").out, notes::metric_note(metric.id)->is_not));
}

}  // namespace assay::testing::describe_test
