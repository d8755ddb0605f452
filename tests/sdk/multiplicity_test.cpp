#include "assay/detail/multiplicity.hpp"

#include "assay/algo/bounds.hpp"
#include "support/test.hpp"

namespace assay::multiplicity_test {

const std::vector<double> kP = {0.01, 0.04, 0.03, 0.005, 0.2, 0.6};

TEST(SharedLevel, LeavesEachComparisonItsPartOfTheError) {
  EXPECT_DOUBLE_EQ(shared_level(10, 0.95), 0.995);
  EXPECT_DOUBLE_EQ(shared_level(4, 0.9), 0.975);
  EXPECT_DOUBLE_EQ(shared_level(0, 0.95), 0.95);
}

TEST(BenjaminiHochberg, AdjustsStepUp) {
  // 6/1*0.005 = 0.03, 6/2*0.01 = 0.03, 6/3*0.03 = 0.06, 6/4*0.04 = 0.06, 6/5*0.2 = 0.24, 0.6.
  EXPECT_TRUE(near(benjamini_hochberg(kP), {0.03, 0.06, 0.06, 0.03, 0.24, 0.6}, 1e-15));
  EXPECT_TRUE(near(benjamini_hochberg(std::vector<double>{0.05, 0.04}), {0.05, 0.05}, 1e-15));
}

TEST(Equivalence, NeedsTheWholeInterval) {
  EXPECT_TRUE(equivalent({-0.009, 0.004}, 0.01));
  EXPECT_FALSE(equivalent({-0.011, 0.004}, 0.01));
  EXPECT_TRUE(equivalent({0.99, 1.01}, 0.02, 1));
  EXPECT_FALSE(equivalent({}, 0.01));
}

}  // namespace assay::multiplicity_test
