#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include "render/outputs.hpp"
#include "results/write_outputs.hpp"
#include "sample_run.hpp"
#include "scratch_folder.hpp"

namespace assay::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

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
              ElementsAre("facts.csv", "findings.json", "report.html", "report.md", "results.sqlite"));
  EXPECT_THAT(query(db, "PRAGMA integrity_check"), ElementsAre("ok"));
}

TEST(WriteOutputs, SameRunSameBytes) {
  SampleRun sample;
  fill(sample);
  const ScratchFolder scratch;
  ASSERT_TRUE(write_outputs(sample.run, scratch / "a"));
  ASSERT_TRUE(write_outputs(sample.run, scratch / "b"));
  ASSERT_THAT(files_below(scratch / "a"),
              ElementsAre("facts.csv", "findings.json", "report.html", "report.md", "results.sqlite"));
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
  EXPECT_THAT(files_below(scratch / "out"), ElementsAre("facts.csv", "findings.json", "report.html", "results.sqlite"))
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

TEST(WriteOutputs, AFolderThatAssayDidNotWriteIsLeftAloneUnlessForced) {
  SampleRun sample;
  fill(sample);
  const ScratchFolder scratch;
  write_text(scratch / "out/report.md", "my own report");
  for (const Status& refused :
       {check_output_folder(scratch / "out"), Status(write_outputs(sample.run, scratch / "out").error())}) {
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().exit, Exit::kUsage);
    EXPECT_THAT(refused.error().sentence, HasSubstr("holds files that assay did not write ('report.md')"));
  }
  EXPECT_EQ(read_text(scratch / "out/report.md"), "my own report");
  EXPECT_TRUE(check_output_folder(scratch / "out", true));
  EXPECT_TRUE(write_outputs(sample.run, scratch / "out", true));
  EXPECT_NE(read_text(scratch / "out/report.md"), "my own report");
}

TEST(WriteOutputs, TheManifestIsTheTableOfFilesOfAnyVersion) {
  SampleRun sample;
  fill(sample);
  const ScratchFolder scratch;
  ASSERT_TRUE(write_outputs(sample.run, scratch / "out"));
  EXPECT_TRUE(check_output_folder(scratch / "out"));
  write_text(scratch / "out/results.sqlite", "not a database");
  EXPECT_FALSE(check_output_folder(scratch / "out")) << "whose files these are is not known";
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
  EXPECT_THAT(files_below(scratch / "out"), ElementsAre("facts.csv", "findings.json", "report.html", "report.md",
                                                        "reports/mine_performance_analysis.txt", "results.sqlite"));
  EXPECT_FALSE(std::filesystem::exists(scratch / "out/reports/old"))
      << "an empty folder of the earlier run goes with its files";
}

}  // namespace
}  // namespace assay::testing
