// assay convert: reports that only NVIDIA's programs can read become exports.
#pragma once

#include <atomic>

#include "app/command_line.hpp"
#include "convert/convert.hpp"
#include "result.hpp"

namespace assay {

/// Converts with a progress bar and prints the summary, with the reason of each failure. Exit: 0 done; 2 nothing to
/// convert, or no program to convert it with; 3 every report failed, with `strict` any; 130 interrupted.
Exit convert(const ConvertOptions& options, bool strict);

/// How reports are converted; for `assay run` these mean nothing without `--convert`, given as `needed`.
void add_conversion(CLI::App& command, ConvertOptions& to, CLI::Option* needed = nullptr);

/// For `assay run --convert`: the same before reports are looked for. What fails is a warning, and the run goes on with
/// what there is. Error: a program that was named or found does not run, or the conversion was interrupted.
Status convert_before_run(const ConvertOptions& options, bool quiet, const std::atomic<bool>& stop);

}  // namespace assay
