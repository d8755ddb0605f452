// Names of kernels as no one demangler writes them.
#pragma once

#include <string>
#include <string_view>

namespace assay::difference {

/// Nsight Systems and PyTorch demangle one name differently: "<unnamed>" and "(anonymous namespace)", "(int)4" and "4",
/// "[lambda() (instance 3)]" and "{lambda()#3}", "T1 *" and "float*". What both have is left: identifiers and numbers
/// outside of parameter lists, one blank between them.
std::string portable_name(std::string_view name);

}  // namespace assay::difference
