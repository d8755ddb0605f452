#include "assay/algo/cells.hpp"

#include "assay/testing/study_builder.hpp"
#include "assay/words.hpp"
#include "support/test.hpp"

namespace assay::unit_cells_test {

using testing::StudyBuilder;

class CellsTest : public ::testing::Test {
 protected:
  CellsTest() {
    study.label("dim", StudyBuilder::kNumeric).label("batch", StudyBuilder::kNumeric).rank_label("rank");
    study.report("a", {{"dim", "8"}, {"batch", "1"}});
    study.report("b", {{"dim", "8"}, {"batch", "1"}});
    study.report("c/0", {{"dim", "8"}, {"batch", "2"}, {"rank", "0"}});
    study.report("c/1", {{"dim", "8"}, {"batch", "2"}, {"rank", "1"}});
    study.report("d", {{"dim", "16"}, {"batch", "1"}});
    study.report("lied", {{"dim", "16"}, {"batch", "1"}}).doubted("a doubt");
    study.report("nameless");
    study.noise_report("noise", {{"dim", "8"}, {"batch", "1"}});
  }
  StudyBuilder study;
};

TEST_F(CellsTest, EqualLabelsAreOneCellAndAJobIsOneRun) {
  const StudyView view(study.build());
  const Cells cells = cells_of(view, {});
  ASSERT_EQ(cells.cells.size(), 3U);
  EXPECT_TRUE(equals(cells.cells[0].runs.reports(), {study.row("a"), study.row("b")}));
  EXPECT_TRUE(equals(cells.cells[1].runs.reports(), {study.row("c/0"), study.row("c/1")}));
  EXPECT_EQ(labels_text(cells.cells[2].labels), "dim=16 batch=1");
  ASSERT_EQ(cells.left_out.size(), 2U);
  EXPECT_EQ(cells.left_out[0].reason, "a doubt");
  EXPECT_TRUE(contains(cells.left_out[1].reason, "gives it no label"));
}

TEST_F(CellsTest, ConditionsSelectRunsAndWhatIsNotBelievedAmongThem) {
  const StudyView view(study.build());
  const std::string texts[] = {"dim=16|32", "batch=1"};
  const std::vector<Str> where(std::begin(texts), std::end(texts));
  const Cells cells = cells_of(view, conditions_of(where));
  ASSERT_EQ(cells.cells.size(), 1U);
  EXPECT_TRUE(equals(cells.cells[0].runs.reports(), {study.row("d")}));
  ASSERT_EQ(cells.left_out.size(), 1U);
  EXPECT_EQ(cells.left_out[0].report, study.row("lied"));
}

TEST_F(CellsTest, ByNamedLabelsRunsThatDifferInAnotherAreKeptApart) {
  const StudyView view(study.build());
  const std::vector<std::string> per = {"dim"};
  const Cells cells = cells_of(view, {}, per, {});
  ASSERT_EQ(cells.cells.size(), 3U);
  EXPECT_EQ(labels_text(cells.cells[0].labels), "dim=8 batch=1");
  EXPECT_EQ(cells.cells[0].runs.size(), 2U) << "a and b";
  EXPECT_EQ(cells.cells[0].apart, "the nearest differs in batch (2, not 1)");
  EXPECT_EQ(labels_text(cells.cells[1].labels), "dim=8 batch=2");
  EXPECT_EQ(labels_text(cells.cells[2].labels), "dim=16 batch=1");
  EXPECT_EQ(cells.cells[2].apart, "") << "no other cell has its dim";
  EXPECT_EQ(cells.left_out.size(), 2U);
}

TEST_F(CellsTest, PutsAVaryingLabelIntoOneCell) {
  const StudyView view(study.build());
  const std::vector<std::string> per = {"dim"}, varies = {"batch"};
  const Cells cells = cells_of(view, {}, per, varies);
  ASSERT_EQ(cells.cells.size(), 2U);
  EXPECT_EQ(as_runs(view, cells.cells[0].runs).size(), 3U) << "a, b and the job c";
  EXPECT_EQ(labels_text(cells.cells[1].labels), "dim=16");
}

TEST(Cells, WithoutDeclaredLabelsEveryRunIsItsOwn) {
  StudyBuilder study;
  study.report("a");
  study.report("b");
  const StudyView view(study.build());
  EXPECT_EQ(cells_of(view, {}).cells.size(), 2U);
}

}  // namespace assay::unit_cells_test
