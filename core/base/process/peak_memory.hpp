// How much memory a piece of work takes at its most.
#pragma once

#include <cstdint>

namespace assay::process {

/// Measures from its construction on: resident memory of the whole process, so other threads should rest.
class PeakMemory {
 public:
  PeakMemory();
  /// Bytes at the worst moment beyond those at the start; 0 where the system does not tell. Memory that the process
  /// held and had free before is not counted when it is used again.
  [[nodiscard]] std::uint64_t bytes() const;

 private:
  std::uint64_t start_;
};

}  // namespace assay::process
