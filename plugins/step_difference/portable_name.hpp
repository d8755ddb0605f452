// Normalizes names of kernels and API calls across tools and vendors.
#pragma once

#include <string>
#include <string_view>

namespace assay::difference {

/// Nsight Systems and PyTorch demangle a name differently: "<unnamed>" and "(anonymous namespace)", "(int)4" and "4",
/// "[lambda() (instance 3)]" and "{lambda()#3}", "T1 *" and "float*". Keeps what both have: identifiers and numbers
/// outside of parameter lists, separated by blanks.
std::string portable_name(std::string_view name);

/// Inductor numbers its kernels in generation order, so that a new one shifts all others: returns
/// "triton_poi_fused_add" for "triton_poi_fused_add_3", and other names unchanged.
std::string_view without_running_number(std::string_view name);

/// "DeviceSynchronize" for cudaDeviceSynchronize and hipDeviceSynchronize.
std::string_view portable_call(std::string_view name);

}  // namespace assay::difference
