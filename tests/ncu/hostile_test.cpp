// Files that are damaged, or meant to do harm: one sentence each, and no crash.
#include "ncu_files.hpp"
#include "support/check.hpp"
#include "support/temp_folder.hpp"

namespace assay::hostile_test {

class NcuHostile : public ::testing::Test {
 protected:
  NcuReport read(const std::string& text) { return NcuReport(folder_.write("run.csv", text)); }
  TempFolder folder_;
};

TEST_F(NcuHostile, AQuoteThatNeverClosesCostsItsRowAlone) {
  const NcuReport r = read(details_header() + details_row("Duration", "us", "1") + "\"1\",\"4711\",\"app\n" +
                           details_row("Duration", "us", "2", {.id = "2"}));
  ASSERT_TRUE(r.ok()) << r.problem();
  EXPECT_EQ(r->profiled->rows, 2U);
  EXPECT_EQ(r.issue("ncu_broken_rows"), 1);
  EXPECT_TRUE(contains(r.issue_text("ncu_broken_rows"), "line 3"));
}

TEST_F(NcuHostile, CutOffAnywhere) {
  const std::string whole = details_header() + details_row("Duration", "us", "1") +
                            details_row("Elapsed Cycles", "cycle", "1,234", {.id = "1"});
  std::size_t read_well = 0;
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const NcuReport r = read(whole.substr(0, size));
    EXPECT_TRUE(r.ok() || r.problem().find("it holds no kernel") != std::string::npos) << r.problem();
    EXPECT_TRUE(!r.ok() || r->profiled->rows <= 2);
    read_well += r.ok() ? 1U : 0U;
  }
  EXPECT_GT(read_well, 100U);
  EXPECT_EQ(read(whole.substr(0, whole.size() - 30)).issue("ncu_cut_off"), 1);
}

TEST_F(NcuHostile, NulBytes) {
  std::string nul = details_row("Duration", "us", "2", {.id = "1"});
  nul[nul.find("add_kernel")] = '\0';
  const NcuReport r = read(details_header() + details_row("Duration", "us", "1") + nul);
  ASSERT_TRUE(r.ok());
  EXPECT_EQ(r->profiled->rows, 1U);
  EXPECT_EQ(r.issue("ncu_broken_rows"), 1);
  EXPECT_FALSE(read(std::string(100000, '\0')).ok());
}

TEST_F(NcuHostile, AMillionColumns) {
  std::string header = "\"ID\",\"Kernel Name\"", row = "\"0\",\"k\"";
  for (int i = 0; i < 1000000; ++i) {
    header += ",\"m\"";
    row += ",\"1\"";
  }
  const NcuReport r = read(header + "\n" + row + "\n");
  ASSERT_TRUE(r.ok()) << r.problem();
  EXPECT_EQ(r->profiled->rows, 1U);
  EXPECT_EQ(r->counters->rows, 1U) << "one name, one value";
}

TEST_F(NcuHostile, ARowWithoutEnd) {
  const std::string sentence = "row of more than 16 MiB";
  EXPECT_TRUE(contains(read(details_header() + std::string(18U << 20, 'x')).problem(), sentence));
  std::string lines = details_header() + "\"0\",\"";
  while (lines.size() < (18U << 20)) lines += "a line of a cell that never ends\n";
  EXPECT_TRUE(contains(read(lines).problem(), sentence));
}

TEST_F(NcuHostile, NoHeaderNoRowsEmptyAndUtf16) {
  EXPECT_TRUE(contains(read("").problem(), "expected the header of `ncu --csv`"));
  EXPECT_TRUE(contains(read("\"a\",\"b\"\n\"1\",\"2\"\n").problem(), "expected the header"));
  EXPECT_TRUE(contains(read(details_header()).problem(), "profile again"));
  EXPECT_TRUE(contains(read(std::string("\xFF\xFE\"\0I\0D\0\"\0", 10)).problem(), "UTF-16"));
  EXPECT_TRUE(contains(NcuReport(folder_ / "gone.csv").problem(), "cannot be read"));
}

TEST_F(NcuHostile, RowsOfOtherLengthsAndNumbersOutOfRange) {
  const NcuReport r =
      read(details_header() + "\"0\",\"1\"\n" + "\"x\",\"1\",\"2\"\n" + details_row("Duration", "us", "1e400") +
           details_row("Duration", "us", "2", {.grid = "(9999999999, 1, 1)"}) +
           details_row("Elapsed Cycles", "cycle", "5", {.id = "99999999999999999999"}) +
           details_row("SM", "%", "5", {.id = "3", .block = "(-1, 1, 1)", .grid = "1, 1, 1"}));
  ASSERT_TRUE(r.ok());
  EXPECT_EQ(r.issue("ncu_bad_rows"), 3);
  EXPECT_TRUE(contains(r.issue_text("ncu_bad_rows"), "line 2"));
  EXPECT_EQ(r->profiled->rows, 2U);
  EXPECT_EQ(r->counters->rows, 2U);
  EXPECT_EQ(r->profiled->block_x[1], kNone);
  EXPECT_EQ(r->profiled->grid_x[1], kNone);
}

TEST_F(NcuHostile, EveryByteFlipped) {
  const std::string whole = details_header() + details_row("Duration", "us", "1");
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const char flip : {'\x01', '\x20', '\x7f'}) {
      std::string changed = whole;
      changed[at] = static_cast<char>(changed[at] ^ flip);
      const NcuReport r = read(changed);
      EXPECT_TRUE(r.ok() || !r.problem().empty());
    }
  }
}

TEST_F(NcuHostile, ConflictingValuesAreTold) {
  const NcuReport r = read(details_header() + details_row("Duration", "us", "1") +
                           details_row("Duration", "ns", "1,000") + details_row("Duration", "us", "3"));
  ASSERT_TRUE(r.ok());
  EXPECT_EQ(r.counter(0, "Duration"), "1000 ns");
  EXPECT_EQ(r->counters->rows, 1U);
  EXPECT_EQ(r.issue("ncu_conflict"), 1);
}

}  // namespace assay::hostile_test
