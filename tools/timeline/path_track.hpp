// Critical paths of a report's iterations, as a track.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "assay/detail/replay.hpp"

namespace assay {

/// A piece of a critical path, in ns of the report.
struct PathSlice {
  std::int64_t start = 0, end = 0;
  replay::Part part = replay::Part::kHost;
  StringId name = 0;           ///< of its kernel or call; 0: none
  std::int64_t iteration = 0;  ///< its number
};

struct PathTrack {
  std::vector<PathSlice> slices;  ///< by start; those of an iteration are contiguous and add up to its length
  std::uint32_t process = 0;      ///< row of the process with the iterations
  std::string lacking;            ///< why there are no slices although there are iterations; else empty
};

/// Without iterations there are no slices. The path is from a replay; its pieces are placed where the capture saw their
/// ends.
PathTrack path_track(const Report& report);

}  // namespace assay
