// Converts reports that only NVIDIA's programs can read: for `convert`, and before a run.
#pragma once

#include <atomic>
#include <memory>
#include <span>

#include "cli/answer.hpp"
#include "cli/command_line.hpp"
#include "convert/convert.hpp"
#include "result.hpp"

namespace assay {

/// Converts and shows a progress bar.
Result<ConvertResult> convert_with_progress(const ConvertOptions& options, bool quiet, const std::atomic<bool>& stop);

/// "157 converted, 3 up to date, 2 failed".
std::string summary_of(const ConvertResult& result);
/// One line per report that could not be converted.
std::vector<std::string> failures_of(const ConvertResult& result);
Error interruption(const ConvertResult& result);

/// Adds options for the conversion; for `assay run` they need `--convert`, passed as `needed`.
void add_conversion(CLI::App& command, ConvertOptions& to, CLI::Option* needed = nullptr);

/// Step of a run before profiles are searched: creates missing exports. Failures are warnings, and the run continues
/// with what exists. Error: a program that was named or found does not run, or an interrupt.
RunStep conversion_step(std::shared_ptr<const ConvertOptions> how);

/// `assay run --convert`
void add_convert_option(CLI::App& run, RunOptions& to, std::span<CLI::Option* const> concluding);

}  // namespace assay
