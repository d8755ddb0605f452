// Intervals that may be looked at after every block: a confidence sequence for the mean of block-wise differences.
//
// For independent normal differences d_1..d_n with unknown spread, and a normal prior N(0, kPrior) on the effect in
// units of the spread, the ratio of the two likelihoods of the t statistic at the true mean is a martingale that starts
// at 1, so that it ever exceeds 1/alpha with probability alpha at most (Ville). The means at which it has not are the
// interval:
//   t^2 < (n - 1) * (r - 1) / (1 - r / k),   k = 1 + n * kPrior,   r = (sqrt(k) / alpha)^(2 / n),
// and all of the line while r >= k. It covers the true mean at all n at once with probability 1 - alpha, whenever one
// stops and whatever made one stop; so the intersection of the intervals so far does too, and a verdict once reached
// stays.
//
// That takes independent differences. Noise that lasts over blocks is common on real machines (clocks that stick,
// trends, neighbours on the host), so what all series of the recording show of it (block_noise.hpp) decides how far the
// interval reaches from the mean:
//   - Blocks 2 to 6: 20 times the spread (own or pooled, the larger), or the largest range of any series if that is
//     more. Only an effect far beyond all noise is told so early.
//   - From block 7: the half-width above, with the larger of the own spread and the typical one of the recording, times
//     sqrt((1 + r) / (1 - r)) * F. r is the larger of the own correlation and 1.3 times the common one, plus 1.6
//     standard errors; F is the largest of the common partial sums, 0.8 times the own, and 1.
//   - Before block 18 (16 beside an A/A pair): at least `unseen`. A state that lasts for eight blocks shows itself too
//     seldom in fewer. From block 9 on at least 2.2 times the typical spread will do where the A/A pair is there and
//     the recording is calm: no series went through more than 6.5 times the spread without its largest step, and the
//     A/A pair was never further apart. Of several cells some would have shown that clocks stick.
//   - Blocks 3 to 15, if that is narrower: the half-width above times sqrt((1 + r) / (1 - r)) * F, with 1.2 standard
//     errors of all series together, and at least a factor of 1.8, which no clock state or trend makes. A large effect
//     need not wait until such a state would have shown itself.
//   - No interval where r, without its standard errors, exceeds 0.455, or F exceeds 1.8: the noise lasts longer than
//   the
//     rule can hold.
// The numbers were chosen by simulation (tests/record/decision_table.cpp), which is no proof; docs/accuracy.md has the
// tables.
#pragma once

#include <cstddef>
#include <limits>

#include "algo/noise/block_noise.hpp"

namespace assay {

/// Variance of the prior: effects of about three times the spread are found with the fewest blocks, which is where the
/// few blocks that a study can afford decide anything.
inline constexpr double kSequencePrior = 10;

/// Lasting shifts that the rule allows for while a recording is too short to show them, in logs (logits): between two
/// cells of one block, whose clocks may be a few per cent apart, and of a whole machine, which cancels in a ratio and
/// not in a level.
inline constexpr double kUnseenShift = 0.08, kUnseenMachineShift = 0.2;

/// Half-width of the interval of n independent differences with standard deviation `sd` (n - 1 in its denominator), at
/// confidence `level`; infinite while n is too small for any.
double sequence_half_width(std::size_t n, double sd, double level);

/// The same by the whole rule above. `unseen`: kUnseenShift, or what stands for it on another scale. Infinite where the
/// rule has no interval.
double sequence_half_width(const SeriesNoise& own, const BlockNoise& recording, double level, double unseen);

/// Whether the noise lasts longer than the rule can hold; of fewer than seven blocks that is not asked.
bool lasts_too_long(const SeriesNoise& own, const BlockNoise& recording);

/// What the differences up to now allow to say.
struct SequenceInterval {
  std::size_t n = 0;
  double mean = 0, sd = 0;  ///< of the differences; after stopping the mean tends to exaggerate
  double lo = -std::numeric_limits<double>::infinity();  ///< of the running intersection
  double hi = std::numeric_limits<double>::infinity();
  bool early = false;          ///< fewer than seven: of use only where it decides
  bool lasting = false;        ///< the noise lasts longer than the rule can hold, as far as it shows now
  std::size_t changed_at = 0;  ///< differences after which the intersection was empty: the effect changed; 0: it is not

