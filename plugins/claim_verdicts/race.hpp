// Which of several configurations is the best, over the blocks of a recording: those surely worse drop out.
//
// Each block has one run of every configuration that is still in the race, so a two-way table of logs (block,
// configuration) holds them; what is left of it without the means of its rows and columns is noise. Its spread is
// pooled over all configurations, which gives many degrees of freedom after few blocks. Two configurations are compared
// by the mean of their differences within blocks:
//   - The half-width after n blocks is that of a confidence sequence (sdk/include/assay/detail/sequence.hpp) with the
//     degrees of freedom of the pooled spread, so that one may look after every block. All K (K - 1) ordered pairs
//     share the error: then the best stays in with the chance that is promised, and so do all where all are equal.
//   - The spread is the pooled one or the pair's own, the larger.
//   - Noise that lasts over blocks widens it as there, by the correlation of neighbouring blocks and by partial sums,
//     here of all series of the table together.
//   - Before block 16 it reaches at least 8 %, since a clock state may last as long; where the recording is calm, from
//     block 8 on, 2.2 times the spread will do.
// The numbers were chosen by simulation (tests/record/race_table.cpp; docs/recording.md has its table).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace assay::claims {

/// Logs of what one configuration took, a smaller one being better, by block.
struct Racer {
  std::vector<double> block;  ///< rising
  std::vector<double> value;
  bool twin = false;  ///< the second of the A/A pair: it shows noise and does not race
};

/// Where a configuration stands.
struct Standing {
  std::size_t blocks = 0;    ///< common to it and the leader
  double gap = 0;            ///< log of its ratio to the leader
  double low = 0, high = 0;  ///< of the gap, simultaneous for all configurations; infinite: not known
  bool in_set = true;        ///< it cannot be told from the best
  double out_at = 0;         ///< block after which it dropped out
};

struct Race {
  std::size_t leader = 0;  ///< index of a racer
  std::vector<Standing> standings;
  double reached = 0;  ///< log of the factor within which all of the set are; infinite: not known
  bool ended = false;  ///< all of the set are within the margin
};

/// `margin`: log of the factor within which configurations count as equally good. `error`: chance that the best is not
/// in the set. The twin is no racer, and `standings` has none for it. No standings without two racers of a common
/// block.
Race race_of(std::span<const Racer> racers, double margin, double error);

}  // namespace assay::claims
