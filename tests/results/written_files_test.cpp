#include <sqlite3.h>

#include "render/outputs.hpp"
#include "render/sample_run.hpp"
#include "results/write_outputs.hpp"
#include "support/test.hpp"

namespace assay::testing::written_files_test {

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
  const TempFolder scratch;
  ASSERT_TRUE(write_outputs(sample.run, scratch / "out"));
  const auto db = scratch / "out/results.sqlite";
  EXPECT_TRUE(equals(query(db, "SELECT report, status FROM reports ORDER BY 1"),
                     {"runs/one.sqlite|read", "runs/two, second.sqlite|lacking"}));
  EXPECT_TRUE(equals(query(db, "SELECT label, value, origin FROM labels"), {"depth|6|name"}));
  EXPECT_TRUE(equals(query(db, "SELECT count(*) FROM facts"), {"5"}));
  EXPECT_TRUE(equals(
      query(db, "SELECT s.value FROM samples s JOIN facts f USING (fact) WHERE metric = 'a.time_ns' ORDER BY position"),
      {"16664227.0", "16664228.0", "16664229.0"}));
  EXPECT_TRUE(
      equals(query(db, "SELECT role, json_extract(labels, '$.depth'), lo, hi, n, scope FROM findings ORDER BY finding"),
             {"answer|6|1.05|1.12|12|between-run", "evidence|NULL|NULL|NULL|12|between-run",
              "note|NULL|NULL|NULL|NULL|NULL"}));
  EXPECT_TRUE(equals(
      query(db,
            "SELECT c.claim, c.verdict, s.verdict, s.value FROM claims c LEFT JOIN strata s USING (claim) ORDER BY 1"),
      {"cheap|refuted|refuted|1.08", "deep|untestable|NULL|NULL"}));
  EXPECT_TRUE(equals(query(db, "SELECT finding, report, value FROM evidence"), {"1|runs/one.sqlite|16664228.0"}));
  EXPECT_TRUE(equals(query(db, "SELECT name, count FROM issues"), {"unlinked|7"}));
  EXPECT_TRUE(equals(query(db, "SELECT row, name, value FROM table_cells ORDER BY row, position"),
                     {"0|level|low", "0|busy|0.123456", "1|level|high|er", "1|busy|NULL"}));
  EXPECT_TRUE(equals(
      query(db, "SELECT name FROM files ORDER BY 1"),
      {"facts.csv", "facts_wide.csv", "findings.json", "report.html", "report.md", "results.sqlite", "summary.md"}));
  EXPECT_TRUE(equals(query(db, "PRAGMA integrity_check"), {"ok"}));
}

TEST(ResultsSqlite, HasViewsWithLabelsAsColumnsAndSaysWhatMadeIt) {
  SampleRun sample;
  fill(sample);
  sample.first_question().note = "Read the labels with care.";
  sample.first_question().sources = {{"R", "reproduction guide"}};
  sample.first_question().labels.labels[0].type = LabelType::kInteger;
  sample.first_question().labels.labels.push_back(label("Value"));  // as a column is called, in another case
  sample.entry(0, 0).labels.push_back({1, "it's", 0, LabelOrigin::kName});
  const TempFolder scratch;
  ASSERT_TRUE(write_outputs(sample.run, scratch / "out"));
  const auto db = scratch / "out/results.sqlite";
  EXPECT_TRUE(equals(
      query(db,
            "SELECT report, depth, typeof(depth), label_Value, metric, dims, unit, value FROM facts_labelled "
            "ORDER BY report, metric"),
      {"runs/one.sqlite|6|integer|it's|a.time_ns||ns|16664228.0", "runs/one.sqlite|6|integer|it's|b.ratio||ratio|0.1",
       "runs/one.sqlite|6|integer|it's|c.count|kind=x|1|3.0",
       "runs/two, second.sqlite|NULL|null|NULL|a.time_ns||ns|1.0e+15"}));
  EXPECT_TRUE(
      equals(query(db, "SELECT question, report, depth, \"a.time_ns\", \"b.ratio\" FROM facts_wide ORDER BY report"),
             {"q0|runs/one.sqlite|6|16664228.0|0.1", "q0|runs/two, second.sqlite|NULL|1.0e+15|NULL"}));
  EXPECT_TRUE(equals(query(db, "SELECT item, name FROM meta ORDER BY item, name"),
                     {"assay|version", "question|q0", "results|schema_version"}));
  EXPECT_TRUE(equals(query(db, "SELECT note, source, s.text FROM questions JOIN sources s USING (question)"),
                     {"Read the labels with care.|R|reproduction guide"}));
}

