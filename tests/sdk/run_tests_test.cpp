// Welch's test and Mann-Whitney beside the intervals; p of Welch by numerical integration in Python.
#include "assay/detail/run_tests.hpp"

#include <array>
#include <cmath>

#include "support/test.hpp"

namespace assay::run_tests_test {

TEST(RunTests, WelchIsThatOfAnIndependentComputation) {
  const std::array<double, 4> base = {10.1, 10.3, 9.9, 10.2};
  const std::array<double, 3> treated = {10.6, 11.4, 10.7};
  EXPECT_NEAR(run_tests(base, treated).welch, 0.0782414242124, 1e-9);
  const std::array one = {1.0, 2.0, 3.0}, other = {2.0, 3.0, 5.0};
  EXPECT_NEAR(run_tests(one, other).welch, 0.284627178762, 1e-9);
  EXPECT_NEAR(run_tests(other, one).welch, 0.284627178762, 1e-9);
}

TEST(RunTests, WithoutRunsOrSpread) {
  const std::array<double, 1> one = {1.0};
  const std::array<double, 2> equal = {1.0, 1.0}, apart = {2.0, 2.0};
  EXPECT_TRUE(std::isnan(run_tests(one, equal).welch));
  EXPECT_TRUE(std::isnan(run_tests(equal, one).mann_whitney));
  EXPECT_EQ(run_tests(equal, equal).welch, 1);
  EXPECT_EQ(run_tests(equal, apart).welch, 0);
}

TEST(RunTests, SaysWhichDiffersFromTheIntervalAndWhy) {
  const std::array base = {100.0, 101.0, 102.0}, treated = {80.0, 81.0, 82.0};
  const RunTests three = run_tests(base, treated);
  EXPECT_DOUBLE_EQ(three.least, 0.1);
  EXPECT_EQ(unlike_run_tests(three, true, ""),
            "Mann-Whitney (p = 0.1) would not call it a change: of so few runs its least p is 0.1");
  EXPECT_TRUE(starts_with(unlike_run_tests(three, false, "REASON"), "Welch's t-test (p = "));
  EXPECT_TRUE(unlike_run_tests(run_tests(base, base), false, "REASON").empty()) << "none calls it a change";
  EXPECT_TRUE(unlike_run_tests({}, true, "REASON").empty()) << "one run a side";
}

}  // namespace assay::run_tests_test
