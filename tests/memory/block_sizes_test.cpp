#include "block_sizes.hpp"

#include "support/test.hpp"

namespace assay {
namespace block_sizes_test {

using memory_snapshot::AllocatorSettings;
using memory_snapshot::BlockSizes;
using memory_snapshot::rounded_size;

constexpr std::int64_t kMiB = 1 << 20;
const AllocatorSettings kDefault;

TEST(RoundedSize, IsAMultipleOf512) {
  EXPECT_EQ(rounded_size(0, kDefault), 512);
  EXPECT_EQ(rounded_size(1, kDefault), 512);
  EXPECT_EQ(rounded_size(513, kDefault), 1024);
  EXPECT_EQ(rounded_size(kMiB + 1, kDefault), kMiB + 512);
}

TEST(RoundedSize, FollowsTheDivisionsOfPowersOfTwo) {
  AllocatorSettings settings;
  settings.power2_parts = {{1, 4}, {2, 4}, {1024, 2}};
  EXPECT_EQ(rounded_size(1200, settings), 1536) << "too small to divide";
  EXPECT_EQ(rounded_size(1200000, settings), kMiB + kMiB / 4) << "1 MiB in 4 parts";
  EXPECT_EQ(rounded_size(2 * kMiB, settings), 2 * kMiB);
  EXPECT_EQ(rounded_size(5 * kMiB + 1, settings), 5 * kMiB + 512) << "4 MiB are not divided";
  EXPECT_EQ(rounded_size(1025 * kMiB, settings), 1536 * kMiB);
}

TEST(BlockSizes, SmallBlocksAreCutToSize) {
  BlockSizes sizes(kDefault);
  sizes.add_segment(0, 2 * kMiB, false);
  EXPECT_EQ(sizes.allocate(0, 1000), 1024);
  EXPECT_EQ(sizes.allocate(1024, kMiB), kMiB);
}

TEST(BlockSizes, LargeBlocksTakeWhatIsTooLittleToKeep) {
  BlockSizes sizes(kDefault);
  sizes.add_segment(0, 20 * kMiB, false);
  EXPECT_EQ(sizes.allocate(0, 8 * kMiB), 8 * kMiB) << "12 MiB are left";
  EXPECT_EQ(sizes.allocate(8 * kMiB, 11 * kMiB + 1), 12 * kMiB) << "less than 1 MiB would be left";
  sizes.free(0, 8 * kMiB);
  EXPECT_EQ(sizes.allocate(0, 7 * kMiB), 8 * kMiB) << "1 MiB would be left before the next block";
  sizes.free(0, 8 * kMiB);
  EXPECT_EQ(sizes.allocate(0, 7 * kMiB - 512), 7 * kMiB - 512) << "more than 1 MiB is left";
}

TEST(BlockSizes, ExpandableSegmentsCutToSize) {
  BlockSizes sizes(kDefault);
  sizes.add_segment(0, 20 * kMiB, true);
  EXPECT_EQ(sizes.allocate(0, 19 * kMiB + 1), 19 * kMiB + 512);
}

TEST(BlockSizes, MostSplitKeepsLargerBlocksWhole) {
  AllocatorSettings settings;
  settings.max_split = 4 * kMiB;
  BlockSizes sizes(settings);
  sizes.add_segment(0, 20 * kMiB, false);
  EXPECT_EQ(sizes.allocate(0, 5 * kMiB), 20 * kMiB);
}

TEST(BlockSizes, OutsideOfSegmentsTheRequestIsAllThatIsKnown) {
  BlockSizes sizes(kDefault);
  EXPECT_EQ(sizes.allocate(100, 1000), 1000);
  sizes.add_segment(4096, 4096, false);
  EXPECT_EQ(sizes.allocate(100, 1000), 1000);
  EXPECT_EQ(sizes.allocate(8192, 1000), 1000);
  sizes.drop_segment(4096);
  EXPECT_EQ(sizes.allocate(4096, 1000), 1000);
}

}  // namespace block_sizes_test
}  // namespace assay
