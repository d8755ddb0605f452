// --json: one document on standard output whatever happens, valid by the schema that `assay schema` prints.
#include <nlohmann/json.hpp>

#include "golden/golden_case.hpp"
#include "golden/json_schema.hpp"
#include "support/test.hpp"

namespace assay::testing::documents_test {

using Json = nlohmann::json;

class Documents : public ::testing::Test {
 protected:
  Documents() { prepare_inputs(fs::path(ASSAY_SOURCE_DIR) / "tests/golden/cases/three_reports", scratch_.path()); }

  Outcome assay(const std::string& arguments) { return run_assay(scratch_.path(), split_command(arguments)); }

  /// The document, which is valid by the schema of its command and tells the exit code of the process.
  Json document(const std::string& arguments, int exit = 0) {
    const Outcome outcome = assay(arguments + " --json");
    EXPECT_EQ(outcome.exit, exit) << arguments << "\n" << outcome.err;
    const Json made = Json::parse(outcome.out, nullptr, false);
    EXPECT_FALSE(made.is_discarded()) << arguments << "\n" << outcome.out;
    if (made.is_discarded()) return {};
    const std::string command = arguments.substr(0, arguments.find(' '));
    const Json schema = Json::parse(assay("schema " + command).out);
    EXPECT_TRUE(is_empty(schema_violations(schema, made))) << arguments;
    EXPECT_EQ(made["exit"], outcome.exit) << arguments;
    asked_.insert(command);
    return made;
  }

  TempFolder scratch_;
  std::set<std::string> asked_;
};

TEST_F(Documents, AreValidForEveryCommand) {
  const Json run = document("run config.toml --reports reports -o out --no-cache");
  EXPECT_EQ(run["schema"], "assay.run");
  EXPECT_EQ(run["result"]["findings"], Json::parse(read_text(scratch_ / "out/findings.json")));
  EXPECT_EQ(document("show out")["result"], run["result"]["findings"]);

  const Json list = document("list reports");
  ASSERT_EQ(list["result"].size(), 3U);
  EXPECT_EQ(list["result"][0]["kind"], "nsys");
  EXPECT_EQ(document("list reports --config config.toml")["result"][0]["labels"]["small"]["depth"], "1");

  const std::string one = "reports/runs/vit1.sqlite", two = "reports/runs/vit3.sqlite";
  const Json rows = document("query " + one + " 'SELECT count(*) AS n FROM kernels'");
  EXPECT_EQ(rows["result"][0]["n"], list["result"][0]["rows"]["kernels"]);
  EXPECT_EQ(document("query out 'SELECT 1 AS a, NULL AS b'")["result"], Json::parse(R"([{"a": 1, "b": null}])"));

  const Json stats = document("stats " + one + " --report cuda_gpu_kern_sum,cuda_api_sum");
  ASSERT_EQ(stats["result"].size(), 2U);
  EXPECT_TRUE(contains(stats["result"][0]["table"].get<std::string>(), "cuda_gpu_kern_sum"));
  EXPECT_FALSE(stats["result"][0]["rows"].empty());
  EXPECT_EQ(document("stats reports --report cuda_gpu_kern_sum")["result"].size(), 3U);

  EXPECT_FALSE(document("look " + one)["result"]["parts"].empty());
  EXPECT_EQ(document("init reports -o made.toml")["result"]["written"], "made.toml");
  const Json plan = document("plan config.toml --reports reports");
  EXPECT_EQ(plan["result"]["questions"][0]["id"], "small");
  EXPECT_EQ(plan["result"]["questions"][0]["reports"]["found"], 3);
  EXPECT_TRUE(document("plan config.toml")["result"]["questions"][0]["reports"].is_null());
  const Json compared = document("compare " + one + " " + two)["result"];
  EXPECT_FALSE(compared["headline"].get<std::string>().empty());
  EXPECT_TRUE(compared["pages"].empty()) << "one pair is one page";
  document("compare out out");
  document("whatif " + one, assay("whatif " + one).exit);
  document("budget " + one, assay("budget " + one).exit);
  document("history out");
  document("check run_summary");
  document("bench run_summary -n 1");
  document("describe run_summary");
  document("plugins");
  document("doctor");
  EXPECT_EQ(document("describe gpu.busy_ratio")["result"][0]["name"], "gpu.busy_ratio");
  document("run config.toml --reports reports -o parts --shard 1/1 --no-cache");
  document("merge parts -o merged");

  // No command with --json is left out above.
  std::istringstream lines(assay("schema").out);
  std::set<std::string> commands;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("'assay ") != std::string::npos) commands.insert(line.substr(0, line.find(' ')));
  }
  EXPECT_EQ(commands, asked_);
}

