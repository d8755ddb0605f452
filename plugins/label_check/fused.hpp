// Rows and widths from compiler-fused kernels. Their blocks contain a power of two of rows or values, chosen by the
// compiler, so the numbers are known only up to that factor.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "judge.hpp"
#include "shapes.hpp"

namespace assay::labels {

/// Blocks of the fused kernels over rows that every layer runs, those launched most often; empty if none is launched
/// twice in an iteration or two are equally frequent.
std::optional<std::int64_t> fused_row_blocks(const Bench& bench, std::size_t report, const Shapes& shapes);

/// First and last number of rows for blocks of 1, 2, 4 ... rows.
std::vector<std::pair<std::int64_t, std::int64_t>> rows_of_blocks(std::int64_t blocks);

/// Whether grid_rows describes fused kernels: most reports with their blocks fit it.
bool fused_rows_follow(const Bench& bench, const Rules& rules);

/// Judges labels by grid_widths on fused kernels over rows times width. A fit up to the factor bears nothing out.
void check_fused_widths(Bench& bench, const Rules& rules);

}  // namespace assay::labels
