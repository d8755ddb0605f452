#include "algo/noise/sequence.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "assay/algo/distributions.hpp"

namespace assay {
namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();

// Constants of the stopping rule that the header describes.
constexpr std::size_t kFirstConstant = 3, kFirstShown = 4, kFirstFutile = 6,
                      kFirstUsual = 9;  // blocks before which the few have their rules
constexpr std::size_t kTrendBlocks = 11, kUnseenBlocks = 18, kUnseenBesideTwins = 15;  // lasting noise may be unseen
constexpr double kTrend = 0.9, kTrendSpreads = 10;
constexpr double kCalmSpreads = 6, kUnseenSpreads = 2.2, kUnseenTrendSpreads = 6;  // limits of a calm recording
constexpr double kEarlySpreads = 24;
constexpr double kPooled = 0.4, kAgree = 2;
constexpr double kCommonCorrelation = 1.7, kErrors = 1.05, kOwnPartialSums = 0.6;
// Estimates that are 0 and 1 on average widen the interval by more than that: by this many standard errors in half of
// all recordings, and the value to plan with.
constexpr double kErrorsTypical = kErrors + 0.8, kErrorsToPlan = kErrors + 1.8;
constexpr double kMaxCorrelation = 0.5, kMaxPartialSums = 2;

double correlation_of(const SeriesNoise& own, const BlockNoise& recording) {
  return std::max({kCommonCorrelation * recording.correlation, own.correlation, 0.0});
}

double partial_sums_of(const SeriesNoise& own, const BlockNoise& recording) {
  return std::max({recording.partial_sums, kOwnPartialSums * own.partial_sums, 1.0});
}

double widening(double correlation) {
  const double r = std::min(correlation, 0.95);
  return std::sqrt((1 + r) / (1 - r));
}

double root(std::size_t n) { return std::sqrt(static_cast<double>(n)); }

/// Whether an interval of this half-width around the mean is decisive.
bool decides(double mean, double half, const SequenceClaim& claim) {
  return (mean - half >= claim.lo && mean + half <= claim.hi) || mean + half < claim.lo || mean - half > claim.hi;
}

/// Probability of a decisive interval if the centre is normal with this mean and deviation.
double part_that_decides(double mean, double deviation, double half, const SequenceClaim& claim) {
  const auto below = [&](double bound) {
    return deviation > 0 ? normal_cdf((bound - mean) / deviation) : (mean < bound ? 1.0 : 0.0);
  };
  const double inside = std::max(0.0, below(claim.hi - half) - below(claim.lo + half));
  return inside + below(claim.lo - half) + 1 - below(claim.hi + half);
}

/// Lower bound on the half-width while lasting states may not have shown up. `sd`: the typical spread.
double least_half_width(std::size_t n, double sd, const SequenceClaim& claim, bool calm) {
  if (n >= (claim.twins ? kUnseenBesideTwins : kUnseenBlocks)) return 0;
  const double trend = kTrend * claim.unseen * normal_quantile((1 + claim.level) / 2);
  const double least = n < kTrendBlocks ? std::max(claim.unseen, std::min(trend, kTrendSpreads * sd)) : claim.unseen;
  if (!calm || n < kFirstUsual) return least;
  return std::min(least, (n < kTrendBlocks ? kUnseenTrendSpreads : kUnseenSpreads) * sd);
}

/// Half-width of n independent differences if the estimates of r and F widen it by this many standard errors of a
/// correlation.
double expected_half_width(std::size_t n, double sd, const SequenceClaim& claim, double errors) {
  if (n < 2) return kUnbounded;
  double half = sequence_half_width(n, sd, claim.level) * widening(errors / root(n));
  if (n < kFirstUsual) half = std::min(half, kEarlySpreads * sd);
  return sd > 0 || n < kFirstConstant ? std::max(half, least_half_width(n, sd, claim, claim.twins)) : 0;
}

/// Upper limit of the true deviation given a sample deviation: exceeded with probability `part`.
double spread_limit(double sd, double degrees, double part) {
  const double scale = 2 / (9 * degrees), cube_root = 1 - scale + normal_quantile(part) * std::sqrt(scale);
  return sd / std::sqrt(cube_root * cube_root * cube_root);
}

}  // namespace

double sequence_half_width(std::size_t n, double sd, double level, double degrees) {
  const double count = static_cast<double>(n), k = 1 + count * kSequencePrior;
  const double r = std::exp(2 / (degrees + 1) * (0.5 * std::log(k) - std::log1p(-level)));
  return n > 1 && r < k ? sd * std::sqrt(degrees * (r - 1) / (1 - r / k) / count) : kUnbounded;
}

double sequence_half_width(std::size_t n, double sd, double level) {
  return sequence_half_width(n, sd, level, static_cast<double>(n) - 1);
}

bool lasts_too_long(const SeriesNoise& own, const BlockNoise& recording) {
  return own.n >= kFirstUsual &&
         (correlation_of(own, recording) > kMaxCorrelation || partial_sums_of(own, recording) > kMaxPartialSums);
}

