// What one trace shows that a label may claim.
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

/// Launches by number of blocks of a launch.
using Grids = std::map<std::int64_t, std::int64_t>;

/// All of the window. Nothing where the trace does not say.
struct Evidence {
  /// Of the host-to-device copies that happen in every iteration, those of the size that moves the most: bytes of one,
  /// and of all of an iteration.
  std::optional<std::int64_t> copy_bytes, iteration_bytes;
  std::optional<std::int64_t> compiled_kernels;  ///< kernels whose name holds one of the words
  std::optional<std::int64_t> graph_launches;    ///< calls that launch a graph, or rows of graphs where those are more
  std::set<std::int32_t> devices_used, devices_listed;
  std::string machine;  ///< names of the devices that ran something, sorted; empty: not said
  Grids all_grids;
  Grids row_grids;           ///< of kernels with one block per row (Rules::row_kernels)
  Grids compiled_row_grids;  ///< of those that a compiler fused: their blocks may hold several rows
  Grids width_grids;         ///< of kernels that go over rows times width (Rules::width_kernels)
  Grids compiled_width_grids;
  std::map<std::string, std::int64_t> dtypes, attention;  ///< launches by kind, where a label asks for it
};

/// One pass over each table.
Evidence evidence_of(const Report& report, const Rules& rules);

/// "1576*300,6280*12": blocks and launches, ascending, the first kMostGrids.
std::string grids_text(const Grids& grids);
/// That text read again; what is no such text ends it.
Grids grids_from(std::string_view text);

/// Launches of kernels of matrix products and attention whose names hold no word of a data type.
inline constexpr std::string_view kUnnamedKind = "?";

inline constexpr std::size_t kMostGrids = 4096;

}  // namespace assay::labels
