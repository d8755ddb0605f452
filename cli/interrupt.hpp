// The first Ctrl-C asks the run to stop, the second ends it at once. Names the analyzer that is being waited for or
// that crashed.
#pragma once

#include <atomic>

namespace assay {

/// Makes SIGINT and SIGTERM set the returned flag; if analyzers are running, the first signal also prints them and
/// their reports to standard error.
const std::atomic<bool>& stop_on_signals();

/// Makes each SIGINT set the flag and interrupt a waiting read: at a prompt it cancels the input or the running
/// statement, not the program.
const std::atomic<bool>& stop_statements_on_signals();
/// Whether the flag was set since the last call; clears it.
bool interrupted();

/// Makes a write beyond the file size limit an error, so that no unfinished file is left.
void report_full_files();

/// Reports a crash within an analyzer on standard error, with the names of the analyzer and the report, before the
/// process ends as it would have. Does not apply to processes that it forks.
void name_crashes();

}  // namespace assay
