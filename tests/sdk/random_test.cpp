#include "assay/detail/random.hpp"

#include "support/test.hpp"

namespace assay::random_test {

TEST(Random, IsXoshiro256StarStarSeededBySplitMix64) {
  // SplitMix64 from 0 begins so (Vigna's splitmix64.c), which is the state that the generator starts from.
  std::uint64_t state = 0;
  EXPECT_EQ(detail::splitmix(state), 0xE220A8397B1DCDAFULL);
  EXPECT_EQ(detail::splitmix(state), 0x6E789E6AA1B965F4ULL);
  EXPECT_EQ(detail::splitmix(state), 0x06C45D188009454FULL);
  EXPECT_EQ(detail::splitmix(state), 0xF88BB8A8724C81ECULL);
  // First outputs from that state, by an independent implementation in Python.
  Random random(std::uint64_t{0});
  EXPECT_EQ(random.next(), 0x99EC5F36CB75F2B4ULL);
  EXPECT_EQ(random.next(), 0xBF6E1F784956452AULL);
  EXPECT_EQ(random.next(), 0x1A5F849D4933E6E0ULL);
}

TEST(Random, SeedsOfNamesDiffer) {
  static_assert(seed_of("a") != seed_of("b"));
  static_assert(seed_of("") != 0);
  EXPECT_NE(Random("claim 1").next(), Random("claim 2").next());
  EXPECT_EQ(Random("claim 1").next(), Random(seed_of("claim 1")).next());
}

TEST(Random, IndexIsEvenlySpread) {
  Random random("index");
  std::array<int, 7> counts{};
  constexpr int draws = 70000;
  for (int i = 0; i < draws; ++i) ++counts.at(random.index(counts.size()));
  double chi_square = 0;
  for (const int count : counts) chi_square += (count - 10000.0) * (count - 10000.0) / 10000.0;
  EXPECT_LT(chi_square, 22.46);  // 0.999 quantile for 6 degrees of freedom
}

TEST(Random, UniformAndNormalHaveTheirMoments) {
  Random random("moments");
  double uniform = 0, normal = 0, square = 0;
  constexpr int draws = 100000;
  for (int i = 0; i < draws; ++i) {
    const double u = random.uniform();
    ASSERT_GE(u, 0);
    ASSERT_LT(u, 1);
    const double z = random.normal();
    uniform += u;
    normal += z;
    square += z * z;
  }
  EXPECT_NEAR(uniform / draws, 0.5, 0.004);  // four standard errors
  EXPECT_NEAR(normal / draws, 0, 0.013);
  EXPECT_NEAR(square / draws, 1, 0.018);
}

}  // namespace assay::random_test
