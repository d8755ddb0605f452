// Reports that only NVIDIA's programs can read become exports: by `convert`, and before a run.
#pragma once

#include <atomic>
#include <memory>
#include <span>

#include "cli/answer.hpp"
#include "cli/command_line.hpp"
#include "convert/convert.hpp"
#include "result.hpp"

namespace assay {

/// Converts with a progress bar.
Result<ConvertResult> convert_with_progress(const ConvertOptions& options, bool quiet, const std::atomic<bool>& stop);

/// "157 converted, 3 up to date, 2 failed".
std::string summary_of(const ConvertResult& result);
/// A line for each report that could not be converted.
std::vector<std::string> failures_of(const ConvertResult& result);
Error interruption(const ConvertResult& result);

/// How reports are converted; for `assay run` these mean nothing without `--convert`, given as `needed`.
void add_conversion(CLI::App& command, ConvertOptions& to, CLI::Option* needed = nullptr);

/// What a run does before profiles are looked for: makes the exports that are missing. What fails is a warning, and the
/// run goes on with what there is. Error: a program that was named or found does not run, or it was interrupted.
RunStep conversion_step(std::shared_ptr<const ConvertOptions> how);

/// `assay run --convert`
void add_convert_option(CLI::App& run, RunOptions& to, std::span<CLI::Option* const> concluding);

}  // namespace assay
