// Ctrl-C asks the run to stop; a second one ends it at once. Who is waited for, and who crashed, is named.
#pragma once

#include <atomic>

namespace assay {

/// From now on SIGINT and SIGTERM raise the flag that is returned; where analyzers are at work the first one names them
/// with their reports on standard error.
const std::atomic<bool>& stop_on_signals();

/// From now on SIGINT raises the flag each time, and ends a read that waits: at a prompt it cancels what is typed or
/// runs, not the program.
const std::atomic<bool>& stop_statements_on_signals();
/// Whether it was raised since the last call; lowers it.
bool interrupted();

/// Makes a write beyond a file size limit an error, so that nothing unfinished is left.
void report_full_files();

/// From now on a crash within an analyzer is told on standard error, with its name and that of the report, before this
/// process ends as it would have. Processes that it forks crash as they want.
void name_crashes();

}  // namespace assay
