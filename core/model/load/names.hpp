// What the names of API calls and kernels say.
#pragma once

#include <string_view>

#include "assay/report.hpp"

namespace assay::load {

/// The name without the version suffix that CUPTI adds: "cudaLaunchKernel_v7000" is cudaLaunchKernel, and
/// "cudaLaunchKernel_ptsz_v7000" is cudaLaunchKernel_ptsz (per-thread default stream, another function).
std::string_view without_version(std::string_view name);

/// What a call of this name (without version) does.
CallKind kind_of_call(std::string_view name);

/// "gemm" of "void ns::gemm<float, 4>(float*)": without return type, namespaces, template arguments and parameters.
std::string_view base_name(std::string_view name);

}  // namespace assay::load
