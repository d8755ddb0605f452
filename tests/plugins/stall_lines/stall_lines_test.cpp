// Lines with most stalls and what changed between two reports, on reports whose slow lines are known (lines.py).
// Numbers are those of Python over the source page that ncu printed: samples without stall_selected, by readelf's line
// table.
#include "support/program.hpp"
#include "support/real_data.hpp"
#include "support/test.hpp"

namespace assay::stall_lines_test {

using testing::Outcome;
using testing::run_assay;

Outcome look(const std::filesystem::path& report) {
  return run_assay(report.parent_path(), {"look", "--json", report.filename().string()});
}

TEST(StallLines, NamesTheSlowLineOfEachKernel) {
  ASSAY_REAL_FILE(report, "lines", "lines/before.ncu-rep");
  const Outcome page = look(*report);
  ASSERT_EQ(page.exit, 0) << page.err;
  EXPECT_TRUE(contains(page.out, "\"headline\": \"Counters of 3 kernel launches"));
  EXPECT_TRUE(
      contains(page.out,
               "lines.py:12 `v = tl.load(x + r * m + c, mask=r < n, other=0.0)`: 60 % of the samples (34 % mio "
               "throttle, 13 % lg throttle, 12 % long scoreboard; waits for LDG at lines.py:12); accesses 8 times "
               "the sectors it needs (33.6 M for 4.19 M)"));
  EXPECT_TRUE(contains(
      page.out, "lines.py:13 `acc += v`: 25 % of the samples (25 % long scoreboard; waits for LDG at lines.py:12)"));
  EXPECT_TRUE(contains(page.out, "Where gelu_before stalls (bound by compute, 62 % of the roof)"));
  EXPECT_TRUE(
      contains(page.out, "lines.py:49 `tl.atomic_add(y + v % K, 1, mask=i < n)`: 99 % of the samples (56 % membar"));
}

TEST(StallLines, NamesInstructionsWhereTheCodeHasNoLines) {
  ASSAY_REAL_FILE(report, "ops", "ops_full.ncu-rep");
  const Outcome page = look(*report);
  ASSERT_EQ(page.exit, 0) << page.err;
  EXPECT_TRUE(contains(page.out, "FFMA at +0x"));
  EXPECT_TRUE(contains(page.out, "instructions stand where no line is known"));
}

/// Rows of a table in JSON, without blanks and line ends.
std::string dense(std::string text) {
  std::erase_if(text, [](char c) { return c == '\n' || c == ' '; });
  return text;
}

TEST(StallLines, ComparesTwoVersionsLineByLine) {
  ASSAY_REAL_FILE(folder, "lines", "lines");
  const Outcome compared = run_assay(*folder, {"compare", "--json", "before.ncu-rep", "after.ncu-rep"});
  ASSERT_EQ(compared.exit, 0) << compared.err;
  EXPECT_TRUE(contains(compared.out,
                       "\"headline\": \"column_sum_before -> column_sum_after 4.4x slower, gelu_before -> gelu_after "
                       "1.98x faster and histogram 1.36x slower\""));
  EXPECT_TRUE(contains(compared.out, "sectors 33.6 M -> 4.19 M, samples 21318 -> 23621"));
  const std::string rows = dense(compared.out);
  for (const char* row :
       {R"~(["worse","lines.py:13->23","acc+=v","5,319","21,857","0","0"])~",
        R"~(["gone","lines.py:12","v=tl.load(x+r*m+...","12,703","","33,554,432",""])~",
        R"~(["better","lines.py:32->41","e=tl.exp(2*t)","3,290","161","0","0"])~",
        R"~(["worse","lines.py:49","tl.atomic_add(y+v%K,...","9,114","11,997","131,072","4,069,703"])~"})
    EXPECT_TRUE(contains(rows, row)) << row;
}

TEST(StallLines, FindsNoChangeInAReportComparedWithItself) {
  ASSAY_REAL_FILE(report, "lines", "lines/before.ncu-rep");
  const TempFolder folder;
  std::filesystem::copy_file(*report, folder / "again.ncu-rep");
  const Outcome compared =
      run_assay(folder.path(), {"compare", "--json", report->string(), (folder / "again.ncu-rep").string()});
  ASSERT_EQ(compared.exit, 0) << compared.err;
  EXPECT_TRUE(contains(compared.out, "\"same\""));
  for (const char* change : {"\"better\"", "\"worse\"", "\"gone\"", "\"new\""})
    EXPECT_FALSE(contains(compared.out, change)) << change;
}

TEST(StallLines, SaysWhatComparisonsOfOtherCountersNeed) {
  ASSAY_REAL_FILE(folder, "lines", "lines");
  const Outcome compared = run_assay(*folder, {"compare", "before.raw.csv", "after.raw.csv"});
  EXPECT_NE(compared.exit, 0);
  EXPECT_TRUE(contains(compared.err, "no profile has counters of instructions"));
}

}  // namespace assay::stall_lines_test
