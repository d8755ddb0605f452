// `assay explain`: every metric, analyzer and verdict has its texts, and the page has the same.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "assay/output.hpp"
#include "golden_case.hpp"
#include "load/format.hpp"
#include "notes/notes.hpp"
#include "query/column_text.hpp"
#include "render/metric_words.hpp"
#include "scratch_folder.hpp"

namespace assay::testing {
namespace {

using Json = nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;

class Explain : public ::testing::Test {
 protected:
  Outcome assay(const std::string& arguments) { return run_assay(scratch_.path(), split_command(arguments)); }
  ScratchFolder scratch_;
};

TEST_F(Explain, EveryMetricAndAnalyzerOfOursHasANote) {
  const Json metrics = Json::parse(assay("describe --metrics --format json").out);
  ASSERT_GT(metrics.size(), 250U);
  std::set<const notes::MetricNote*> used;
  for (const Json& metric : metrics) {
    const notes::MetricNote* note = notes::of_metric(metric["metric"].get<std::string>());
    EXPECT_NE(note, nullptr) << metric["metric"];
    used.insert(note);
    EXPECT_NE(notes::unit_meaning(metric["unit"].get<std::string>()), "") << metric["unit"];
  }
  for (const notes::MetricNote& note : notes::metrics()) {
    EXPECT_TRUE(used.contains(&note)) << note.metrics.front() << " is of no metric, or hidden behind an earlier note";
    EXPECT_FALSE(note.tables.empty() && note.source.empty())
        << note.metrics.front() << " does not say where it comes from";
  }
  for (const Json& analyzer : Json::parse(assay("plugins --format json").out))
    EXPECT_NE(notes::of_analyzer(analyzer["id"].get<std::string>()), nullptr) << analyzer["id"];
}

TEST_F(Explain, EveryVerdictHasANote) {
  std::set<std::string> names;
  for (const notes::VerdictNote& note : notes::verdicts()) names.insert(note.name);
  std::set<std::string> verdicts;
  for (const Verdict verdict : {Verdict::kSupported, Verdict::kRefuted, Verdict::kInconclusive, Verdict::kUntestable})
    verdicts.emplace(verdict_name(verdict));
  EXPECT_EQ(names, verdicts);
}

TEST_F(Explain, SaysWhichFormatsFillWhat) {
  const Json explained = Json::parse(assay("explain gpu.busy_ratio ncu.occupancy_ratio --format json").out);
  std::map<std::string, Json> formats;
  for (const Json& one : explained[0]["formats"]) formats[one["format"]] = one;
  EXPECT_TRUE(formats.at("nsys")["lacks"].empty());
  EXPECT_THAT(formats.at("torch")["lacks"], ::testing::ElementsAre("graphs"));
  EXPECT_TRUE(formats.contains("rocpd"));
  EXPECT_FALSE(formats.contains("ncu"));
  EXPECT_EQ(explained[1]["formats"][0]["format"], "rocpd");
  // Each table that a note names is one of the model, with what fills it.
  for (const notes::MetricNote& note : notes::metrics()) {
    for (const std::string& table : note.tables) EXPECT_NE(query::column_text(table, {}).filled_by, "") << table;
  }
}

TEST_F(Explain, NamesTheNearest) {
  const Outcome wrong = assay("explain gpu.buzy_ratio");
  EXPECT_EQ(wrong.exit, 2);
  EXPECT_THAT(wrong.err, HasSubstr("Did you mean 'gpu.busy_ratio'?"));
  EXPECT_THAT(assay("explain inconclusve").err, HasSubstr("Did you mean 'inconclusive'?"));
  EXPECT_THAT(assay("explain").out,
              AllOf(HasSubstr("\ngpu.busy_ratio "), HasSubstr("\nstratum "), HasSubstr("\nranks ")));
}

TEST_F(Explain, TakesTheExampleFromAResult) {
  prepare_inputs(std::filesystem::path(ASSAY_SOURCE_DIR) / "tests/golden/cases/three_reports", scratch_.path());
  ASSERT_EQ(assay("run config.toml --reports reports -o out --no-cache -q").exit, 0);
  // The middle one, from facts.csv.
  std::vector<double> values;
  std::istringstream facts(read_text(scratch_ / "out/facts.csv"));
  for (std::string row; std::getline(facts, row);) {
    const std::size_t at = row.find(",kernel.count,,1,");
    if (at != std::string::npos) values.push_back(std::stod(row.substr(at + 17)));
  }
  ASSERT_EQ(values.size(), 3U);
  std::sort(values.begin(), values.end());
  const Json explained = Json::parse(assay("explain kernel.count --result out --format json").out);
  EXPECT_EQ(std::stod(explained[0]["example"]["value"].get<std::string>()), values[1]);
  EXPECT_THAT(explained[0]["example"]["data"], HasSubstr("the middle one of 3 values"));
  const Outcome none = assay("explain ncu.occupancy_ratio --result out");
  EXPECT_EQ(none.exit, 2);
  EXPECT_THAT(none.err, HasSubstr("'out' has no value of ncu.occupancy_ratio"));
}

TEST_F(Explain, ThePageHasTheSameText) {
  OwnedMetric metric;
  metric.id = "gpu.busy_ratio";
  metric.title = "share of time the GPU is busy";
  metric.definition = "Busy time.";
  const MetricWords words({&metric, 1});
  EXPECT_THAT(words.in_html("<p>gpu.busy_ratio</p>"), HasSubstr("Busy time. " + notes::of_metric(metric.id)->is_not));
  EXPECT_THAT(assay("explain gpu.busy_ratio").out, HasSubstr(notes::of_metric(metric.id)->is_not));
  EXPECT_THAT(read_text(std::filesystem::path(ASSAY_SOURCE_DIR) / "docs/metrics.md"),
              HasSubstr(notes::of_metric(metric.id)->is_not));
}

}  // namespace
}  // namespace assay::testing
