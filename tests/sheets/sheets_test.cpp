#include "assay/sheets.hpp"

#include "assay/testing/study_builder.hpp"
#include "conclude/study_tables.hpp"
#include "config/question_of.hpp"
#include "discover/discover.hpp"
#include "sheets/sheets.hpp"
#include "support/test.hpp"

namespace assay::sheets_test {

constexpr std::string_view kQuestion = R"([question]
id = "q"
[reports]
folder = "tokens"
[labels]
px = { type = "int", default = 224 }
[[sheet]]
id = "sweep"
files = ["sweep*.csv"]
patterns = ["sweep_{px}", "sweep"]
[[sheet]]
id = "runs"
files = ["results.json"]
[analyzers.run_summary]
)";

/// A folder with one report, which discovery asks for, and what a test adds.
class SheetFiles : public ::testing::Test {
 protected:
  void SetUp() override { folder_.write("tokens/a.sqlite", "damaged, and a report all the same"); }

  Sheets read(std::string_view text = kQuestion) {
    const Question question = question_of(text);
    const std::filesystem::path folders[] = {folder_.path()};
    catalog_ = discover({question}, folders).value();
    return read_sheets(question, catalog_, catalog_.questions[0]);
  }

  TempFolder folder_;
  Catalog catalog_;
};

TEST_F(SheetFiles, AreFoundBesideTheReportsWithTheLabelsOfTheirNames) {
  folder_.write("tokens/sweep.csv", "batch,tp\n1,2.5\n");
  folder_.write("tokens/sweep_448.csv", "batch,tp\n");
  folder_.write("tokens/results.json", R"([{"name": "a"}])");
  folder_.write("elsewhere/sweep.csv", "batch,tp\n1,2.5\n");
  const Sheets sheets = read();
  EXPECT_TRUE(is_empty(sheets.problems));
  ASSERT_EQ(sheets.read.size(), 4U) << "three, and that of what runners wrote";

  const SheetColumns columns(sheets.read);
  testing::StudyBuilder labels;
  labels.label("px", testing::StudyBuilder::kNumeric);
  Study study = labels.build();
  columns.show_in(study);
  const std::vector<Sheet> sweeps = sheets_of(study, "sweep");
  ASSERT_EQ(sweeps.size(), 2U);
  EXPECT_EQ(sweeps[0].path(), "tokens/sweep.csv");
  EXPECT_EQ(sweeps[0].label_text("px"), "224");
  EXPECT_EQ(sweeps[1].label_text("px"), "448");
  EXPECT_EQ(sweeps[1].rows(), 0U);
  const auto tp = sweeps[0].column("tp");
  ASSERT_TRUE(tp);
  EXPECT_EQ(sweeps[0].number(0, *tp), 2.5);
  EXPECT_EQ(sweeps[0].column("latency"), std::nullopt);
  const Sheet runs = sheets_of(study, "runs").at(0);
  EXPECT_EQ(runs.text(0, 0), "a");
  const Sheet runner = sheets_of(study, "runner").at(0);
  ASSERT_EQ(runner.rows(), 1U);
  EXPECT_EQ(runner.text(0, *runner.column("report")), "tokens/a.sqlite");
  EXPECT_EQ(runner.text(0, *runner.column("source")), "tokens/results.json");
  EXPECT_EQ(runner.number(0, *runner.column("process_s")), std::nullopt);
  EXPECT_EQ(runs.number(0, 0), std::nullopt);
  EXPECT_TRUE(is_empty(sheets_of(study, "unknown")));
}

TEST_F(SheetFiles, RenamesTheColumnOfTimes) {
  std::string timed(kQuestion);
  timed.replace(timed.find("patterns = [\"sweep"), 0, "time = \"when\"\n");
  folder_.write("tokens/sweep.csv", "when,tp\n7,2.5\n");
  const Sheets sheets = read(timed);
  EXPECT_TRUE(is_empty(sheets.problems));
  const auto sweep = std::ranges::find(sheets.read, "sweep", &OwnedSheet::id);
  ASSERT_NE(sweep, sheets.read.end());
  EXPECT_EQ(sweep->table.columns[0].name, "time");
  EXPECT_EQ(sweep->table.columns[0].cells[0].text, "7");
  for (const char* other : {"at,tp\n7,2.5\n", "when,time\n7,2.5\n"}) {
    folder_.write("tokens/sweep.csv", other);
    const Sheets refused = read(timed);
    ASSERT_EQ(refused.problems.size(), 1U) << other;
    EXPECT_EQ(std::ranges::find(refused.read, "sweep", &OwnedSheet::id), refused.read.end()) << other;
  }
}

// A run that failed before it wrote a report is a run all the same.
TEST_F(SheetFiles, RunsWithoutAReportStandInTheRunnersSheetToo) {
  folder_.write("tokens/results.json", R"([{"name": "a", "elapsed_s": 2}, {"name": "gone", "exit_code": 1}])");
  const Sheets sheets = read();
  const auto runner = std::ranges::find_if(sheets.read, [](const auto& s) { return s.id == "runner"; });
  ASSERT_NE(runner, sheets.read.end());
  ASSERT_EQ(runner->table.rows, 2U);
  const auto cell = [&](std::size_t column, std::size_t row) { return runner->table.columns[column].cells[row].text; };
  EXPECT_EQ(cell(0, 0), "tokens/a.sqlite");
  EXPECT_EQ(cell(0, 1), "");
  EXPECT_EQ(cell(1, 1), "gone");
  EXPECT_NE(cell(7, 1), "");
}

TEST_F(SheetFiles, AreReportedIfUnreadableAndOthersKept) {
  folder_.write("tokens/sweep.csv", "");
  folder_.write("tokens/sweep_448.csv", "a,b\n1,2,3\n4,5\n");
  folder_.write("tokens/sweep_big.csv", "a\n1\n");
  folder_.write("tokens/results.json", "{");
  const Sheets sheets = read();
  ASSERT_EQ(sheets.read.size(), 2U);
  std::vector<std::string> told;
  for (const SheetProblem& problem : sheets.problems) told.push_back(problem.path + ": " + problem.sentence);
  EXPECT_TRUE(each_contains(
      told, {"sweep.csv: This file is empty", "sweep_448.csv: Of this file row 1 has 3 cells",
             "sweep_big.csv: The name has the undeclared suffix", "results.json: This file is not JSON"}));
}

TEST_F(SheetFiles, AreNotedIfMissing) {
  read();
  EXPECT_TRUE(
      each_contains(catalog_.questions[0].notes, {"No file of the sheet 'sweep'", "No file of the sheet 'runs'"}));
}

}  // namespace assay::sheets_test
