// The interval of a mean under noise that lasts over blocks: its definition, and by simulation what it promises.
#include "algo/noise/lasting_noise.hpp"

#include "studies.hpp"
#include "support/test.hpp"

namespace assay::lasting_noise_test {

using simulated::Machine;
using simulated::Noise;
using simulated::Shape;

TEST(LastingShare, FewValuesExcludeNothingAndManyIndependentOnesDo) {
  EXPECT_EQ(lasting_share(std::vector{1.0, 2.0}), 1);
  EXPECT_EQ(lasting_share(std::vector{1.0, 1.2, 0.9}), 1);
  Random random("share");
  double independent = 0, lasting = 0;
  constexpr int kSeries = 200;
  for (int s = 0; s < kSeries; ++s) {
    std::vector<double> white, slow;
    double state = random.normal();
    for (int i = 0; i < 40; ++i) {
      white.push_back(1e4 + random.normal());
      state = kLastingCorrelation * state + std::sqrt(1 - kLastingCorrelation * kLastingCorrelation) * random.normal();
      slow.push_back(state);
    }
    independent += lasting_share(white) / kSeries;
    lasting += lasting_share(slow) / kSeries;
  }
  EXPECT_LT(independent, 0.4);
  EXPECT_GT(lasting, 0.9);
}

/// Of two values with correlation r: variance of the mean (1 + r) / 2, expected square sum 1 - r.
TEST(LastingInterval, IsTheUsualOneWithoutAShareAndKnownForTwoValues) {
  const double error = 0.05, t = student_t_quantile(1 - error / 2, 9);
  EXPECT_NEAR(LastingInterval(10, 2, 0).once(error), t * 2 / std::sqrt(10.0), 1e-9);
  const double r = kLastingCorrelation, widening = std::sqrt((1 + r) / (1 - r));
  EXPECT_NEAR(LastingInterval(2, 1, 1).once(error), student_t_quantile(1 - error / 2, 1) * widening / std::sqrt(2.0),
              1e-9);
  EXPECT_NEAR(LastingInterval(30, 1, 0).at_each_look(0.05, kSequencePrior), sequence_half_width(30, 1, 0.95), 1e-9);
}

/// Part of comparisons of equal programs, of a number of blocks fixed beforehand, that find a difference.
double false_part(const Noise& noise, std::size_t blocks) {
  constexpr int kStudies = 1500;
  Random random(noise.name + std::to_string(blocks));
  int wrong = 0;
  for (int i = 0; i < kStudies; ++i) {
    Machine machine(noise, 2, random);
    std::vector<double> values;
    RunningNoise running;
    for (std::size_t b = 0; b < blocks; ++b) {
      const std::vector<double> logs = machine.block();
      running.add(values.emplace_back(logs[1] - logs[0]));
    }
    const SeriesNoise now = running.now();
    const double half = LastingInterval(blocks, now.sd, lasting_share(values)).once(0.05);
    wrong += std::abs(now.mean) > std::max(half, unseen_by(blocks)) ? 1 : 0;
  }
  return static_cast<double>(wrong) / kStudies;
}

/// 5 % are promised; 1,500 studies have a sampling error of 0.6 %. `decision_table` prints all rows.
TEST(LastingInterval, ErrsInFivePerCentUnderNoiseThatLasts) {
  for (const std::size_t blocks : {2U, 3U, 5U, 8U, 16U, 30U}) {
    for (const Noise& noise : {Noise{"AR(1) 0.8 of each cell, sd 0.5", Shape::kOwn, 0.5, 0.8},
                               Noise{"sticky clocks, sd 0.02", Shape::kSticky, 0.02, 0.05},
                               Noise{"slow trend of each cell, sd 0.04", Shape::kTrend, 0.02, 0.04},
                               Noise{"log-normal, sd 0.5", Shape::kOwn, 0.5}})
      EXPECT_LE(false_part(noise, blocks), 0.055) << noise.name << ", " << blocks;
  }
}

}  // namespace assay::lasting_noise_test
