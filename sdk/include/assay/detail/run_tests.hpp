// What benchstat and most papers test: whether two sides of runs differ, each run independent of all others. Shown
// beside the interval, which allows for what these do not, and deciding nothing.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <string_view>

namespace assay {

/// Two-sided p; NaN with fewer than two runs on a side.
struct RunTests {
  double welch = std::numeric_limits<double>::quiet_NaN();  ///< Welch's t-test on the values; 1 if no value differs
  double mann_whitney = std::numeric_limits<double>::quiet_NaN();
  double least = 1;  ///< p of Mann-Whitney if the sides do not overlap
};
RunTests run_tests(std::span<const double> base, std::span<const double> treated);

/// "Welch's t-test (p = 0.004) and Mann-Whitney (p = 0.008) would call it a change: WHY" of the tests that say at 5 %
/// something else than `changed`; empty: neither does. `why`: what they do not allow for, if `changed` is false; if it
/// is true and empty, few runs are the reason.
std::string unlike_run_tests(const RunTests& tests, bool changed, std::string_view why);

struct PairEffect;
/// The same of one comparison of pairs and its outcome.
std::string run_tests_text(const PairEffect& effect);

}  // namespace assay
