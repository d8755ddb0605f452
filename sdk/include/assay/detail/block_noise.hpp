// How long the noise of a recording lasts, seen in all of its series together.
//
// A confidence sequence takes blocks to be independent. Noise that lasts over blocks (a cell whose clock sticks, a
// trend) breaks that, and few blocks of one series cannot show it: a cell that is slow from the first block on looks
// like an effect. All series of one metric in one recording share the machine and mostly its habits, so they are asked
// together. Two statistics, both free of bias where blocks are independent:
//   correlation   1 - V / 2, V the ratio of von Neumann (1941): the squared steps from one block to the next over the
//                 squared deviations from the mean. Neighbours; 0 on average.
//   partial sums  the squared partial sums of the deviations over what independent blocks would give, (n^2 - 1) / 6
//                 variances: twice the Bartlett estimate of the long-run variance whose bandwidth is all of the series
//                 (Kiefer and Vogelsang 2002; the statistic of Kwiatkowski et al. 1992). All lags; 1 on average.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace assay {

/// One series of a recording: a value for each block that has one, in the order in which the blocks were run.
struct BlockSeries {
  std::vector<double> block;  ///< number of the block, rising
  std::vector<double> value;
  bool twins = false;  ///< differences of the A/A pair, which are 0 but for noise
};

/// What a series shows up to a block. Without a spread it shows no correlation: 0 and 1.
struct SeriesNoise {
  std::size_t n = 0;
  double mean = 0, sd = 0, range = 0;  ///< sd: n - 1 in its denominator; range: largest less smallest
  double correlation = 0, partial_sums = 1;
  double step_sd = 0;  ///< by the steps between neighbours but the largest, which one jump of a clock does not move
  double largest = 0;  ///< absolute value
  bool twins = false;  ///< BlockSeries::twins
};

/// The same, one value after another.
class RunningNoise {
 public:
  explicit RunningNoise(bool twins = false) { now_.twins = twins; }
  const SeriesNoise& add(double value);
  [[nodiscard]] const SeriesNoise& now() const { return now_; }

 private:
  SeriesNoise now_;
  double first_ = 0, last_ = 0, least_ = 0, most_ = 0;     // all less the first, so that nothing large cancels
  double squares_ = 0, steps_ = 0, most_step_ = 0;         // deviations from the mean; steps between neighbours
  double sum_ = 0, sums_squared_ = 0, weighted_sums_ = 0;  // partial sums: the last; squared; times their number
};

/// What several series show together.
struct BlockNoise {
  std::size_t series = 0;
  double typical_sd = 0;  ///< root of the median variance: one series that is noisier than the rest does not move it
  double pooled_sd = 0;   ///< root of the mean variance: it does
  double range = 0;       ///< the largest of any series
  double correlation = 0, partial_sums = 1;  ///< their means
  double step_sd = 0;                        ///< the median of theirs
  bool twins = false;                        ///< the A/A pair is one of them
  double twins_apart = 0;                    ///< the largest difference that it showed

  /// Whether nothing but noise was seen: no series went through more than `times` its spread without its largest step,
  /// and the A/A pair, without which that is not asked, was never further apart. A clock that changes its state moves
  /// all series of its cell at once, so that their own spread would hide it.
  [[nodiscard]] bool calm(double times) const {
    return twins && range <= times * step_sd && twins_apart <= times * step_sd;
  }
};

/// Series of fewer than two values show nothing and are left out.
BlockNoise pooled(std::span<const SeriesNoise> series);

/// All series of one metric in one recording.
class RecordingNoise {
 public:
  void add(const BlockSeries& series);
  /// What they showed when `block` had been run.
  [[nodiscard]] BlockNoise up_to(double block) const;

 private:
  struct NoiseHistory {
    std::vector<double> block;
    std::vector<SeriesNoise> after;
  };
  std::vector<NoiseHistory> series_;
};

}  // namespace assay
