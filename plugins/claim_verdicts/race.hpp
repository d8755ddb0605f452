// Which of several configurations is the best, over the blocks of a recording? Those certainly worse drop out.
//
// Each block has one run of every configuration that is still in the race, so a two-way table of logs (block,
// configuration) holds them; what is left of it without the means of its rows and columns is noise. Its spread is
// pooled over all configurations, which gives many degrees of freedom after few blocks. Two configurations are compared
// by the mean of their differences within blocks:
//   - The half-width after n blocks is that of a confidence sequence (algo/noise/sequence.hpp) with the
//     degrees of freedom of the pooled spread, so that one may look after every block. All K (K - 1) ordered pairs
//     share the error: then the best stays in with the chance that is promised, and so do all where all are equal.
//   - The spread is the pooled one or the pair's own, the larger.
//   - It is widened for noise that lasts (lasting_noise.hpp), by what all rows show together, those that dropped out
//     included, and by the root of the trend: the squares that a straight line per row explains over what chance gives.
//     A trend of more than 2.5 gives no interval.
//   - Until all rows together have shown 80 steps from block to block in which no row went through more than 6.5 times
//     the spread of its steps and the trend stayed below 1.4, it reaches at least 25 % (8 % from block 16, 0 from 20):
//     ten rows have that after nine blocks, two never before block 20. In the first seven blocks it reaches 20 spreads,
//     or Student's interval at an eighth of the error and 25 % beyond it: what is 2x slower drops out there.
//   - That bound is for a clock state that no block has shown yet. If the clocks of all runs of both were sampled,
//   these
//     are added to the interval in its place: the mean difference of their clocks, since a time changes at most in
//     proportion to a clock, and what a trend as steep as the blocks allow makes until block 15. The interval before
//     block 8 is then Student's at an eighth of the error, and at least the largest range that any row went through.
// The numbers were chosen by simulation (tests/simulation/race_table.cpp; docs/accuracy.md has its table).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace assay::claims {

/// Logs of the measurements of one configuration by block; smaller is better.
struct Racer {
  std::vector<double> block;  ///< rising
  std::vector<double> value;
  /// Logs of the clocks that its runs had (SM, memory), by clock, then block. Empty: not sampled in all of them.
  std::vector<std::vector<double>> clocks;
  bool twin = false;  ///< the second run of the A/A pair: it shows noise and does not race
};

/// The result for one configuration.
struct Standing {
  std::size_t blocks = 0;    ///< in common with the leader
  double gap = 0;            ///< log of its ratio to the leader
  double low = 0, high = 0;  ///< of the gap, simultaneous for all configurations; infinite: unknown
  bool in_set = true;        ///< indistinguishable from the best
  double out_at = 0;         ///< block after which it dropped out
};

struct Race {
  std::size_t leader = 0;  ///< index of a racer
  std::vector<Standing> standings;
  double reached = 0;  ///< log of the factor that contains the whole set; infinite: unknown
  bool ended = false;  ///< the whole set is within the margin
};

/// `margin`: log of the factor within which configurations count as equally good. `error`: probability that the best is
/// not in the set. The twin does not race and is not in `standings`. No standings without two racers with a common
/// block.
Race race_of(std::span<const Racer> racers, double margin, double error);

}  // namespace assay::claims
