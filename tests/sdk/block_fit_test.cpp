#include "assay/algo/block_fit.hpp"

#include "assay/detail/random.hpp"
#include "support/test.hpp"

namespace assay::block_fit_test {

TEST(BlockFit, RecoversExactEffectsOfAnUnbalancedDesign) {
  const double block[] = {10, 20, 30}, level[] = {0, 5, 7};
  std::vector<BlockObservation> o;
  for (std::size_t b = 0; b < 3; ++b) {
    for (std::size_t l = 0; l < 3; ++l) {
      if (b + l < 4) o.push_back({l, b, block[b] + level[l]});  // (2, 2) is missing
    }
  }
  const BlockFit fit = fit_blocks(o);
  ASSERT_EQ(fit.levels, (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_NEAR(fit.step(0), 5, 1e-12);
  EXPECT_NEAR(fit.step(1), 2, 1e-12);
  EXPECT_EQ(fit.degrees, 8 - 3 - 2);
  EXPECT_NEAR(fit.residual_sd, 0, 1e-12);
}

TEST(BlockFit, OneBlockIsTheDifferenceOfMeans) {
  // Two levels, one block: the t test of two means. Means 2 and 6; pooled variance (2 + 8) / 4.
  const std::vector<BlockObservation> o = {{0, 0, 1}, {0, 0, 2}, {0, 0, 3}, {1, 0, 4}, {1, 0, 6}, {1, 0, 8}};
  const BlockFit fit = fit_blocks(o);
  EXPECT_NEAR(fit.step(0), 4, 1e-12);
  EXPECT_NEAR(fit.residual_sd, std::sqrt(10.0 / 4), 1e-12);
  EXPECT_NEAR(fit.error({0, 1}), std::sqrt(10.0 / 4 * (1.0 / 3 + 1.0 / 3)), 1e-12);
}

TEST(BlockFit, WithSeveralBlocksReplicatesOfACellAreOneUnit) {
  // Cell means 1, 3 and 10, 13: steps of 2 and 3 in two blocks; their replicates differ by nothing.
  const std::vector<BlockObservation> means = {{0, 0, 1}, {1, 0, 3}, {0, 1, 10}, {1, 1, 13}};
  std::vector<BlockObservation> runs;
  for (const BlockObservation& mean : means) runs.insert(runs.end(), 5, mean);
  const BlockFit fit = fit_blocks(runs), of_means = fit_blocks(means);
  EXPECT_EQ(fit.degrees, 1) << "four units, two blocks, one step";
  EXPECT_NEAR(fit.step(0), 2.5, 1e-12);
  EXPECT_NEAR(fit.error({0, 1}), of_means.error({0, 1}), 1e-12);
}

TEST(BlockFit, ALevelOfOneBlockIsLeftOut) {
  const std::vector<BlockObservation> o = {{0, 0, 1}, {1, 0, 2}, {0, 1, 3}, {1, 1, 4}, {2, 1, 100}};
  EXPECT_EQ(fit_blocks(o).levels, (std::vector<std::size_t>{0, 1}));
}

TEST(BlockFit, BlocksThatShareNoLevelCannotBeFitted) {
  const std::vector<BlockObservation> o = {{0, 0, 1}, {0, 1, 1}, {1, 2, 2}, {1, 3, 2}};
  EXPECT_TRUE(fit_blocks(o).levels.empty());
  EXPECT_TRUE(fit_blocks({}).levels.empty());
}

}  // namespace assay::block_fit_test
