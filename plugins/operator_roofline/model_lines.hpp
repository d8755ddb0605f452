// Lines of the model in operators that torch.compile generated.
#pragma once

#include <map>
#include <string>

#include "assay/report.hpp"

namespace assay::roofline {

/// Lines of the model that generated kernels compute, by name, if a log of torch.compile joined the profile. Kernels of
/// one name that compute unlike lines in several graphs have none.
std::map<std::string, std::string> places_of(const Report& report);

}  // namespace assay::roofline
