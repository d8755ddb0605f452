// Measures the peak memory of a piece of work.
#pragma once

#include <cstdint>

namespace assay::process {

/// Measures from its construction: resident memory of the whole process, so other threads should be idle.
class PeakMemory {
 public:
  PeakMemory();
  /// Peak minus the bytes at the start; 0 if the system does not report it. Reusing memory that was free at the start
  /// does not count.
  [[nodiscard]] std::uint64_t bytes() const;

 private:
  std::uint64_t start_;
};

}  // namespace assay::process
