// Which column of a CSV of Nsight Compute says what, told by the names in its header.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace assay::load {

/// Pages: details (and --metrics of old versions) have one row a metric, raw (and --metrics with --page raw) one row a
/// kernel with a column a metric and a second line of units. Versions differ in which columns there are.
struct NcuLayout {
  /// A column of a metric on the raw page.
  struct Metric {
    std::size_t column = 0;
    std::string name;
    std::string unit;  ///< from "name [unit]", else from the line of units
  };

  std::size_t id = 0, kernel = 0;
  std::optional<std::size_t> process, context, stream, block, grid, device, section;
  std::optional<std::size_t> metric, unit, value;  ///< details page
  std::vector<Metric> metrics;                     ///< raw page

  [[nodiscard]] bool is_long() const { return metric && value; }
  /// Cells that a row needs to say anything.
  [[nodiscard]] std::size_t least_cells() const;
};

/// The layout that a header describes; nothing when the row is no header: it names no "ID" or no "Kernel Name".
std::optional<NcuLayout> ncu_layout(std::span<const std::string> header);

/// Takes over the line of units of the raw page. False when the row is none: it has an ID.
bool read_units_row(NcuLayout& layout, std::span<const std::string> row);

}  // namespace assay::load
