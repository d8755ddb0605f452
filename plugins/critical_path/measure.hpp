// The replay of one report: the parts of its critical path and the gains of single changes.
#pragma once

#include <string>
#include <vector>

#include "algo/replay/path.hpp"

namespace assay::critical {

/// Changes whose gain is predicted, as values of the dim `change`.
inline constexpr std::string_view kNoSync = "no_sync", kOverlapCopies = "overlap_copies",
                                  kNoLaunchCost = "no_launch_cost", kNoHostCode = "no_host_code",
                                  kNoDataLoader = "no_data_loader", kClass = "class:";

struct Gain {
  std::string change;
  std::vector<double> shares;  ///< of each iteration, saved by the change
  double share = 0;            ///< of the median iteration
};

struct PathMeasurement {
  std::size_t iterations = 0;
  bool whole = false;                                 ///< the capture is a single iteration
  bool cut = false;                                   ///< only its beginning
  std::vector<double> lengths;                        ///< ns of each iteration
  std::vector<std::vector<replay::PathEntry>> split;  ///< by replay::By
  std::vector<replay::PathPartEntry> parts;
  replay::Drift drift;            ///< of the replay without a change
  std::vector<Gain> gains;        ///< larger than the drift, largest first
  std::vector<std::string> lost;  ///< changes that gain no more than the drift
};

struct Settings {
  std::size_t most_calls = 0;  ///< to replay: whole iterations, starting with the first
};

/// Throws std::invalid_argument with one sentence if there is nothing to replay.
PathMeasurement measure(const Report& report, const NameRules& classes, const Settings& settings);

}  // namespace assay::critical
