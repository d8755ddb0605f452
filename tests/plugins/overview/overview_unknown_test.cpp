// Runs of which something is not known: no kernels, no history, no analyzer that looks.
#include "plugins/analyzers.hpp"
#include "support/test.hpp"

namespace assay::overview_unknown_test {

using under_test::overview::concluded;

using namespace testing;

TEST(Overview, AHistoryOfAllocationsIsSummedUpByWhatItHolds) {
  StudyBuilder s;
  s.report("a.pickle", {}).attribute("memory.answer", "Memory peaks at 2.5 GB").fact("memory.peak_bytes", 2.5e9);
  const Recorder r = concluded(s.build(), {});
  EXPECT_EQ(r.findings.front().title, "Memory peaks at 2.5 GB");
  EXPECT_EQ(r.table_of("runs")->column("limited by")->texts.at(0), "memory only");
  EXPECT_TRUE(r.table_of("to_try")->column("try")->texts.empty()) << "that kernels are missing is no defect of it";
}

TEST(Overview, AFolderOfSnapshotsShowsBytes) {
  StudyBuilder s;
  s.report("a", {}).attribute("memory.answer", "x").fact("memory.peak_bytes", 3e9).fact("memory.in_use_bytes", 1e9);
  s.report("b", {}).attribute("memory.answer", "x").fact("memory.in_use_bytes", 2e9);
  const Recorder r = concluded(s.build(), {});
  EXPECT_EQ(r.findings.front().title,
            "2 profiles: all memory only; memory peaks at 3.000 GB; the peak of 1 is not known");
  EXPECT_EQ(r.table_of("runs")->column("memory peak")->numbers.at(0), 3e9);
  EXPECT_TRUE(std::isnan(r.table_of("runs")->column("memory peak")->numbers.at(1)));
  EXPECT_EQ(r.table_of("runs")->column("in use at the end")->numbers.at(1), 2e9);
  for (const char* column : {"GPU busy", "duration", "kernels"}) EXPECT_EQ(r.table_of("runs")->column(column), nullptr);
}

TEST(Overview, SaysNothingOfKernelsThatNoAnalyzerCounts) {
  StudyBuilder s;
  s.report("r", {}).fact("energy.joules", 40);
  const Recorder r = concluded(s.build(), {});
  EXPECT_FALSE(contains(r.findings.front().title + r.findings.front().text, "no kernels"));
  EXPECT_EQ(r.table_of("to_try")->column("try")->texts.at(0), "add [analyzers.run_summary] to the question");
}

TEST(Overview, ShowsUnrecordedValuesAsUnknown) {
  StudyBuilder s;
  s.report("unknown", {});
  s.report("noise", {}).noise().fact("kernel.count", 1);
  const Recorder unknown = concluded(s.build(), {});
  EXPECT_EQ(unknown.findings.front().title, "GPU use is unknown: no GPU work was recorded");
  StudyBuilder t;
  t.report("idle", {}).fact("kernel.count", 0).fact("gpu.busy_ratio", 0);
  EXPECT_EQ(concluded(t.build(), {}).findings.front().title, "Nothing ran on a GPU in this capture");
}

}  // namespace assay::overview_unknown_test
