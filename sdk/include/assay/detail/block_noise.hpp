// How long the noise of a recording lasts, estimated from all of its series together.
//
// A confidence sequence assumes independent blocks. Noise that lasts over several blocks (a cell with a stuck clock, a
// trend) violates that, and few blocks of one series cannot show it: a cell that is slow from the first block on looks
// like an effect. All series of one metric in one recording share the machine and most of its behaviour, so they are
// evaluated together. Two statistics, both unbiased for independent blocks:
// correlation   1 - V / 2, with the ratio V of von Neumann (1941): squared steps from block to block over squared
//               deviations from the mean. Lag 1; 0 on average.
// partial sums  squared partial sums of the deviations over their expectation for independent blocks, (n^2 - 1) / 6
//               variances: twice the Bartlett estimate of the long-run variance with a bandwidth of the whole series
//               (Kiefer and Vogelsang 2002; the statistic of Kwiatkowski et al. 1992). All lags; 1 on average.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace assay {

/// One series of a recording: a value per block that has one, in run order.
struct BlockSeries {
  std::vector<double> block;  ///< block numbers, increasing
  std::vector<double> value;
  bool twins = false;  ///< differences of the A/A pair, which are 0 except for noise
};

/// Statistics of a series up to a block. Without a spread the correlation is 0 and the partial sums are 1.
struct SeriesNoise {
  std::size_t n = 0;
  double mean = 0, sd = 0, range = 0;  ///< sd: divisor n - 1; range: max minus min
  double correlation = 0, partial_sums = 1;
  double step_sd = 0;  ///< from steps between neighbours except the largest, so that one jump of a clock does not
                       ///< affect it
  double largest = 0;  ///< absolute value
  bool twins = false;  ///< BlockSeries::twins
};

/// Computes SeriesNoise incrementally.
class RunningNoise {
 public:
  explicit RunningNoise(bool twins = false) { now_.twins = twins; }
  const SeriesNoise& add(double value);
  [[nodiscard]] const SeriesNoise& now() const { return now_; }

 private:
  SeriesNoise now_;
  double first_ = 0, last_ = 0, least_ = 0, most_ = 0;     // relative to the first value, to avoid cancellation
  double squares_ = 0, steps_ = 0, most_step_ = 0;         // deviations from the mean; steps between neighbours
  double sum_ = 0, sums_squared_ = 0, weighted_sums_ = 0;  // partial sums: the last; squared; times their index
};

/// Statistics of several series together.
struct BlockNoise {
  std::size_t series = 0;
  double typical_sd = 0;                     ///< root of the median variance: insensitive to one noisy series
  double pooled_sd = 0;                      ///< root of the mean variance: sensitive to it
  double range = 0;                          ///< maximum over the series
  double correlation = 0, partial_sums = 1;  ///< their means
  double step_sd = 0;                        ///< median over the series
  bool twins = false;                        ///< the A/A pair is among them
  double twins_apart = 0;                    ///< its largest difference

  /// Whether only noise was seen: neither the range of any series nor the largest difference of the A/A pair exceeds
  /// `times` step_sd. False without an A/A pair. (A clock that changes its state moves all series of its cell at once,
  /// so that their own spread would hide it.)
  [[nodiscard]] bool calm(double times) const {
    return twins && range <= times * step_sd && twins_apart <= times * step_sd;
  }
};

/// Ignores series with fewer than two values.
BlockNoise pooled(std::span<const SeriesNoise> series);

/// All series of one metric in one recording.
class RecordingNoise {
 public:
  void add(const BlockSeries& series);
  /// Statistics after `block`.
  [[nodiscard]] BlockNoise up_to(double block) const;

 private:
  struct NoiseHistory {
    std::vector<double> block;
    std::vector<SeriesNoise> after;
  };
  std::vector<NoiseHistory> series_;
};

}  // namespace assay
