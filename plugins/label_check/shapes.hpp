// Rows and widths from the grids of one report.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "evidence.hpp"
#include "judge.hpp"

namespace assay::labels {

struct Shapes {
  Grids all, rows, compiled_rows, widths, compiled_widths;
  bool compiled = false;  ///< a compiler fused some kernels: there are fewer with one block per row

  /// Whether a kernel ran that many rows. Without kernels known to have a block per row, any kernel counts.
  [[nodiscard]] bool shows_rows(std::int64_t blocks) const;
  /// The number of rows, if all kernels with one block per row agree; unknown from the remaining kernels of compiled
  /// runs.
  [[nodiscard]] std::optional<std::int64_t> only_rows() const { return only(rows); }
  [[nodiscard]] std::optional<std::int64_t> only_width() const { return only(widths); }
  /// Launches of kernels with one block per row, fused or not; empty if there are none.
  [[nodiscard]] std::optional<std::int64_t> row_launches() const;

 private:
  [[nodiscard]] std::optional<std::int64_t> only(const Grids& grids) const;
};

Shapes shapes_of(const StudyView& view, std::size_t report);

}  // namespace assay::labels
