// How often the interval of a speed-up of repeated rows holds the true one.
#include "plugins/token_reduction_overhead/analysis.hpp"
#include "simulation/simulation.hpp"
#include "support/test.hpp"

namespace assay::tokens::token_reduction_crossings_test {

TEST(TokenReductionCrossingsSimulated, IntervalsOfRepeatedRowsCoverWhatTheyPromise) {
  constexpr double kSpeedup = 1.3, kSd = 0.03, kLevel = 0.95;
  for (const std::size_t rows : {2U, 3U, 5U, 10U, 50U}) {
    const std::string row = std::to_string(rows) + " rows a model and batch, 3 batches";
    Random random = simulation::stream("crossings " + row);
    simulation::Rate covered;
    const std::size_t studies = simulation::studies(1000);
    for (std::size_t n = 0; n < studies; ++n) {
      Sweep sweep;
      for (const double batch : {1.0, 2.0, 4.0}) {
        Level& level = sweep.levels[batch];
        for (std::size_t i = 0; i < rows; ++i) {
          level.base.push_back(100 * std::exp(kSd * random.normal()));
          level.treated.push_back(100 * kSpeedup * std::exp(kSd * random.normal()));
        }
      }
      for (const LevelSpeedup& level : crossing_of(sweep, kLevel).levels) covered.add(level.bounds.contains(kSpeedup));
    }
    simulation::report(row, "95 % intervals that hold the speed-up", covered);
    EXPECT_GE(covered.share(), 0.93) << row;
  }
}

}  // namespace assay::tokens::token_reduction_crossings_test
