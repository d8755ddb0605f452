// What one trace shows that a label may claim.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "assay/report.hpp"

namespace assay::labels {

/// All of the window. Nothing where the trace does not say.
struct Evidence {
  /// Of the host-to-device copies that happen in every iteration, those of the size that moves the most: bytes of one,
  /// and of all of an iteration.
  std::optional<std::int64_t> copy_bytes, iteration_bytes;
  std::optional<std::int64_t> compiled_kernels;  ///< kernels whose name holds one of the words
  std::set<std::int32_t> devices_used, devices_listed;
  std::vector<std::int64_t> grids;  ///< distinct numbers of blocks of a kernel, ascending, at most kMostGrids
};

inline constexpr std::size_t kMostGrids = 4096;

/// One pass over each table; `words` in small letters.
Evidence evidence_of(const Report& report, const std::vector<std::string>& words);

}  // namespace assay::labels
