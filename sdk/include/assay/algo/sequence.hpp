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
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

namespace assay {

/// Variance of the prior: effects of about three times the spread are found with the fewest blocks, which is where the
/// few blocks that a study can afford decide anything.
inline constexpr double kSequencePrior = 10;

/// Half-width of the interval of n differences with standard deviation `sd` (n - 1 in its denominator), at confidence
/// `level`; infinite while n is too small for any.
inline double sequence_half_width(std::size_t n, double sd, double level) {
  if (n < 2) return std::numeric_limits<double>::infinity();
  const double count = static_cast<double>(n), k = 1 + count * kSequencePrior;
  const double r = std::exp(2 / count * (0.5 * std::log(k) - std::log1p(-level)));
  if (!(r < k)) return std::numeric_limits<double>::infinity();
  const double t2 = (count - 1) * (r - 1) / (1 - r / k);
  return sd * std::sqrt(t2 / count);
}

/// What the differences up to now allow to say.
struct SequenceInterval {
  std::size_t n = 0;
  double mean = 0, sd = 0;  ///< of the differences; after stopping the mean tends to exaggerate
  double lo = -std::numeric_limits<double>::infinity();  ///< of the running intersection
  double hi = std::numeric_limits<double>::infinity();
};

/// The running intersection, one difference after another in the order in which blocks were run. Where intervals would
/// contradict each other (which happens with probability alpha at most) the last that was not empty stays.
class Sequence {
 public:
  explicit Sequence(double level) : level_(level) {}

  const SequenceInterval& add(double difference) {
    ++now_.n;
    const double before = now_.mean;
    now_.mean += (difference - before) / static_cast<double>(now_.n);
    squares_ += (difference - before) * (difference - now_.mean);
    now_.sd = now_.n > 1 ? std::sqrt(squares_ / static_cast<double>(now_.n - 1)) : 0;
    const double half = sequence_half_width(now_.n, now_.sd, level_);
    const double lo = std::max(now_.lo, now_.mean - half), hi = std::min(now_.hi, now_.mean + half);
    if (lo <= hi) {
      now_.lo = lo;
      now_.hi = hi;
    }
    return now_;
  }
  [[nodiscard]] const SequenceInterval& now() const { return now_; }

 private:
  double level_;
  double squares_ = 0;
  SequenceInterval now_;
};

/// What all of the differences allow to say.
inline SequenceInterval sequence_interval(std::span<const double> differences, double level) {
  Sequence sequence(level);
  for (const double difference : differences) sequence.add(difference);
  return sequence.now();
}

/// How many differences of this mean and spread would put the interval inside of [lo, hi] or wholly outside of it; more
/// than `most`: `most` + 1. The spread is taken as it is: say an upper limit of it to be on the safe side.
inline std::size_t sequence_blocks_needed(double mean, double sd, double lo, double hi, double level,
                                          std::size_t most) {
  for (std::size_t n = 2; n <= most; ++n) {
    const double half = sequence_half_width(n, sd, level);
    const bool inside = mean - half >= lo && mean + half <= hi, outside = mean + half < lo || mean - half > hi;
    if (inside || outside) return n;
  }
  return most + 1;
}

}  // namespace assay
