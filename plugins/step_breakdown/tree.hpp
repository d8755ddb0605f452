// The device work that each operator, annotation or python function launched.
#pragma once

#include <cstdint>
#include <vector>

#include "assay/algo/op_tree.hpp"
#include "assay/report.hpp"

namespace assay::step {

/// By row of ops: sum of the durations of kernels, graph launches, copies and sets of the window whose launch has this
/// row as its innermost operator or annotation, ns. Needs col::kernel_op, and col::call_op for the rest.
std::vector<std::int64_t> device_time_by_op(const Report& report);

}  // namespace assay::step
