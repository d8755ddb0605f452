// From changes to predicted gains.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "whatif/asked.hpp"
#include "whatif/run.hpp"

namespace assay::whatif {

/// Shares of the critical path, by replay::Part; they sum to 1.
using PathShares = std::array<double, replay::kParts>;

/// Over all iterations of the runs.
PathShares path_shares(std::span<const Run> runs);

struct Prediction {
  std::string change;
  double before = 0, after = 0;  ///< ns of an iteration: median over iterations, mean over runs
  double gain = 0;               ///< ns; negative: it takes longer
  double low = 0, high = 0;      ///< 95 % interval, widened by the drift; equal to gain -+ drift for one iteration
  double drift = 0;              ///< ns by which the replay is off without a change
  bool told = true;              ///< the gain is larger than the drift
  PathShares path_before{}, path_after{};
  std::string reason;  ///< why it gains as much as it does, as a sentence
};

/// All changes at once. Error: one of them means nothing that a run has.
Result<Prediction> predict(std::span<const Run> runs, std::span<const Asked> changes, const NameRules& classes);

/// The changes that gain most, each alone: kernels, operators and ranges that take no time, copies beside the rest, no
/// waiting, launches for nothing. Largest first, at most `most`; what gains no more than the drift is none.
std::vector<Prediction> largest_gains(std::span<const Run> runs, const NameRules& classes, std::size_t most);

/// "kernels 84 %, copies 11 %": the parts that hold most of a path, down to 5 %.
std::string largest_parts(const PathShares& path);

}  // namespace assay::whatif
