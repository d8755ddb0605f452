// Intervals that permit a look after every block: a confidence sequence for the mean of block-wise differences.
//
// For independent normal differences d_1..d_n with unknown spread, and a normal prior N(0, kPrior) on the effect in
// units of the spread, the ratio of the two likelihoods of the t statistic at the true mean is a martingale that starts
// at 1, so that it ever exceeds 1/alpha with probability at most alpha (Ville). The means at which it has not are the
// interval:
//   t^2 < (n - 1) * (r - 1) / (1 - r / k),   k = 1 + n * kPrior,   r = (sqrt(k) / alpha)^(2 / n),
// and the whole line while r >= k. It covers the true mean at all n simultaneously with probability 1 - alpha, whatever
// the stopping rule; so does the intersection of the intervals so far, and a verdict never changes once it is reached.
//
// That requires independent differences, and the spread of two or three of them says little. So all series of the
// recording (block_noise.hpp) are asked, the A/A pair among them:
// - Spread: the larger of the own and the common one (the pooled of the series before block 9, then the typical). The
//   degrees of freedom are n - 1, and 0.4 times as many for each series more than two, at most as many again, since
//   they share a base; only the own n - 1 if the own spread is more than twice the common one.
// - Noise that lasts over blocks (stuck clocks, trends, other load on the host) is common. The half-width is multiplied
//   by sqrt((1 + r) / (1 - r)) * F^2. r is the larger of the own correlation and 1.7 times the common one, plus 1.05
//   standard errors; F is the largest of the common partial sums, 0.6 times the own, and 1. From block 9 on there is no
//   interval if r without the standard errors exceeds 0.5, or F 2: the noise lasts longer than the rule covers.
// - Before block 9 at most 24 spreads, so that two blocks tell what is far beyond all noise.
// - What few blocks cannot have shown yet is a least half-width. Before block 18 (15 with an A/A pair): `unseen`, for a
//   state that lasts for eight blocks. Before block 11 also the quantile of `level` times 0.9 * `unseen`, for trends,
//   but at most 10 spreads, since a trend far above the noise would show. From block 9 on 6 typical spreads suffice,
//   from block 11 on 2.2, if there is an A/A pair and the recording is calm: no series had a range above 6 times the
//   spread without its largest step, and the A/A pair never differed more. Among several cells some would have shown
//   stuck clocks.
// - From block 3, of a quantity that no series of the recording has varying in any block (bytes, counts): the value.
// The numbers were chosen by simulation (tests/simulation/decision_table.cpp), which is not a proof; docs/accuracy.md
// has the tables.
#pragma once

#include <cstddef>
#include <limits>

#include "algo/noise/block_noise.hpp"

namespace assay {

/// Variance of the prior: effects of about three times the spread need the fewest blocks, since that is where the few
/// blocks of an affordable study decide anything.
inline constexpr double kSequencePrior = 10;

/// Lasting shifts, in logs (logits), allowed for while a recording is too short to show them: between two cells of one
/// block, whose clocks may differ by a few per cent, and of a whole machine, which cancels in a ratio but not in a
/// level.
inline constexpr double kUnseenShift = 0.08, kUnseenMachineShift = 0.2;

/// Half-width for n independent differences with standard deviation `sd` of so many degrees of freedom, at confidence
/// `level`; infinite while there are too few.
double sequence_half_width(std::size_t n, double sd, double level, double degrees);
/// With n - 1.
double sequence_half_width(std::size_t n, double sd, double level);

/// Half-width by the whole rule above. `unseen`: kUnseenShift, or its equivalent on another scale. Infinite if the rule
/// gives no interval.
double sequence_half_width(const SeriesNoise& own, const BlockNoise& recording, double level, double unseen);

/// Whether the noise lasts longer than the rule covers; false with fewer than nine blocks.
bool lasts_too_long(const SeriesNoise& own, const BlockNoise& recording);

/// Conclusion from the differences so far.
struct SequenceInterval {
  std::size_t n = 0;
  double mean = 0, sd = 0;  ///< of the differences; after stopping the mean tends to be exaggerated
  double lo = -std::numeric_limits<double>::infinity();  ///< of the running intersection
  double hi = std::numeric_limits<double>::infinity();
  bool early = false;                        ///< fewer than four: only useful if it decides
  bool lasting = false;                      ///< at present the noise lasts longer than the rule covers
  double correlation = 0, partial_sums = 1;  ///< r without its standard error, and F, which widen it at present
  std::size_t changed_at = 0;  ///< number of differences after which the intersection became empty, so the effect
                               ///< changed; 0: it is not empty

