// Ctrl-C asks the run to stop; a second one ends it at once.
#pragma once

#include <atomic>

namespace assay {

/// From now on SIGINT and SIGTERM raise the flag that is returned. Also lets a write beyond a file size limit fail as
/// an error instead of killing the program.
const std::atomic<bool>& stop_on_signals();

}  // namespace assay
