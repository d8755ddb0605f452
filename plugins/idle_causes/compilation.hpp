// Time in which the program was compiled while it was recorded.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "assay/report.hpp"

namespace assay::idle {

/// Names of ranges and functions in which XLA compiles, of JAX's profiler and as Nsight Systems records them.
inline constexpr std::string_view kCompilations = "XlaCompile*, PJRT_Client_Compile*, *backend_compile*";

struct CompilationTime {
  std::int64_t compiled = 0;  ///< ns in which any thread was in a range, span or operator of such a name
  std::int64_t capture = 0;   ///< of so many: from the first range or call to the last, as work on a device comes late
};

/// In a named window: of it.
CompilationTime compilation_time(const Report& report, const std::vector<std::string>& names);

}  // namespace assay::idle
