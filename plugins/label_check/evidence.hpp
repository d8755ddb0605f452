// Properties of a trace that labels may claim.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "assay/report.hpp"
#include "rules.hpp"

namespace assay::labels {

/// Number of launches by number of blocks.
using Grids = std::map<std::int64_t, std::int64_t>;

/// For the whole window. Empty: unknown from the trace.
struct Evidence {
  /// For the size of host-to-device copies that moves the most bytes, among those in every iteration: bytes of one
  /// copy, and of all copies in an iteration.
  std::optional<std::int64_t> copy_bytes, iteration_bytes;
  std::optional<std::int64_t> compiled_kernels;  ///< kernels whose name contains one of the words
  std::optional<std::int64_t> graph_launches;    ///< calls that launch a graph, or rows of graphs if there are more
  std::set<std::int32_t> devices_used, devices_listed;
  std::string machine;  ///< names of the devices that ran work, sorted; empty: unknown
  Grids all_grids;
  Grids row_grids;           ///< of kernels with one block per row (Rules::row_kernels)
  Grids compiled_row_grids;  ///< of compiler-fused ones, whose blocks may contain several rows
  Grids width_grids;         ///< of kernels over rows times width (Rules::width_kernels)
  Grids compiled_width_grids;
  std::map<std::string, std::int64_t> dtypes, attention;  ///< launches by kind, if a label needs it
};

/// One pass over each table.
Evidence evidence_of(const Report& report, const Rules& rules);

/// "1576*300,6280*12": blocks and launches, ascending, the first kMaxGrids.
std::string grids_text(const Grids& grids);
/// Parses that text, up to the first invalid part.
Grids grids_from(std::string_view text);

/// Launches of matrix product and attention kernels whose names contain no data type.
inline constexpr std::string_view kUnnamedKind = "?";

inline constexpr std::size_t kMaxGrids = 4096;

}  // namespace assay::labels
