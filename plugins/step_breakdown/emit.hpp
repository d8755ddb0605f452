// Sends the results of `analyze` to the sink: facts, tables, and reasons for missing values.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "assay/output.hpp"
#include "device_use.hpp"
#include "kernels.hpp"
#include "operators.hpp"
#include "split.hpp"

namespace assay::step {

/// Steps and their split.
void emit_steps(const Steps& steps, std::span<const Parts> parts, ReportSink& sink);

/// Per device and over all of them; reports the source of the values.
void emit_devices(const Report& report, std::span<const KernelFill> fill, const Steps& steps, ReportSink& sink);

/// Whether kernels use tensor cores; `has_operators`: whether it is known for some kernel that an operator launched it
/// or not. `least_known`: share of the kernel time with conclusive names that is required to report a share among
/// those.
void emit_tensor_cores(const TensorCoreTime& time, bool has_operators, double least_known, ReportSink& sink);

/// Share of the first kernel in the time of the `top` kernels.
void emit_top_kernel(const Kernels& kernels, std::size_t top, ReportSink& sink);

/// At most `limit` rows of a table, 0: all; reports what is cut.
void emit_kernels(const Kernels& kernels, std::size_t limit, ReportSink& sink);
void emit_operators(const Report& report, const OperatorNames& eligible, std::size_t limit, ReportSink& sink);
void emit_memory(const Report& report, ReportSink& sink);

}  // namespace assay::step
