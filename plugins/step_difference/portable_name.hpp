// Names of kernels and API calls without what belongs to one tool or vendor.
#pragma once

#include <string>
#include <string_view>

namespace assay::difference {

/// Nsight Systems and PyTorch demangle one name differently: "<unnamed>" and "(anonymous namespace)", "(int)4" and "4",
/// "[lambda() (instance 3)]" and "{lambda()#3}", "T1 *" and "float*". What both have is left: identifiers and numbers
/// outside of parameter lists, one blank between them.
std::string portable_name(std::string_view name);

/// Inductor numbers its kernels as it generates them, so that one more shifts all others: "triton_poi_fused_add" of
/// "triton_poi_fused_add_3". Other names stay as they are.
std::string_view without_running_number(std::string_view name);

/// "DeviceSynchronize" of cudaDeviceSynchronize and hipDeviceSynchronize.
std::string_view portable_call(std::string_view name);

}  // namespace assay::difference