TEST_F(Documents, SayErrorsWithPlaceAndRemedy) {
  write_text(scratch_ / "q.toml", "[question]\nid = \"q\"\n[analyzers.run_sumary]\n");
  const Json made = document("run q.toml --reports reports", 2);
  EXPECT_EQ(made["schema"], "assay.error");
  EXPECT_TRUE(made["result"].is_null());
  ASSERT_EQ(made["errors"].size(), 1U);
  const Json& error = made["errors"][0];
  EXPECT_EQ(error["code"], "usage");
  EXPECT_TRUE(starts_with(error["place"].get<std::string>(), "q.toml:3:"));
  EXPECT_TRUE(contains(error["remedy"].get<std::string>(), "'run_summary'?"));
  EXPECT_EQ(document("look nowhere", 2)["errors"][0]["place"], "nowhere");
  EXPECT_TRUE(size_is(document("query reports/runs/vit1.sqlite 'SELECT x FROM kernels'", 2)["errors"], 1));
}

TEST_F(Documents, AreWrittenForBadUsage) {
  for (const char* wrong : {"query", "look", "list . --no-such-option", "query . --format csv", "describe no_such"}) {
    const Json made = document(wrong, 2);
    EXPECT_EQ(made["schema"], "assay.error") << wrong;
    EXPECT_FALSE(made["errors"].empty()) << wrong;
  }
  EXPECT_EQ(assay("timeline x --json").exit, 2) << "a command without documents says so";
  const Json unknown = Json::parse(assay("frobnicate --json").out);
  EXPECT_EQ(unknown["errors"][0]["place"], "frobnicate");
}

TEST_F(Documents, ContainAnswerAndErrorIfAGateFails) {
  write_text(scratch_ / "q.toml", read_text(scratch_ / "config.toml") +
                                      "[analyzers.claim_verdicts]\n[[claim]]\nid = \"many\"\ntext = \"t\"\nmetric = "
                                      "\"kernel.count\"\nexact = true\nbetween = [100000, inf]\n");
  const Json made = document("run q.toml --reports reports -o out --no-cache --gate", 1);
  EXPECT_EQ(made["schema"], "assay.run");
  EXPECT_EQ(made["errors"][0]["code"], "refuted");
  EXPECT_EQ(made["result"]["findings"]["questions"][0]["claims"][0]["verdict"], "refuted");
}

TEST_F(Documents, KeepHostileNamesInside) {
  fs::create_directories(scratch_ / "odd");
  fs::copy_file(scratch_ / "reports/runs/vit1.sqlite", scratch_ / "odd/a\"\n\x1b[31m\xff.sqlite");
  const Json made = document("list odd");
  EXPECT_EQ(made["result"].size(), 1U);
}

TEST_F(Documents, QueryEndsAfterMostRowsAndSaysSo) {
  const std::string query = "query reports/runs/vit1.sqlite 'SELECT 1 AS a UNION ALL SELECT 2'";
  const Json all = document(query), some = document(query + " --max-rows 1");
  ASSERT_GT(all["result"].size(), 1U);
  EXPECT_TRUE(all["errors"].empty());
  EXPECT_EQ(some["result"].size(), 1U);
  EXPECT_EQ(some["errors"][0]["code"], "ok");
  EXPECT_TRUE(contains(some["errors"][0]["message"].get<std::string>(), "more than 1 row"));
}

TEST_F(Documents, AQuestionIsCheckedByTheSchemaOfConfigurations) {
  // Keys that the program knows, by the schema; the second implementation checks whole files (second_schemas.py).
  const Json schema = Json::parse(assay("schema config").out);
  const Json& options = schema["properties"]["analyzers"]["properties"];
  std::istringstream rows(assay("describe label_effect --format csv").out);
  std::size_t seen = 0;
  for (std::string row; std::getline(rows, row);) {
    if (!row.starts_with("label_effect,option,")) continue;
    const std::string name = row.substr(20, row.find(',', 20) - 20);
    EXPECT_TRUE(options["label_effect"]["properties"].contains(name)) << name;
    ++seen;
  }
  EXPECT_EQ(seen + 1, options["label_effect"]["properties"].size()) << "all options, and `from`";
  EXPECT_TRUE(schema["properties"]["claim"]["items"]["properties"].contains("between"));
  EXPECT_TRUE(contains(assay("schema confg").err, "'config'?"));
}

}  // namespace assay::testing::documents_test
