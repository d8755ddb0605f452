#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <random>
#include <sstream>

#include "json_schema.hpp"
#include "render/format.hpp"
#include "render/outputs.hpp"
#include "render/text.hpp"
#include "sample_run.hpp"
#include "scratch_folder.hpp"

namespace assay::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

TEST(Exact, IntegralValuesHaveNeitherPointNorExponent) {
  EXPECT_EQ(exact(0), "0");
  EXPECT_EQ(exact(-0.0), "0");
  EXPECT_EQ(exact(16664228), "16664228");
  EXPECT_EQ(exact(1e15), "1000000000000000");
  EXPECT_EQ(exact(9007199254740992.0), "9007199254740992");
  EXPECT_EQ(exact(-3e9), "-3000000000");
  EXPECT_EQ(exact(0.1), "0.1");
  EXPECT_EQ(exact(0.37987588094710534), "0.37987588094710534");
}

TEST(Exact, EveryDoubleReadsBackExactly) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20000; ++i) {
    const auto value = std::bit_cast<double>(random());
    if (!std::isfinite(value)) continue;
    const std::string text = exact(value);
    double back = 0;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), back);
    ASSERT_EQ(end.ptr, text.data() + text.size()) << text;
    ASSERT_EQ(back, value) << text;
    const bool integral = value == std::trunc(value);
    ASSERT_TRUE(!integral || text.find_first_of(".e") == std::string::npos) << text;
  }
}

TEST(Quantity, ScalesToTheUnitAndKeepsThreeDigits) {
  EXPECT_EQ(quantity(16664228, "ns"), "16.7 ms");
  EXPECT_EQ(quantity(850, "ns"), "850 ns");
  EXPECT_EQ(quantity(-2500000000, "ns"), "-2.500 s");
  EXPECT_EQ(quantity(52.4e9, "bytes/s"), "52.4 GB/s");
  EXPECT_EQ(quantity(0.4312, "ratio"), "0.431");
  EXPECT_EQ(quantity(0.01234, "ratio"), "0.0123");
  EXPECT_EQ(quantity(1560, "1"), "1560");
  EXPECT_EQ(quantity(1.5, "us"), "1.500 us");
}

TEST(Effects, ValueAndIntervalShareOneUnit) {
  EXPECT_EQ(with_interval(effect(EffectKind::kLevel, "m", "ns", 1.2e6, 0.9e6, 1.5e6)), "1.200 [0.900, 1.500] ms");
  EXPECT_EQ(with_interval(effect(EffectKind::kRatio, "m", "ns", 0.998, 0.996, 1.0)), "0.998 [0.996, 1.000]");
  EXPECT_EQ(with_interval(effect(EffectKind::kLevel, "m", "ratio", 0.5, NAN, NAN)), "0.500 (no interval)");
  OwnedEffect corrected = effect(EffectKind::kRatio, "m", "1", 1, 1, 1);
  corrected.level = 1 - 0.05 / 7;
  EXPECT_EQ(effect_basis(corrected), "99.3 % interval, between-run, n = 12 runs");
}

TEST(Text, WrapsShortensAndEscapes) {
  EXPECT_THAT(wrapped("one two  three\nfour", 9), ElementsAre("one two", "three", "four"));
  EXPECT_EQ(display_width("μs"), 2U);
  EXPECT_EQ(shortened("a_rather_long_name.sqlite", 15), "a_rath...sqlite");
  EXPECT_EQ(shortened("μμμμμμμμμμ", 7), "μμ...μμ");
  EXPECT_EQ(one_line("red\x1b[31m\nx"), "red?[31m x");
  EXPECT_EQ(markdown("a|b <c> *d* [1, 2] [e](f)"), "a\\|b \\<c\\> \\*d\\* [1, 2] [e\\](f)");
}

TEST(FactsCsv, SortedQuotedWithUnitsAndCounts) {
  SampleRun sample;
  fill(sample);
  EXPECT_EQ(facts_csv(fact_rows(sample.run)),
            "report,metric,dims,unit,value,n\n"
            ",c.count,,1,2,1\n"
            "runs/one.sqlite,a.time_ns,,ns,16664228,3\n"
            "runs/one.sqlite,b.ratio,,ratio,0.1,1\n"
            "runs/one.sqlite,c.count,kind=x,1,3,1\n"
            "\"runs/two, second.sqlite\",a.time_ns,,ns,1000000000000000,1\n");
}

