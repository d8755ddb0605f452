// Names of recorded runs in paths.
#include "catalog/recorded_run.hpp"

#include <gtest/gtest.h>

namespace assay::recorded_run_test {

TEST(RecordedRun, IsWhatFollowsTheFolderOfABlock) {
  EXPECT_EQ(block_name(3), "block_003");
  const auto twin = recorded_run("out/nsys_reports/block_003/aa/run_a.sqlite");
  ASSERT_TRUE(twin);
  EXPECT_EQ(twin->block, "block_003");
  EXPECT_EQ(twin->below, "aa/run_a.sqlite");
  EXPECT_EQ(recorded_run(block_name(1234) + "/x")->block, "block_1234");
  for (const char* other : {"block_003", "block_/x", "block_size=4/x", "my_block_003/x", "", "a/b"})
    EXPECT_FALSE(recorded_run(other)) << other;
}

TEST(RecordedRun, LiesBelowTheReportsOfItsRecording) {
  EXPECT_EQ(recorded_reports("/r/q/nsys_reports/block_001/aa/run_a.sqlite"), "/r/q/nsys_reports");
  EXPECT_EQ(recorded_reports("/r/q/block_001/run_a.sqlite"), "");
  EXPECT_EQ(recorded_reports("/r/nsys_reports"), "") << "a file of that name";
}

}  // namespace assay::recorded_run_test
