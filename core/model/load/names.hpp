// Classifies API calls and kernels by name.
#pragma once

#include <string_view>

#include "assay/report.hpp"

namespace assay::load {

/// The name without the version suffix added by CUPTI: "cudaLaunchKernel_v7000" is cudaLaunchKernel, and
/// "cudaLaunchKernel_ptsz_v7000" is cudaLaunchKernel_ptsz (per-thread default stream, a different function).
std::string_view without_version(std::string_view name);

/// Kind of a call with this name (without version).
CallKind kind_of_call(std::string_view name);

/// "gemm" of "void ns::gemm<float, 4>(float*)": without return type, namespaces, template arguments and parameters.
std::string_view base_name(std::string_view name);

}  // namespace assay::load