  /// An effect that turns round is also noise that lasts, which has no interval of its own to contradict the earlier
  /// ones: the mean of all differences has left theirs since so many differences; 0: it has not.
  std::size_t left_at = 0;

  [[nodiscard]] bool known() const {
    return changed_at == 0 && left_at == 0 && lo > -std::numeric_limits<double>::infinity();
  }
};

/// The running intersection, one difference after another in the order in which blocks were run. Once two intervals
/// contradict each other (which happens with probability alpha at most where the effect stays) there is none any more.
class Sequence {
 public:
  explicit Sequence(double level, double unseen = kUnseenShift) : level_(level), unseen_(unseen) {}

  /// `recording`: what all of its series show up to this block, this one included.
  const SequenceInterval& add(double difference, const BlockNoise& recording);
  /// Where this series is all that is known.
  const SequenceInterval& add(double difference);
  [[nodiscard]] const SequenceInterval& now() const { return now_; }

 private:
  void cut(const BlockNoise& recording);

  double level_, unseen_;
  RunningNoise own_;
  SequenceInterval now_;
};

/// What all of the differences allow to say.
SequenceInterval sequence_interval(const BlockSeries& differences, const RecordingNoise& recording, double level,
                                   double unseen = kUnseenShift);

/// A claim that the mean lies in [lo, hi], judged at confidence `level`.
struct SequenceClaim {
  double lo = -std::numeric_limits<double>::infinity(), hi = std::numeric_limits<double>::infinity();
  double level = 0.95;
  double unseen = kUnseenShift;
  bool twins = false;  ///< of a ratio, in whose recording the A/A pair tells whether noise lasts
};

/// Half-width that n independent differences are expected to have.
double sequence_expected_half_width(std::size_t n, double sd, const SequenceClaim& claim);

/// How many differences of this mean and spread would put the interval inside of the claimed range or wholly outside of
/// it; more than `most`: `most` + 1. The spread is taken as it is: say an upper limit of it to be on the safe side.
std::size_t sequence_blocks_needed(double mean, double sd, const SequenceClaim& claim, std::size_t most);

/// How many differences, of that mean and spread, decide the claim with probability `power`; more than `most`: `most`
/// + 1. Earlier looks, which may decide as well, are not counted on.
std::size_t sequence_blocks_for_power(double mean, double sd, const SequenceClaim& claim, double power,
                                      std::size_t most);

/// What n blocks have shown.
struct SequenceSeen {
  std::size_t n = 0;
  double mean = 0, sd = 0;
};

/// Probability that the claim is decided after `most` blocks, as far as those so far tell the mean and if the spread
/// stays; earlier looks are not counted on. 1 where `most` are not more than were seen and decide it, else 0.
double sequence_chance(const SequenceSeen& seen, const SequenceClaim& claim, std::size_t most);

/// Whether a decision by `most` blocks is unlikely: at least six blocks are there, and none of the mean, its 80 %
/// limits and the centre of the claimed range (where that lies between them) would be decided with the lower 90 % limit
/// of the spread.
bool sequence_is_futile(const SequenceSeen& seen, const SequenceClaim& claim, std::size_t most);

/// Below it lies the true spread with 80 % confidence, of a sample deviation with `degrees` of freedom (1 or more); by
/// the cube root of Wilson and Hilferty.
double upper_spread(double sd, double degrees);

/// Above it lies the true spread with 90 % confidence, likewise.
double lower_spread(double sd, double degrees);

}  // namespace assay
