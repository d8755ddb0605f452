// Runs analyzers in processes of their own (assay run --isolate): one that crashes, hangs or exhausts memory costs no
// other its results.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <set>
#include <string>

#include "analyze/report_sink.hpp"
#include "assay/report.hpp"
#include "process/contained.hpp"
#include "recognise/profiles.hpp"
#include "result.hpp"

namespace assay {

/// Like run_analyzer, in a process that ends with it. A failure yields one skip with `failed`.
AnalyzerOutput run_isolated(const Descriptor& declared, const Analyzer& analyzer, const Report& report,
                            const process::Limits& limits, const std::atomic<bool>& stop);

/// Calls `work` in its own process to find out whether it may be called here: empty if it succeeds, else what happened
/// ("crashed with SIGSEGV").
std::optional<std::string> rehearse(const process::Limits& limits, const std::function<void()>& work);

/// Like rehearse, for the constructor of an analyzer.
std::optional<std::string> rehearse_constructor(const Descriptor& declared, const Options& options,
                                                const process::Limits& limits);

/// Reads a file of a loaded format in its own process first, with an inaccessible page behind each column. Error: the
/// format fails there.
Status rehearse_reading(const ProfileFiles& files, const std::set<ColumnId>& columns, const process::Limits& limits);

}  // namespace assay
