// Derives an exit code from results (docs/commands.md).
#pragma once

#include <optional>
#include <string>

#include "pipeline/run_result.hpp"

namespace assay {

/// Why the whole run failed, in one sentence: no report could be read, or every analyzer failed. Empty otherwise.
std::optional<std::string> total_failure(const RunResult& run);

/// Why --strict rejects the run, in one sentence: a report that was not read, an analyzer that failed or was skipped on
/// a report. A single missing metric does not count. Empty: accepted.
std::optional<std::string> partial_failure(const RunResult& run);

/// Why a --gate has no verdict: there are no claims, or none of the `claims` is decided.
std::string no_decision(std::size_t claims);

}  // namespace assay
