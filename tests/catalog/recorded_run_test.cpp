// Names of recorded runs in paths.
#include "catalog/recorded_run.hpp"

#include "support/temp_folder.hpp"
#include "support/test.hpp"

namespace assay::recorded_run_test {

TEST(RecordedRun, IsWhatFollowsTheFolderOfABlock) {
  EXPECT_EQ(block_name(3), "block_003");
  const auto twin = recorded_run("out/profiles/block_003/aa/run_a.sqlite");
  ASSERT_TRUE(twin);
  EXPECT_EQ(twin->block, "block_003");
  EXPECT_EQ(twin->below, "aa/run_a.sqlite");
  EXPECT_EQ(recorded_run(block_name(1234) + "/x")->block, "block_1234");
  for (const char* other : {"block_003", "block_/x", "block_size=4/x", "my_block_003/x", "", "a/b"})
    EXPECT_FALSE(recorded_run(other)) << other;
}

TEST(RecordedRun, LiesBelowTheReportsOfItsRecording) {
  const TempFolder home;
  const auto reports = home / "q" / kRecordedReports;
  EXPECT_EQ(recorded_reports(reports / "block_001/aa/run_a.sqlite"), "") << "no journal";
  home.write("q/journal.jsonl", "");
  EXPECT_EQ(recorded_reports(reports / "block_001/aa/run_a.sqlite"), reports);
  EXPECT_EQ(recorded_reports(reports / "run_a.sqlite"), "") << "in no block";
}

}  // namespace assay::recorded_run_test
