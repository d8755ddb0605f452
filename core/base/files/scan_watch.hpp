// Progress of a folder scan.
#pragma once

#include <cstddef>
#include <functional>

namespace assay {

/// Called from any thread with the number of entries found (`all` 0), then with how many of `all` files were inspected;
/// a stage ends with `done` equal to `all`.
using ScanWatch = std::function<void(std::size_t done, std::size_t all)>;

/// One per process; null until the program sets it, before the first walk.
ScanWatch& scan_watch();

}  // namespace assay
