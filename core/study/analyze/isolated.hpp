// Analyzers in processes of their own (assay run --isolate): one that crashes, hangs or eats memory costs no other its
// results.
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

/// As run_analyzer, in a process of its own that ends with it. What did not come through gives one skip with `failed`.
AnalyzerOutput run_isolated(const Descriptor& declared, const Analyzer& analyzer, const Report& report,
                            const process::Limits& limits, const std::atomic<bool>& stop);

/// Calls `work` in a process of its own, to see whether it may be called here: nothing when it came through, else what
/// happened ("crashed with SIGSEGV").
std::optional<std::string> rehearse(const process::Limits& limits, const std::function<void()>& work);

/// The same for the constructor of an analyzer.
std::optional<std::string> rehearse_constructor(const Descriptor& declared, const Options& options,
                                                const process::Limits& limits);

/// Reads a file in a process of its own first if its format is a loaded one, with a page behind each column that nobody
/// may touch. Error: the format does not come through.
Status rehearse_reading(const ProfileFiles& files, const std::set<ColumnId>& columns, const process::Limits& limits);

}  // namespace assay