TEST(ResultsSqlite, AFactThatQuestionsDisagreeOnIsThatOfItsQuestionInTheViews) {
  SampleRun sample;
  sample.add_file("x.sqlite");
  sample.add_question();
  sample.add_question();
  sample.report(0, 0).facts = {{"b.ratio", "", 0.1, {}}};
  sample.report(1, 0).facts = {{"b.ratio", "", 0.2, {}}};
  const TempFolder scratch;
  ASSERT_TRUE(write_outputs(sample.run, scratch / "out"));
  for (const char* sql : {"SELECT question, \"b.ratio\" FROM facts_wide ORDER BY 1",
                          "SELECT question, value FROM facts_labelled ORDER BY 1"})
    EXPECT_TRUE(equals(query(scratch / "out/results.sqlite", sql), {"q0|0.1", "q1|0.2"})) << sql;
}

TEST(WriteOutputs, SameRunSameBytes) {
  SampleRun sample;
  fill(sample);
  const TempFolder scratch;
  ASSERT_TRUE(write_outputs(sample.run, scratch / "a"));
  ASSERT_TRUE(write_outputs(sample.run, scratch / "b"));
  ASSERT_TRUE(equals(files_below(scratch / "a"), {"facts.csv", "facts_wide.csv", "findings.json", "report.html",
                                                  "report.md", "results.sqlite", "summary.md"}));
  for (const std::string& name : files_below(scratch / "a")) {
    EXPECT_EQ(read_text(scratch / "a" / name), read_text(scratch / "b" / name)) << name;
  }
}

TEST(WriteOutputs, AnInterruptLeavesNothing) {
  SampleRun sample;
  fill(sample);
  const TempFolder scratch;
  const std::atomic<bool> stop{true};
  const auto written = write_outputs(sample.run, scratch / "out", false, {.stop = &stop});
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().exit, Exit::kInterrupted);
  EXPECT_TRUE(files_below(scratch.path()).empty());
}

TEST(WriteOutputs, AFileInThePlaceOfTheFolderIsLeftAlone) {
  SampleRun sample;
  fill(sample);
  const TempFolder scratch;
  write_text(scratch / "out", "mine");
  const auto written = write_outputs(sample.run, scratch / "out");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().exit, Exit::kFailed);
  EXPECT_TRUE(contains(written.error().sentence, "is a file and not a folder"));
  EXPECT_EQ(read_text(scratch / "out"), "mine");
}

TEST(WriteOutputs, AFolderInThePlaceOfAFileLeavesThePreviousOutputWhole) {
  SampleRun sample;
  fill(sample);
  const TempFolder scratch;
  ASSERT_TRUE(write_outputs(sample.run, scratch / "out"));
  std::filesystem::remove(scratch / "out/report.md");
  std::filesystem::create_directory(scratch / "out/report.md");
  const std::string facts = read_text(scratch / "out/facts.csv");
  sample.report(0, 0).facts.clear();
  const auto written = write_outputs(sample.run, scratch / "out");
  ASSERT_FALSE(written);
  EXPECT_TRUE(contains(written.error().sentence, "is a folder where a file belongs"));
  EXPECT_EQ(read_text(scratch / "out/facts.csv"), facts);
  EXPECT_TRUE(equals(files_below(scratch / "out"),
                     {"facts.csv", "facts_wide.csv", "findings.json", "report.html", "results.sqlite", "summary.md"}))
      << "nothing unfinished stays";
}

TEST(WriteOutputs, CheckingTheFolderLeavesNothingBehind) {
  const TempFolder scratch;
  EXPECT_TRUE(check_output_folder(scratch / "new"));
  EXPECT_FALSE(std::filesystem::exists(scratch / "new"));
  std::filesystem::create_directory(scratch / "old");
  EXPECT_TRUE(check_output_folder(scratch / "old"));
  EXPECT_TRUE(std::filesystem::is_empty(scratch / "old"));
}

TEST(WriteOutputs, AFolderThatAssayDidNotWriteIsLeftAloneUnlessForced) {
  SampleRun sample;
  fill(sample);
  const TempFolder scratch;
  write_text(scratch / "out/report.md", "my own report");
  for (const Status& refused :
       {check_output_folder(scratch / "out"), Status(write_outputs(sample.run, scratch / "out").error())}) {
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().exit, Exit::kUsage);
    EXPECT_TRUE(contains(refused.error().sentence, "('report.md')"));
  }
  EXPECT_EQ(read_text(scratch / "out/report.md"), "my own report");
  EXPECT_TRUE(check_output_folder(scratch / "out", true));
  EXPECT_TRUE(write_outputs(sample.run, scratch / "out", true));
  EXPECT_NE(read_text(scratch / "out/report.md"), "my own report");
}