  /// A reversing effect is also lasting noise, without an interval to contradict the earlier ones: number of
  /// differences since which the mean of all has been outside of their intersection; 0: it is inside.
  std::size_t left_at = 0;

  [[nodiscard]] bool known() const {
    return changed_at == 0 && left_at == 0 && lo > -std::numeric_limits<double>::infinity();
  }
};

/// Running intersection, updated per difference in block order. Once two intervals contradict each other (with
/// probability at most alpha for a constant effect) there is no interval any more.
class Sequence {
 public:
  explicit Sequence(double level, double unseen = kUnseenShift) : level_(level), unseen_(unseen) {}

  /// `recording`: statistics of all its series up to and including this block.
  const SequenceInterval& add(double difference, const BlockNoise& recording);
  /// For a single series without a recording.
  const SequenceInterval& add(double difference);
  [[nodiscard]] const SequenceInterval& now() const { return now_; }

 private:
  void cut(const BlockNoise& recording);

  double level_, unseen_;
  RunningNoise own_;
  SequenceInterval now_;
};

/// Conclusion from all of the differences.
SequenceInterval sequence_interval(const BlockSeries& differences, const RecordingNoise& recording, double level,
                                   double unseen = kUnseenShift);

/// A claim that the mean is in [lo, hi], judged at confidence `level`.
struct SequenceClaim {
  double lo = -std::numeric_limits<double>::infinity(), hi = std::numeric_limits<double>::infinity();
  double level = 0.95;
  double unseen = kUnseenShift;
  bool twins = false;  ///< a ratio whose recording has an A/A pair, which shows lasting noise
};

/// Expected half-width for n independent differences.
double sequence_expected_half_width(std::size_t n, double sd, const SequenceClaim& claim);

/// Number of differences with this mean and spread that would put the interval inside or entirely outside of the
/// claimed range; `most` + 1 if more than `most`. Takes the spread as given: use an upper limit of it to be on the safe
/// side.
std::size_t sequence_blocks_needed(double mean, double sd, const SequenceClaim& claim, std::size_t most);

/// Number of differences with that mean and spread that decide the claim with probability `power`; `most` + 1 if more
/// than `most`. Ignores earlier looks, which may decide too.
std::size_t sequence_blocks_for_power(double mean, double sd, const SequenceClaim& claim, double power,
                                      std::size_t most);

/// Observations from n blocks.
struct SequenceSeen {
  std::size_t n = 0;
  double mean = 0, sd = 0;
};

/// Probability that the claim is decided after `most` blocks, given the uncertainty of the mean and an unchanged
/// spread; ignores earlier looks. If `most` blocks were already seen: 1 if they decide it, else 0.
double sequence_chance(const SequenceSeen& seen, const SequenceClaim& claim, std::size_t most);

/// Whether a decision by `most` blocks is unlikely: there are at least six blocks, and none of the mean, its 80 %
/// limits and the centre of the claimed range (if between them) would be decided with the lower 90 % limit of the
/// spread.
bool sequence_is_futile(const SequenceSeen& seen, const SequenceClaim& claim, std::size_t most);

/// Upper 80 % confidence limit of the true spread, from a sample deviation with `degrees` (>= 1) of freedom; by the
/// cube root of Wilson and Hilferty.
double upper_spread(double sd, double degrees);

/// Lower 90 % confidence limit of the true spread, likewise.
double lower_spread(double sd, double degrees);

}  // namespace assay
