// What the grids of one report say of its rows and widths.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "evidence.hpp"
#include "judge.hpp"

namespace assay::labels {

struct Shapes {
  Grids all, rows, compiled_rows, widths, compiled_widths;
  bool compiled = false;  ///< a compiler fused some kernels: those with a block a row are not all there

  /// Whether a kernel ran that many rows. Of a trace without kernels known to have a block a row any kernel counts.
  [[nodiscard]] bool shows_rows(std::int64_t blocks) const;
  /// The rows of the run, where all kernels with one block per row agree; what a compiler left over does not say it.
  [[nodiscard]] std::optional<std::int64_t> only_rows() const { return only(rows); }
  [[nodiscard]] std::optional<std::int64_t> only_width() const { return only(widths); }
  /// Launches of kernels with one block per row, fused or not; nothing where there are none.
  [[nodiscard]] std::optional<std::int64_t> row_launches() const;

 private:
  [[nodiscard]] std::optional<std::int64_t> only(const Grids& grids) const;
};

Shapes shapes_of(const StudyView& view, std::size_t report);

}  // namespace assay::labels