TEST(FactsCsv, QuestionsThatDisagreeAreKeptApartAndEqualOnesMerged) {
  SampleRun sample;
  sample.add_file("r");
  for (std::size_t q = 0; q < 3; ++q) {
    sample.add_question();
    sample.report(q, 0).facts = {{"a.time_ns", "zone=z;apple=1", q == 2 ? 5.0 : 4.0, {}}, {"b.ratio", "", 0.5, {}}};
    sample.result(q).study_facts = {{"c.count", "", 7, {}}};
  }
  sample.report(0, 0).facts[0].dims = sample.report(1, 0).facts[0].dims = sample.report(2, 0).facts[0].dims =
      "apple=1;zone=z";
  EXPECT_EQ(facts_csv(fact_rows(sample.run)),
            "report,metric,dims,unit,value,n\n"
            ",c.count,question=q0,1,7,1\n"
            ",c.count,question=q1,1,7,1\n"
            ",c.count,question=q2,1,7,1\n"
            "r,a.time_ns,apple=1;question=q0;zone=z,ns,4,1\n"
            "r,a.time_ns,apple=1;question=q1;zone=z,ns,4,1\n"
            "r,a.time_ns,apple=1;question=q2;zone=z,ns,5,1\n"
            "r,b.ratio,,ratio,0.5,1\n");
}

TEST(FactsCsv, EqualValuesOfDifferentSamplesAreNotTheSameFact) {
  SampleRun sample;
  sample.add_file("r");
  sample.add_question();
  sample.add_question();
  sample.report(0, 0).facts = {{"a.time_ns", "", 2, {1, 2, 3}}};
  sample.report(1, 0).facts = {{"a.time_ns", "", 2, {2, 2}}};
  EXPECT_EQ(fact_rows(sample.run).size(), 2U);
}

nlohmann::json schema() {
  return nlohmann::json::parse(read_text(std::filesystem::path(ASSAY_SOURCE_DIR) / "docs/findings.schema.json"));
}

TEST(FindingsJson, FitsItsSchema) {
  SampleRun sample;
  fill(sample);
  const auto json = nlohmann::json::parse(findings_json(sample.run));
  EXPECT_THAT(schema_violations(schema(), json), IsEmpty());
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
                                                                      {"/schema_version", 2},
                                                                      {"/questions/0/surprise", 1}};
  for (const auto& [where, value] : breaks) {
    nlohmann::json bad = good;
    bad[nlohmann::json::json_pointer(where)] = value;
    EXPECT_THAT(schema_violations(schema(), bad), Not(IsEmpty())) << where;
  }
  nlohmann::json bad = good;
  bad["questions"][0]["claims"][0].erase("source");
  EXPECT_THAT(schema_violations(schema(), bad), Not(IsEmpty()));
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
  for (const IssueRow& row : issue_rows(sample.run, 0)) names.push_back(row.report + ":" + row.issue.name);
  EXPECT_THAT(names, ElementsAre(":discovery", "broken.sqlite:unreadable", "runs/one.sqlite:file_name",
                                 "runs/two, second.sqlite:unlinked"));
}

TEST(ReportMd, AnswersFirstAndExplainsWhatWasLeftOut) {
  SampleRun sample;
  fill(sample);
  const std::string text = report_md(sample.run);
  EXPECT_THAT(text, StartsWith("# Question q0\n\nWhat does it cost?\n\n## Answer\n\n- **It costs 8 of 100** (depth=6)\n"
                               "  ratio of a.time_ns: 1.080 [1.050, 1.120]; 95 % interval, between-run, n = 12 runs; "
                               "bootstrap BCa.\n  Measured on two runs.\n"));
  EXPECT_THAT(text, HasSubstr("2 claims: 1 refuted, 1 untestable.\n"));
  EXPECT_THAT(text, HasSubstr("| refuted | cheap | it costs less than 1 in 100 | guide, p. 3 |"));
  EXPECT_THAT(text, HasSubstr("- 2 of 3 expected runs there, 1 missing, 1 lacking tables\n- missing: depth=12\n"));
  EXPECT_THAT(text, HasSubstr("| beta | failed: its constructor threw: no luck |"));
  EXPECT_THAT(text, HasSubstr("| high\\|er |  |"));
  EXPECT_THAT(text, HasSubstr("| a.time_ns | ns | Time of a, from start to end. | alpha |"));
  EXPECT_THAT(text, Not(HasSubstr("b.ratio |"))) << "a metric that nothing rests on needs no definition";
}

