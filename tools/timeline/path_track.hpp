// Critical paths of a report's iterations, as a track.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "algo/replay/replay.hpp"

namespace assay {

/// A piece of a critical path, in ns of the report. Calls and the host's code between them are one piece.
struct PathSlice {
  std::int64_t start = 0, end = 0;
  replay::Part part = replay::Part::kHost;
  StringId name = 0;           ///< of its kernel, or its only call; 0: none
  std::int64_t iteration = 0;  ///< its number
};

/// Critical path of a replay; its pieces are at the times at which the capture saw their ends.
class PathTrack {
 public:
  explicit PathTrack(const Report& report);

  /// By iteration: by start; they touch, and sum to the iteration's length. None where the report has none, or cannot
  /// be replayed.
  [[nodiscard]] const std::vector<std::vector<PathSlice>>& iterations() const { return iterations_; }
  /// Row of the process that has the iterations.
  [[nodiscard]] std::uint32_t process() const { return process_; }
  /// Why there are no slices although there are iterations; empty: there are.
  [[nodiscard]] const std::string& lacking() const { return lacking_; }

 private:
  std::vector<std::vector<PathSlice>> iterations_;
  std::uint32_t process_ = 0;
  std::string lacking_;
};

}  // namespace assay
