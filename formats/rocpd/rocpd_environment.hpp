// Where the run of a rocpd file was made. Of the variables with which the program was started only those are looked at
// that are named here.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "load/format.hpp"

namespace assay::load::rocpd {

/// What a process was started with: its place in a job, and what was traced. Nothing else of it is kept.
std::map<std::string, std::string> named_variables(std::string_view environment);

/// Whether one of the domains was traced: "KERNEL" of ROCPROF_KERNEL_TRACE=1.
bool traced(const std::map<std::string, std::string>& variables, std::string_view domain);

Environment rocpd_environment(const Candidate& file);

}  // namespace assay::load::rocpd