TEST(WriteOutputs, ACommandMayReplaceItsOwnAnswersAlone) {
  SampleRun sample;
  fill(sample);
  const TempFolder scratch;
  const auto checked = [&](const std::vector<Question>& questions, bool force = false) {
    return check_output_folder(scratch / "out", force, questions);
  };
  Question same = *sample.run.plan->questions[0].question, other = same;
  other.id = "compare";
  EXPECT_TRUE(checked({other})) << "nothing is there";
  ASSERT_TRUE(write_outputs(sample.run, scratch / "out"));
  std::vector<Question> all;
  for (const PlannedQuestion& planned : sample.run.plan->questions) all.push_back(*planned.question);
  for (Question& question : all) question.analyzers.clear();
  EXPECT_TRUE(checked(all));
  const Status refused = checked({other});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().exit, Exit::kUsage);
  EXPECT_TRUE(checked({other}, true));
  all.front().analyzers = {{"result_delta", {}, {}}};
  EXPECT_FALSE(checked(all)) << "of this question, but by another analyzer";
}

TEST(WriteOutputs, TheManifestIsTheTableOfFilesOfAnyVersion) {
  SampleRun sample;
  fill(sample);
  const TempFolder scratch;
  ASSERT_TRUE(write_outputs(sample.run, scratch / "out"));
  EXPECT_TRUE(check_output_folder(scratch / "out"));
  write_text(scratch / "out/results.sqlite", "not a database");
  EXPECT_FALSE(check_output_folder(scratch / "out")) << "whose files these are is not known";
}

TEST(TextFiles, StandBelowTheNameOfTheirReportWithoutExtension) {
  SampleRun sample;
  sample.add_file("deep/x.sqlite");
  sample.add_question();
  sample.run.questions[0].text_files = {{"a", "deep/x.sqlite", "_b.txt", "two"}, {"a", "deep/x.sqlite", "-a", "one"}};
  EXPECT_TRUE(equals(text_files(sample.run), {{"reports/deep/x-a", "one"}, {"reports/deep/x_b.txt", "two"}}));
}

TEST(TextFiles, ThoseThatWouldShareANameGetALongerOne) {
  SampleRun sample;
  sample.add_file("x.db");
  sample.add_file("x.sqlite");
  sample.add_question();
  sample.run.questions[0].text_files = {
      {"a", "x.db", ".txt", "1"}, {"a", "x.sqlite", ".txt", "2"}, {"b", "x.sqlite", ".txt", "3"}};
  const std::string question = sample.run.plan->questions[0].question->id;
  EXPECT_TRUE(
      equals(text_files(sample.run),
             {{"reports/x.sqlite." + question + ".txt", "3"}, {"reports/x.sqlite.txt", "2"}, {"reports/x.txt", "1"}}));
  sample.run.questions[0].text_files = {{"a", "x.db", ".txt", "same"}, {"a", "x.sqlite", ".txt", "same"}};
  EXPECT_TRUE(equals(text_files(sample.run), {{"reports/x.txt", "same"}}));
}

TEST(WriteOutputs, TextsOfAnEarlierRunGoAndForeignFilesStay) {
  SampleRun sample;
  sample.add_file("old/x.sqlite");
  sample.add_question();
  sample.run.questions[0].text_files = {{"a", "old/x.sqlite", "_performance_analysis.txt", "text"}};
  const TempFolder scratch;
  ASSERT_TRUE(write_outputs(sample.run, scratch / "out"));
  ASSERT_TRUE(std::filesystem::exists(scratch / "out/reports/old/x_performance_analysis.txt"));
  write_text(scratch / "out/reports/mine_performance_analysis.txt", "mine");
  sample.run.questions[0].text_files.clear();
  ASSERT_TRUE(write_outputs(sample.run, scratch / "out"));
  EXPECT_TRUE(
      equals(files_below(scratch / "out"), {"facts.csv", "facts_wide.csv", "findings.json", "report.html", "report.md",
                                            "reports/mine_performance_analysis.txt", "results.sqlite", "summary.md"}));
  EXPECT_FALSE(std::filesystem::exists(scratch / "out/reports/old"))
      << "an empty folder of the earlier run goes with its files";
}

}  // namespace assay::testing::written_files_test
