// Time in which the program was compiled while it was recorded.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "assay/report.hpp"

namespace assay::idle {

/// Names of ranges and functions in which XLA compiles, of JAX's profiler and as Nsight Systems records them.
inline constexpr std::string_view kCompilations = "XlaCompile*, PJRT_Client_Compile*, *backend_compile*";

/// ns of the window in which any thread was in a range, span or operator of such a name.
std::int64_t compilation_time(const Report& report, const std::vector<std::string>& names);

}  // namespace assay::idle