TEST(ReportMd, SaysOnceWhatAllStrataShare) {
  SampleRun sample;
  fill(sample);
  OwnedStratum stratum = sample.result(0).claims[0].strata[0];
  stratum.labels = {{"gpu", "0"}, {"depth", "6"}};
  OwnedStratum other = stratum;
  other.labels[1].second = "12";
  sample.result(0).claims[0].strata = {stratum, other};
  const std::string text = report_md(sample.run);
  EXPECT_THAT(
      text,
      HasSubstr(
          "### cheap: refuted\n\nit costs less than 1 in 100\n\nthe interval is outside\n\nIn all strata: gpu=0.\n"));
  EXPECT_THAT(text, HasSubstr("Intervals: 95 % interval, between-run; bootstrap BCa.\n"));
  EXPECT_THAT(text, HasSubstr("| depth=12 | refuted | 1.080 [1.050, 1.120] | 12 |\n"));
}

TEST(Summary, ManyStrataAreCountedByVerdictWithTheRangeOfTheirValues) {
  SampleRun sample;
  fill(sample);
  OwnedStratum stratum{{}, Verdict::kRefuted, "", effect(EffectKind::kLevel, "c.bytes_per_s", "bytes/s", 0, 1, 2), {}};
  std::vector<OwnedStratum>& strata = sample.result(0).claims[0].strata;
  strata.clear();
  for (int i = 0; i < 9; ++i) {
    stratum.labels = {{"depth", std::to_string(i)}};
    stratum.effect->value = 51e9 + 1e8 * i;
    stratum.verdict = i < 7 ? Verdict::kRefuted : Verdict::kInconclusive;
    strata.push_back(stratum);
  }
  std::ostringstream to;
  print_summary(sample.run, to, {.colour = false, .width = 100});
  EXPECT_THAT(to.str(), HasSubstr("                  refuted       7 of 9 strata, values 51.0 to 51.6 GB/s\n"
                                  "                  inconclusive  2 of 9 strata, values 51.7 to 51.8 GB/s\n"));
}

TEST(ReportMd, CutsLongTablesAndSaysWhereTheRestIs) {
  SampleRun sample;
  fill(sample);
  OwnedTable table{"alpha", "long_one", "A long one", {}};
  table.columns.push_back({"i", "", CellType::kInteger, {}, std::vector<std::int64_t>(41, 5), {}});
  sample.result(0).tables = {table};
  EXPECT_THAT(report_md(sample.run), HasSubstr("The first 40 of 41 rows; all of them stand in `results.sqlite`, table "
                                               "`table_cells`, name `long_one`."));
}

TEST(Summary, AnswersInTheFirstLinesAndKeepsTheWidth) {
  SampleRun sample;
  fill(sample);
  sample.result(0).findings[0].text =
      "words and more words that go on for a long while, until they must be broken into several "
      "lines to fit a narrow terminal";
  std::ostringstream to;
  print_summary(sample.run, to, {.colour = false, .width = 72});
  const std::string text = to.str();
  EXPECT_THAT(text, StartsWith("Question q0\n  What does it cost?\n\n  ANSWER\n    It costs 8 of 100\n"));
  EXPECT_THAT(text, HasSubstr("  CLAIMS  1 refuted, 1 untestable\n    refuted       cheap\n"));
  EXPECT_THAT(text,
              HasSubstr("ratio of a.time_ns:\n                  refuted       depth=6  1.080 [1.050, 1.120]  n=12\n"));
  EXPECT_THAT(text, HasSubstr("  REPORTS\n    2 of 3 expected runs there, 1 missing, 1 lacking tables\n"));
  EXPECT_THAT(text, HasSubstr("beta failed: its constructor threw: no luck"));
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(display_width(line), 72U) << line;
}

TEST(Summary, ColoursOnlyWhenAsked) {
  SampleRun sample;
  fill(sample);
  std::ostringstream to;
  print_summary(sample.run, to, {.colour = true, .width = 100});
  EXPECT_THAT(to.str(), HasSubstr("\x1b[31mrefuted     \x1b[0m"));
}

