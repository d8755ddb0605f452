// Times that no clock shows: of what is kept, the difference of any two fits 64 bits, and so do all durations together.
#include "load/made_export.hpp"
#include "support/test.hpp"

namespace assay::times_test {

constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min() + 1;
constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kFar = (std::int64_t{1} << 62) - 1;  // the farthest that is kept

TEST(Times, StartsBeyondAllClocksAreLeftOutAndEndsMended) {
  MadeExport made;
  made.with_kernels();
  made.kernel(kMin, 5, pid(1), 1).kernel(-kFar, kFar, pid(1), 2).kernel(10, kMax, pid(1), 3);
  made.kernel(20, 30, pid(1), 4).kernel(kMax, kMax, pid(1), 5).kernel(-kFar - 1, 7, pid(1), 6);
  const LoadedView loaded(made.write());
  const KernelTable& kernels = *loaded.report().kernels;
  ASSERT_EQ(kernels.rows, 2U);
  EXPECT_EQ(kernels.end[0], 10);
  EXPECT_EQ(kernels.end[1], 30);
  EXPECT_EQ(loaded.issue("impossible_times"), 1) << "146 years before all others";
  EXPECT_EQ(loaded.issue("too_long"), 1);
  EXPECT_EQ(loaded.issue("no_start"), 3);
  EXPECT_EQ(loaded.issue("bad_end"), 1);
}

TEST(Times, ImpossiblyLongDurationsAreIgnored) {
  MadeExport made;
  made.with_kernels();
  for (int i = 0; i < 8; ++i) made.kernel(0, kFar, pid(1), i).kernel(10, 10 + (std::int64_t{1} << 40), pid(1), 8 + i);
  const LoadedView loaded(made.write());
  const KernelTable& kernels = *loaded.report().kernels;
  std::int64_t sum = 0;
  for (std::size_t k = 0; k < kernels.rows; ++k)
    ASSERT_FALSE(__builtin_add_overflow(sum, kernels.end[k] - kernels.start[k], &sum));
  EXPECT_EQ(sum, std::int64_t{8} << 40) << "those of 18 minutes stay";
  EXPECT_EQ(loaded.issue("too_long"), 8);
}

TEST(Times, OpenRangesEndAtTheLastTimeThatIsOne) {
  MadeExport made;
  made.with_ranges();
  made.range(5, -1, "open", tid(1, 1)).range(6, 90, "closed", tid(1, 1)).range(7, kMax, "endless", tid(1, 1));
  const LoadedView loaded(made.write());
  const RangeTable& ranges = *loaded.report().ranges;
  ASSERT_EQ(ranges.rows, 3U);
  EXPECT_EQ(ranges.end[0], 90);
  EXPECT_EQ(ranges.open[0], 1);
  EXPECT_EQ(ranges.end[2], 7);
}

TEST(Times, OpenRangesAreSortedByTheEndThatTheyGet) {
  MadeExport made;
  made.with_ranges().range(5, -1, "open", tid(1, 1)).range(5, 20, "closed", tid(1, 1)).range(6, 90, "last", tid(1, 1));
  const LoadedView loaded(made.write());
  const RangeTable& ranges = *loaded.report().ranges;
  ASSERT_EQ(ranges.rows, 3U);
  EXPECT_EQ(ranges.end[0], 20);
  EXPECT_EQ(ranges.end[1], 90);
  EXPECT_EQ(ranges.open[1], 1);
}

TEST(Times, ALoneRowMayNotTakeAllThereIsEither) {
  constexpr std::int64_t kTooMuch = std::int64_t{1} << 61;
  MadeExport made;
  made.with_kernels().kernel(10, 10 + kTooMuch, pid(1), 1);
  made.add(
      "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET(start INT, end INT, deviceId INT, streamId INT, correlationId INT,"
      " globalPid INT, bytes INT); INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES(10,20,0,7,2," +
      std::to_string(pid(1)) + "," + std::to_string(kTooMuch) + ");");
  const LoadedView loaded(made.write());
  EXPECT_EQ(loaded.issue("too_long"), 1);
  EXPECT_EQ(loaded.report().kernels->end[0], 10);
  EXPECT_EQ(loaded.issue("impossible_bytes"), 1);
  EXPECT_EQ(loaded.report().sets->bytes[0], kNone);
}

TEST(Times, ASizeBelowZeroIsTold) {
  MadeExport made;
  made.add(
      "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY(start INT, end INT, deviceId INT, streamId INT, correlationId INT,"
      " globalPid INT, bytes INT, copyKind INT); INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES(10,20,0,7,1," +
      std::to_string(pid(1)) + ",64,1),(30,40,0,7,2," + std::to_string(pid(1)) + ",-1,1),(50,60,0,7,3," +
      std::to_string(pid(1)) + ",NULL,1);");
  const LoadedView loaded(made.write());
  EXPECT_EQ(loaded.issue("missing_bytes"), 2);
  EXPECT_EQ(loaded.report().copies->bytes[0], 64);
  EXPECT_EQ(loaded.report().copies->bytes[1], kNone);
}

}  // namespace assay::times_test
