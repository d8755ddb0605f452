// The meaning of the columns of a Nsight Compute CSV, by the names in its header.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace assay::ncu {

/// The details page (and --metrics of old versions) has a row per metric. The raw page (and --metrics with --page raw)
/// has a row per kernel, a column per metric and a second line with units. The set of columns depends on the version.
struct NcuLayout {
  /// A metric column of the raw page.
  struct Metric {
    std::size_t column = 0;
    std::string name;
    std::string unit;  ///< from "name [unit]" or else from the line of units
  };

  std::size_t id = 0, kernel = 0;
  std::optional<std::size_t> process, context, stream, block, grid, device, section;
  std::optional<std::size_t> metric, unit, value;                                ///< details page
  std::optional<std::size_t> rule, rule_kind, rule_text, speedup_kind, speedup;  ///< details page, of the rules
  std::vector<Metric> metrics;                                                   ///< raw page

  [[nodiscard]] bool is_long() const { return metric && value; }
  /// Number of cells a row needs to be usable.
  [[nodiscard]] std::size_t least_cells() const;
};

/// The layout described by a header; empty if the row is not a header, that is, has no "ID" or "Kernel Name".
std::optional<NcuLayout> ncu_layout(std::span<const std::string> header);

/// Stores the line of units of the raw page. False if the row is not one: it has an ID.
bool read_units_row(NcuLayout& layout, std::span<const std::string> row);

}  // namespace assay::ncu
