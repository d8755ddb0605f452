// The critical paths of a report's iterations, as a track shows them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "algo/replay/replay.hpp"

namespace assay {

/// A piece of a critical path, ns of the report.
struct PathSlice {
  std::int64_t start = 0, end = 0;
  replay::Part part = replay::Part::kHost;
  StringId name = 0;           ///< of the kernel or call that the piece is; 0: it is none, or has no name
  std::int64_t iteration = 0;  ///< its number
};

struct PathTrack {
  std::vector<PathSlice> slices;  ///< by start; those of an iteration touch, and sum to its length
  std::uint32_t process = 0;      ///< row of the process that has the iterations
  std::string lacking;            ///< why there are no slices although there are iterations; empty: there are
};

/// Without iterations there are no slices. The path is that of a replay; its pieces stand where the capture saw their
/// ends.
PathTrack path_track(const Report& report);

}  // namespace assay