/// Runs a query on a database and gives its rows, cells joined by '|'.
std::vector<std::string> query(const std::filesystem::path& file, const char* sql) {
  sqlite3* db = nullptr;
  EXPECT_EQ(sqlite3_open_v2(file.c_str(), &db, SQLITE_OPEN_READONLY, nullptr), SQLITE_OK);
  std::vector<std::string> rows;
  const auto add = [](void* to, int columns, char** cells, char**) {
    std::string row;
    for (int i = 0; i < columns; ++i) row += (i == 0 ? "" : "|") + std::string(cells[i] == nullptr ? "NULL" : cells[i]);
    static_cast<std::vector<std::string>*>(to)->push_back(row);
    return 0;
  };
  char* error = nullptr;
  EXPECT_EQ(sqlite3_exec(db, sql, add, &rows, &error), SQLITE_OK) << (error == nullptr ? "" : error);
  sqlite3_free(error);
  sqlite3_close(db);
  return rows;
}

TEST(ResultsSqlite, HoldsWhatTheOtherFilesHold) {
  SampleRun sample;
  fill(sample);
  const ScratchFolder scratch;
  ASSERT_TRUE(write_outputs(sample.run, scratch / "out"));
  const auto db = scratch / "out/results.sqlite";
  EXPECT_THAT(query(db, "SELECT report, status FROM reports ORDER BY 1"),
              ElementsAre("runs/one.sqlite|read", "runs/two, second.sqlite|lacking"));
  EXPECT_THAT(query(db, "SELECT label, value, origin FROM labels"), ElementsAre("depth|6|name"));
  EXPECT_THAT(query(db, "SELECT count(*) FROM facts"), ElementsAre("5"));
  EXPECT_THAT(
      query(db, "SELECT s.value FROM samples s JOIN facts f USING (fact) WHERE metric = 'a.time_ns' ORDER BY position"),
      ElementsAre("16664227.0", "16664228.0", "16664229.0"));
  EXPECT_THAT(
      query(db, "SELECT role, json_extract(labels, '$.depth'), lo, hi, n, scope FROM findings ORDER BY finding"),
      ElementsAre("answer|6|1.05|1.12|12|between-run", "evidence|NULL|NULL|NULL|12|between-run",
                  "note|NULL|NULL|NULL|NULL|NULL"));
  EXPECT_THAT(
      query(db,
            "SELECT c.claim, c.verdict, s.verdict, s.value FROM claims c LEFT JOIN strata s USING (claim) ORDER BY 1"),
      ElementsAre("cheap|refuted|refuted|1.08", "deep|untestable|NULL|NULL"));
  EXPECT_THAT(query(db, "SELECT finding, report, value FROM evidence"), ElementsAre("1|runs/one.sqlite|16664228.0"));
  EXPECT_THAT(query(db, "SELECT name, count FROM issues"), ElementsAre("unlinked|7"));
  EXPECT_THAT(query(db, "SELECT row, name, value FROM table_cells ORDER BY row, position"),
              ElementsAre("0|level|low", "0|busy|0.123456", "1|level|high|er", "1|busy|NULL"));
  EXPECT_THAT(query(db, "SELECT name FROM files ORDER BY 1"),
              ElementsAre("facts.csv", "findings.json", "report.md", "results.sqlite"));
  EXPECT_THAT(query(db, "PRAGMA integrity_check"), ElementsAre("ok"));
}

TEST(WriteOutputs, SameRunSameBytes) {
  SampleRun sample;
  fill(sample);
  const ScratchFolder scratch;
  ASSERT_TRUE(write_outputs(sample.run, scratch / "a"));
  ASSERT_TRUE(write_outputs(sample.run, scratch / "b"));
  ASSERT_THAT(files_below(scratch / "a"), ElementsAre("facts.csv", "findings.json", "report.md", "results.sqlite"));
  for (const std::string& name : files_below(scratch / "a")) {
    EXPECT_EQ(read_text(scratch / "a" / name), read_text(scratch / "b" / name)) << name;
  }
}

TEST(WriteOutputs, AFileInThePlaceOfTheFolderIsLeftAlone) {
  SampleRun sample;
  fill(sample);
  const ScratchFolder scratch;
  write_text(scratch / "out", "mine");
  const auto written = write_outputs(sample.run, scratch / "out");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().exit, Exit::kFailed);
  EXPECT_THAT(written.error().sentence, HasSubstr("is a file and not a folder"));
  EXPECT_EQ(read_text(scratch / "out"), "mine");
}

