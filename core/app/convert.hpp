// assay convert: reports that only NVIDIA's programs can read become exports.
#pragma once

#include <atomic>

#include "convert/convert.hpp"
#include "result.hpp"

namespace assay {

/// What `assay convert --help` says below the options.
inline constexpr const char* kConvertFooter =
    R"(.nsys-rep, .qdrep and .ncu-rep files can be read by NVIDIA's own programs only. This command runs them and leaves the
exports beside the reports, where 'assay run' finds them:

  X.nsys-rep, X.qdrep  X.sqlite                             nsys export --type sqlite
  X.ncu-rep            X.ncu.raw.csv, X.ncu.details.csv     ncu --import X.ncu-rep --csv --page raw, details

A report whose export is whole and not older than the report is up to date and is not converted again, so that an
interrupted command can simply be repeated. An export appears whole or not at all, and nothing but exports is replaced.
nsys must be as new as the one that made the report, or newer.

Examples:
  assay convert ~/profiles
  assay convert ~/profiles -j 4 --nsys /opt/nvidia/nsight-systems/2025.3.1/bin/nsys
  assay convert profile.nsys-rep --force --time-limit 3600

Exit codes: 0 done; 2 nothing to convert, or nsys or ncu missing; 3 every report failed (with --strict: any);
130 interrupted.)";

/// Converts with a progress bar and prints the summary, with the reason of each failure. Exit: 0 done; 2 nothing to
/// convert, or no program to convert it with; 3 every report failed, with `strict` any; 130 interrupted.
Exit convert(const ConvertOptions& options, bool strict);

/// For `assay run --convert`: the same before reports are looked for. What fails is a warning, and the run goes on with
/// what there is. Error: a program that was named or found does not run, or the conversion was interrupted.
Status convert_before_run(const ConvertOptions& options, bool quiet, const std::atomic<bool>& stop);

}  // namespace assay
