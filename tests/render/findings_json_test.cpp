// findings.json: its schema, its values and the order of its keys.
#include "golden/json_schema.hpp"
#include "render/left_out.hpp"
#include "render/outputs.hpp"
#include "sample_run.hpp"
#include "support/test.hpp"

namespace assay::testing::findings_json_test {

nlohmann::json schema() {
  return nlohmann::json::parse(read_text(std::filesystem::path(ASSAY_SOURCE_DIR) / "docs/findings.schema.json"));
}

TEST(FindingsJson, FitsItsSchema) {
  SampleRun sample;
  fill(sample);
  const auto json = nlohmann::json::parse(findings_json(sample.run));
  EXPECT_TRUE(is_empty(schema_violations(schema(), json)));
}

TEST(FindingsJson, TheSchemaRejectsWhatTheContractDoesNotKnow) {
  SampleRun sample;
  fill(sample);
  const auto good = nlohmann::json::parse(findings_json(sample.run));
  const std::vector<std::pair<const char*, nlohmann::json>> breaks = {{"/questions/0/claims/0/verdict", "probably"},
                                                                      {"/questions/0/findings/0/ci", {1.0}},
                                                                      {"/questions/0/findings/0/effect/level", 1.5},
                                                                      {"/questions/0/completeness/missing", "none"},
                                                                      {"/questions/0/findings/0/effect/scope", nullptr},
                                                                      {"/questions/0/issues/0/count", -1},
                                                                      {"/schema_version", 1},
                                                                      {"/questions/0/surprise", 1}};
  for (const auto& [where, value] : breaks) {
    nlohmann::json bad = good;
    bad[nlohmann::json::json_pointer(where)] = value;
    EXPECT_FALSE(is_empty(schema_violations(schema(), bad))) << where;
  }
  nlohmann::json bad = good;
  bad["questions"][0]["claims"][0].erase("source");
  EXPECT_FALSE(is_empty(schema_violations(schema(), bad)));
}

TEST(FindingsJson, HoldsTheContractsValues) {
  SampleRun sample;
  fill(sample);
  const auto q = nlohmann::json::parse(findings_json(sample.run))["questions"][0];
  EXPECT_EQ(q["question"], "q0");
  EXPECT_EQ(q["findings"][0]["ci"], nlohmann::json::parse("[1.05, 1.12]"));
  EXPECT_EQ(q["findings"][0]["effect"]["ci"], q["findings"][0]["ci"]);
  EXPECT_EQ(q["findings"][0]["n"], 12);
  EXPECT_EQ(q["findings"][1]["ci"], nullptr) << "no interval is null, not NaN";
  EXPECT_EQ(q["findings"][2]["effect"], nullptr);
  EXPECT_EQ(q["claims"][0]["strata"][0]["labels"]["depth"], "6");
  EXPECT_EQ(q["completeness"]["missing"], nlohmann::json::parse(R"(["depth=12"])"));
  EXPECT_EQ(q["issues"].size(), 1U);
  EXPECT_EQ(q["skipped"][1]["analyzer"], "beta");
}

TEST(FindingsJson, HoldsWhatAClaimSaysSoThatItsVerdictCanBeChecked) {
  SampleRun sample;
  fill(sample);
  OwnedClaim& said = sample.result(0).claims[0];
  said.claimed = ClaimedRange{"a.time_ns", "1", EffectKind::kRatio, -INFINITY, 1.01};
  said.keys = {{"compare", {"ratio"}}, {"where", {"depth=6", "px=224"}}};
  said.strata[0].effect->hi = INFINITY;
  const auto all = nlohmann::json::parse(findings_json(sample.run));
  const auto claim = all["questions"][0]["claims"][0];
  EXPECT_EQ(claim["claimed"],
            nlohmann::json::parse(R"({"metric": "a.time_ns", "kind": "ratio", "unit": "1", "between": [null, 1.01]})"));
  EXPECT_EQ(claim["keys"], nlohmann::json::parse(R"({"compare": "ratio", "where": ["depth=6", "px=224"]})"));
  EXPECT_EQ(claim["strata"][0]["effect"]["ci"], nlohmann::json::parse("[1.05, null]")) << "an open end is null";
  EXPECT_TRUE(is_empty(schema_violations(schema(), all)));
}

TEST(FindingsJson, SaysWhatTheReportsWereMadeWith) {
  SampleRun sample;
  fill(sample);
  sample.first_question().note = "With care.";
  sample.first_question().sources = {{"R", "reproduction guide"}};
  sample.report(0, 0).attributes = {{"device", "GPU A"}, {"recorded", "2025-08-04 16:29:32"}};
  sample.report(0, 1).attributes = {{"recorded", "2025-08-03 10:00:00"}};
  const auto all = nlohmann::json::parse(findings_json(sample.run));
  const auto q = all["questions"][0];
  EXPECT_EQ(q["note"], "With care.");
  EXPECT_EQ(q["sources"], nlohmann::json::parse(R"({"R": "reproduction guide"})"));
  EXPECT_EQ(q["provenance"], nlohmann::json::parse(R"({"reports": 2, "dated": 2, "first": "2025-08-03 10:00:00",
      "last": "2025-08-04 16:29:32", "made_with": [{"name": "device", "value": "GPU A", "reports": 1},
                                                   {"name": "device", "value": null, "reports": 1},
                                                   {"name": "clock", "value": null, "reports": 2},
                                                   {"name": "driver", "value": null, "reports": 2},
                                                   {"name": "cuda", "value": null, "reports": 2},
                                                   {"name": "profiler", "value": null, "reports": 2}]})"));
  EXPECT_TRUE(is_empty(schema_violations(schema(), all)));
  EXPECT_EQ(made_with_line(sample.run.question(0)),
            "device GPU A (1 profile), not known (1 profile); clock not known; driver not known; CUDA not known; "
            "profiler not "
            "known");
}

TEST(FindingsJson, KeysStandInTheOrderOfTheContract) {
  SampleRun sample;
  fill(sample);
  const std::string text = findings_json(sample.run);
  std::size_t at = 0;
  for (const char* key : {"\"schema_version\"", "\"questions\"", "\"question\"", "\"completeness\"", "\"claims\"",
                          "\"findings\"", "\"skipped\"", "\"issues\""}) {
    const std::size_t next = text.find(key, at);
    ASSERT_NE(next, std::string::npos) << key;
    at = next;
  }
}

TEST(FindingsJson, IssuesIncludeNamesThatDoNotParseAndFilesThatCannotBeRead) {
  SampleRun sample;
  fill(sample);
  sample.entry(0, 0).name_problems = {"the suffix '_fast' is not declared"};
  sample.add_file("broken.sqlite");
  sample.catalog.files.back().problem = "the file is empty";
  sample.result(0).completeness.unreadable = {"broken.sqlite"};
  sample.catalog.questions[0].notes = {"the noise folder 'x' was not found"};
  std::vector<std::string> names;
  for (const IssueRow& row : issue_rows(sample.run.question(0))) names.push_back(row.report + ":" + row.issue.name);
  EXPECT_TRUE(equals(names, {":discovery", "broken.sqlite:unreadable", "runs/one.sqlite:file_name",
                             "runs/two, second.sqlite:unlinked"}));
}

}  // namespace assay::testing::findings_json_test