TEST(WriteOutputs, AFolderInThePlaceOfAFileLeavesThePreviousOutputWhole) {
  SampleRun sample;
  fill(sample);
  const ScratchFolder scratch;
  ASSERT_TRUE(write_outputs(sample.run, scratch / "out"));
  std::filesystem::remove(scratch / "out/report.md");
  std::filesystem::create_directory(scratch / "out/report.md");
  const std::string facts = read_text(scratch / "out/facts.csv");
  sample.report(0, 0).facts.clear();
  const auto written = write_outputs(sample.run, scratch / "out");
  ASSERT_FALSE(written);
  EXPECT_THAT(written.error().sentence, HasSubstr("is a folder where a file belongs"));
  EXPECT_EQ(read_text(scratch / "out/facts.csv"), facts);
  EXPECT_THAT(files_below(scratch / "out"), ElementsAre("facts.csv", "findings.json", "results.sqlite"))
      << "nothing unfinished stays";
}

TEST(WriteOutputs, CheckingTheFolderLeavesNothingBehind) {
  const ScratchFolder scratch;
  EXPECT_TRUE(check_output_folder(scratch / "new"));
  EXPECT_FALSE(std::filesystem::exists(scratch / "new"));
  std::filesystem::create_directory(scratch / "old");
  EXPECT_TRUE(check_output_folder(scratch / "old"));
  EXPECT_TRUE(std::filesystem::is_empty(scratch / "old"));
}

/// The table from which the layout's own example is printed.
OwnedTable seed_table() {
  const std::vector<std::pair<std::string, double>> values = {
      {"scope_named", 1},
      {"window_start_ns", 1000000},
      {"window_end_ns", 2000000},
      {"copy.d2h.count", 1},
      {"copy.d2h.bytes", 602112},
      {"copy.d2h.time_ns", 28000},
      {"copy.d2h.bandwidth_mib_per_s", 602112 / 28e-6 / 1048576},
      {"copy.d2h.mean_ns", 28000},
      {"copy.d2h.min_ns", 28000},
      {"copy.d2h.max_ns", 28000},
      {"copy.other_8.count", 2},
      {"copy.other_8.bytes", 2097152},
      {"copy.other_8.time_ns", 2e6},
      {"copy.other_8.bandwidth_mib_per_s", 1000},
      {"copy.other_8.mean_ns", 1e6},
      {"copy.other_8.min_ns", 1e6},
      {"copy.other_8.max_ns", 1e6},
      {"compute.kernels", 6},
      {"compute.time_ns", 700000},
      {"compute.mean_ns", 116666.666},
      {"compute.min_ns", 100000},
      {"compute.max_ns", 200000},
      {"compute.timeline_ns", 725000},
      {"compute.utilization", 0.965},
      {"temporal.timeline_ns", 725000},
      {"temporal.sequential_ns", 784450},
      {"temporal.saved_ns", 59450},
      {"temporal.compression_ratio", 1.082},
      {"temporal.operations", 10},
      {"temporal.streams", 4},
      {"temporal.average_stream_utilization", 0.869}};
  OwnedTable table{"run_summary",
                   "seed_text",
                   "",
                   {{"key", "", CellType::kText, {}, {}, {}}, {"value", "", CellType::kNumber, {}, {}, {}}}};
  for (const auto& [key, value] : values) {
    table.columns[0].texts.push_back(key);
    table.columns[1].numbers.push_back(value);
  }
  return table;
}

