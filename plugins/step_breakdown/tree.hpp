// Operators, annotations and python functions as a tree, and the device work that each launched.
#pragma once

#include <cstdint>
#include <vector>

#include "assay/report.hpp"

namespace assay::step {

/// Rows of ops with those around a row before it. A row's number does not tell: of rows with one start the inner one
/// comes first.
std::vector<std::size_t> outside_in(const OpTable& ops);

/// Whether a row lies in the window's part of the host (always, without a named window).
bool on_host_in_window(const Report& report, std::int64_t start, std::int64_t end);

/// By row of ops: sum of the durations of kernels, graph launches, copies and sets of the window whose launch has this
/// row as its innermost operator or annotation, ns. Needs col::kernel_op, and col::call_op for the rest.
std::vector<std::int64_t> device_time_by_op(const Report& report);

}  // namespace assay::step
