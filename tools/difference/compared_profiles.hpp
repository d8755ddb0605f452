// `assay compare` of profiles.
#pragma once

#include "difference/compare_command.hpp"

namespace assay {

/// Prints the answer and its tables; with `out` also writes summary.md, findings.json and report.html.
Exit compare_profiles(const CompareOptions& options);

}  // namespace assay