TEST(SeedText, FollowsThePublishedLayout) {
  SampleRun sample;
  sample.add_file("rq1/gpu0_numa0_vit32x6x384.sqlite");
  Question& question = sample.add_question();
  question.seed_text = true;
  question.window.nvtx = "test_double_buffer";
  question.labels.labels.clear();
  for (const char* name : {"gpu", "patch", "depth", "dim"}) question.labels.labels.push_back(label(name));
  sample.entry(0, 0).labels = {{0, "0", 0, LabelOrigin::kName},
                               {1, "32", 32, LabelOrigin::kName},
                               {2, "6", 6, LabelOrigin::kName},
                               {3, "384", 384, LabelOrigin::kName}};
  sample.report(0, 0).tables = {seed_table()};
  sample.report(0, 0).facts = {{"gpu.kernel_busy_ratio", "", 0.7, {}}};
  const auto texts = seed_texts(sample.run);
  ASSERT_EQ(texts.size(), 1U);
  EXPECT_EQ(texts[0].first, "reports/rq1/gpu0_numa0_vit32x6x384_performance_analysis.txt");
  const std::string rule20 = std::string(20, '-') + "\n", rule30 = std::string(30, '-') + "\n";
  EXPECT_EQ(
      texts[0].second,
      "CUPTI Performance Analysis - Configuration: gpu0_numa0_vit32x6x384\n" + std::string(80, '=') + "\n" +
          "CONFIGURATION\n" + rule20 +
          "GPU ID: 0\nNUMA Node: unknown\nTest Type: ViT Pipeline\nViT Patch Size: 32\nViT Depth: 6\nViT Dimension: "
          "384\n\n"
          "ANALYSIS SCOPE\n" +
          rule20 +
          "Scope: test_double_buffer period only\nTime range: 1000000 - 2000000 ns\nDuration: 1.00 ms\n\n"
          "MEMORY TRANSFER PERFORMANCE\n" +
          rule30 +
          "Device-to-Host (D2H) Transfers:\n  Count: 1\n  Total bytes: 0.57 MB\n  Total time: 0.03 ms (28.00 μs)\n"
          "  Average bandwidth: 20507.81 MB/s\n  Average duration: 28.00 μs\n  Duration range: 28.00 - 28.00 μs\n\n"
          "Other 8 Transfers:\n  Count: 2\n  Total bytes: 2.00 MB\n  Total time: 2.00 ms\n"
          "  Average bandwidth: 1000.00 MB/s\n  Average duration: 1000.00 μs\n  Duration range: 1000.00 - 1000.00 "
          "μs\n\n"
          "COMPUTE PERFORMANCE\n" +
          rule20 +
          "Total kernels: 6\nTotal compute time: 0.70 ms (700.00 μs)\nAverage kernel duration: 0.12 ms (116.67 μs)\n"
          "Kernel duration range: 0.10 - 0.20 ms (100.00 - 200.00 μs)\nCompute timeline: 0.72 ms (725.00 μs)\n"
          "Compute utilization: 0.965 (96.5%)\n\n"
          "TEMPORAL COMPRESSION ANALYSIS\n" +
          rule30 +
          "Timeline duration: 0.72 ms (725.00 μs)\nTotal operation time (sequential): 0.78 ms (784.45 μs)\n"
          "Time saved through overlapping: 0.06 ms (59.45 μs)\nTemporal compression ratio: 1.082 (108.2%)\n"
          "Total operations: 10\nActive streams: 4\nAverage stream utilization: 0.869 (86.9%)\n\n"
          "CORRECTED\n" +
          rule20 +
          "Kernel busy: 0.700 (70.0% of the window)\n"
          "  Union of kernel and graph-launch time over the window; compute utilization above adds up overlapping "
          "kernels, "
          "leaves graph launches out and divides by first start to last end.\n\n");
}

TEST(SeedText, AReportWithoutTablesGetsTheErrorForm) {
  SampleRun sample;
  sample.add_file("x.sqlite");
  sample.add_question().seed_text = true;
  const auto texts = seed_texts(sample.run);
  ASSERT_EQ(texts.size(), 1U);
  EXPECT_EQ(texts[0].first, "reports/x_performance_analysis.txt");
  EXPECT_EQ(texts[0].second,
            "Analysis Error - Configuration: x\n" + std::string(50, '=') + "\nError: Missing required CUPTI tables\n");
}

TEST(SeedText, FilesThatShareAStemKeepTheirOwnText) {
  SampleRun sample;
  sample.add_file("x.db");
  sample.add_file("x.sqlite");
  sample.add_question().seed_text = true;
  sample.report(0, 1).tables = {seed_table()};
  const auto texts = seed_texts(sample.run);
  ASSERT_EQ(texts.size(), 2U);
  EXPECT_EQ(texts[0].first, "reports/x.sqlite_performance_analysis.txt");
  EXPECT_EQ(texts[1].first, "reports/x_performance_analysis.txt");
}

TEST(WriteOutputs, TextsOfAnEarlierRunGoAndForeignFilesStay) {
  SampleRun sample;
  sample.add_file("old/x.sqlite");
  Question& question = sample.add_question();
  question.seed_text = true;
  const ScratchFolder scratch;
  ASSERT_TRUE(write_outputs(sample.run, scratch / "out"));
  ASSERT_TRUE(std::filesystem::exists(scratch / "out/reports/old/x_performance_analysis.txt"));
  write_text(scratch / "out/reports/mine_performance_analysis.txt", "mine");
  question.seed_text = false;
  ASSERT_TRUE(write_outputs(sample.run, scratch / "out"));
  EXPECT_THAT(files_below(scratch / "out"), ElementsAre("facts.csv", "findings.json", "report.md",
                                                        "reports/mine_performance_analysis.txt", "results.sqlite"));
  EXPECT_FALSE(std::filesystem::exists(scratch / "out/reports/old"))
      << "an empty folder of the earlier run goes with its files";
}

}  // namespace
}  // namespace assay::testing
