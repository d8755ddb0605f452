// `assay compare` of profiles.
#pragma once

#include "difference/compare_command.hpp"

namespace assay {

/// Prints the answer and its tables; with `out` also writes what `run` writes.
Exit compare_profiles(const CompareOptions& options);

}  // namespace assay
