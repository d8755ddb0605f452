// Which of several configurations is the best, over the blocks of a recording? Those certainly worse drop out.
//
// Each block has one run of every configuration that is still racing, so their logs form a two-way table (block,
// configuration). Its residuals after subtracting row and column means are noise, whose spread is pooled over all
// configurations: this gives many degrees of freedom after few blocks. Two configurations are compared by the mean of
// their differences within blocks:
// - The half-width after n blocks is that of a confidence sequence (sdk/include/assay/detail/sequence.hpp) with the
//   degrees of freedom of the pooled spread, so one may look after every block. All K (K - 1) ordered pairs share the
//   error: then the best stays in with the promised probability, and so do all if all are equal.
// - The spread is the larger of the pooled one and the pair's own.
// - It is widened for lasting noise (lasting_noise.hpp), estimated from all rows including those that dropped out, and
//   by the root of the trend: the squares explained by a straight line per row, relative to chance. A trend of more
//   than 2.5 gives no interval.
// - It is at least 25 % (8 % from block 16, 0 from 20) until all rows together have shown 80 steps from block to block
//   in which no row moved by more than 6.5 times the spread of its steps and the trend stayed below 1.4: ten rows reach
//   that after nine blocks, two never before block 20. In the first seven blocks it is at least 20 spreads.
// The numbers were chosen by simulation (tests/record/race_table.cpp; docs/accuracy.md has its table).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace assay::claims {

/// Logs of the measurements of one configuration by block; smaller is better.
struct Racer {
  std::vector<double> block;  ///< rising
  std::vector<double> value;
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
