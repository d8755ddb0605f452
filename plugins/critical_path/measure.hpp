// The replay of one report: the parts of its critical path and the gains of single changes.
#pragma once

#include <string>
#include <vector>

#include "algo/lever/lever.hpp"
#include "algo/replay/path.hpp"

namespace assay::critical {

struct PathMeasurement {
  std::size_t iterations = 0;
  bool whole = false;                                 ///< the capture is a single iteration
  bool cut = false;                                   ///< only its beginning
  std::vector<double> lengths;                        ///< ns of each iteration
  std::vector<std::vector<replay::PathEntry>> split;  ///< by replay::By
  std::vector<replay::PathPartEntry> parts;
  replay::Drift drift;             ///< of the replay without a change
  std::vector<lever::Gain> gains;  ///< larger than the drift, largest first; none if the replay is not faithful
  std::vector<std::string> lost;   ///< levers that gain no more than the drift
};

struct Settings {
  std::size_t most_calls = 0;  ///< to replay: whole iterations, starting with the first
};

/// Throws std::invalid_argument with one sentence if there is nothing to replay.
PathMeasurement measure(const Report& report, const NameRules& classes, const Settings& settings);

}  // namespace assay::critical
