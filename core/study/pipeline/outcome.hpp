// From results to an exit code (architecture.md).
#pragma once

#include <optional>
#include <string>

#include "pipeline/run_result.hpp"

namespace assay {

/// Why the whole run failed, as one sentence: no report could be read, or every analyzer failed. Nothing otherwise.
std::optional<std::string> total_failure(const RunResult& run);

/// What --strict objects to, as one sentence: a report that was not read, an analyzer that failed or was skipped on
/// one. A single metric that a report cannot give is no reason. Nothing when all is well.
std::optional<std::string> partial_failure(const RunResult& run);

/// Exit code of a --gate that could neither pass nor fail.
/// Why a --gate says nothing: there are no claims, or so many of which none is decided.
std::string no_decision(std::size_t claims);

}  // namespace assay