double sequence_half_width(const SeriesNoise& own, const BlockNoise& recording, double level, double unseen) {
  if (own.n < 2 || lasts_too_long(own, recording)) return kUnbounded;
  // What never varies in the recording, the A/A pair included, is computed, not measured.
  if (own.n >= kFirstConstant && own.range == 0 && recording.range == 0) return 0;
  const bool few = own.n < kFirstUsual;
  const double common = few ? recording.pooled_sd : recording.typical_sd, sd = std::max(own.sd, common);
  const auto others = static_cast<double>(std::max<std::size_t>(recording.series, 2) - 2);
  const double degrees =
      (static_cast<double>(own.n) - 1) * (own.sd <= kAgree * common ? 1 + std::min(1.0, kPooled * others) : 1);
  const double sums = partial_sums_of(own, recording);
  double half = sequence_half_width(own.n, sd, level, degrees) *
                widening(correlation_of(own, recording) + kErrors / root(own.n)) * sums * sums;
  if (few) half = std::min(half, kEarlySpreads * sd);
  return std::max(half, least_half_width(own.n, few ? sd : recording.typical_sd,
                                         {.level = level, .unseen = unseen, .twins = recording.twins},
                                         recording.calm(kCalmSpreads)));
}

const SequenceInterval& Sequence::add(double difference, const BlockNoise& recording) {
  own_.add(difference);
  cut(recording);
  return now_;
}

const SequenceInterval& Sequence::add(double difference) {
  const SeriesNoise own = own_.add(difference);
  cut(pooled({&own, 1}));
  return now_;
}

void Sequence::cut(const BlockNoise& recording) {
  const SeriesNoise& own = own_.now();
  now_.n = own.n;
  now_.mean = own.mean;
  now_.sd = own.sd;
  now_.early = own.n < kFirstShown;
  now_.lasting = lasts_too_long(own, recording);
  now_.correlation = correlation_of(own, recording);
  now_.partial_sums = partial_sums_of(own, recording);
  const double half = sequence_half_width(own, recording, level_, unseen_);
  if (now_.changed_at > 0) return;
  if (std::isfinite(half)) {
    now_.lo = std::max(now_.lo, now_.mean - half);
    now_.hi = std::min(now_.hi, now_.mean + half);
  }
  if (now_.lo > now_.hi) now_.changed_at = now_.n;
  const bool left = now_.lasting && (now_.mean < now_.lo || now_.mean > now_.hi);
  now_.left_at = !left ? 0 : now_.left_at > 0 ? now_.left_at : now_.n;
}

SequenceInterval sequence_interval(const BlockSeries& differences, const RecordingNoise& recording, double level,
                                   double unseen) {
  Sequence sequence(level, unseen);
  for (std::size_t i = 0; i < differences.value.size(); ++i)
    sequence.add(differences.value[i], recording.up_to(differences.block[i]));
  return sequence.now();
}

double sequence_expected_half_width(std::size_t n, double sd, const SequenceClaim& claim) {
  return expected_half_width(n, sd, claim, kErrorsTypical);
}

std::size_t sequence_blocks_needed(double mean, double sd, const SequenceClaim& claim, std::size_t most) {
  for (std::size_t n = 2; n <= most; ++n) {
    if (decides(mean, sequence_expected_half_width(n, sd, claim), claim)) return n;
  }
  return most + 1;
}

std::size_t sequence_blocks_for_power(double mean, double sd, const SequenceClaim& claim, double power,
                                      std::size_t most) {
  for (std::size_t n = 2; n <= most; ++n) {
    const double half = expected_half_width(n, sd, claim, kErrorsToPlan);
    if (std::isfinite(half) && part_that_decides(mean, sd / root(n), half, claim) >= power) return n;
  }
  return most + 1;
}

double sequence_chance(const SequenceSeen& seen, const SequenceClaim& claim, std::size_t most) {
  if (seen.n < 2) return 1;  // no data yet
  const double half = sequence_expected_half_width(most, seen.sd, claim);
  if (!std::isfinite(half)) return 0;
  // Of n + m blocks, n of them observed: the mean is that of the n plus m / (n + m) times the distance to the mean of
  // the others.
  const auto n = static_cast<double>(seen.n), all = static_cast<double>(std::max(most, seen.n));
  return part_that_decides(seen.mean, seen.sd * std::sqrt((all - n) / (all * n)), half, claim);
}

bool sequence_is_futile(const SequenceSeen& seen, const SequenceClaim& claim, std::size_t most) {
  if (seen.n < kFirstFutile) return false;
  const double sd = lower_spread(seen.sd, static_cast<double>(seen.n) - 1);
  const double reach = normal_quantile(0.9) * seen.sd / root(seen.n), centre = (claim.lo + claim.hi) / 2;
  std::vector<double> means = {seen.mean - reach, seen.mean, seen.mean + reach};
  if (std::abs(centre - seen.mean) < reach) means.push_back(centre);
  return std::ranges::none_of(means,
                              [&](double mean) { return sequence_blocks_needed(mean, sd, claim, most) <= most; });
}

double upper_spread(double sd, double degrees) { return spread_limit(sd, degrees, 0.2); }
double lower_spread(double sd, double degrees) { return spread_limit(sd, degrees, 0.9); }

}  // namespace assay
