// Where the run of a rocpd file was made. Of the program's environment, only the variables named here are read.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "assay/format.hpp"

namespace assay::load::rocpd {

/// The variables with the rank in a job and with the traced domains. No others are kept.
std::map<std::string, std::string> named_variables(std::string_view environment);

/// Whether one of the domains was traced: "KERNEL" for ROCPROF_KERNEL_TRACE=1.
bool traced(const std::map<std::string, std::string>& variables, std::string_view domain);

void identify_run(const FormatFile& file, IdentitySink& out);

}  // namespace assay::load::rocpd
