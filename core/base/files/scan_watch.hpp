// How far a scan of folders is, for whoever waits for it.
#pragma once

#include <cstddef>
#include <functional>

namespace assay {

/// Hears, from any thread, how many entries were found (`all` 0), then how many of `all` files were looked at; a stage
/// ends with `done` equal to `all`.
using ScanWatch = std::function<void(std::size_t done, std::size_t all)>;

/// Of the process: null until the program sets it, before anything is walked.
ScanWatch& scan_watch();

}  // namespace assay
