// Runs work on several GPUs in parallel.
#pragma once

#include <functional>
#include <vector>

#include "result.hpp"

namespace assay::record {

/// Runs all of them in parallel, each on its own thread (a single one on this thread), and waits. Returns the error of
/// the first in the list that failed.
Status at_once(const std::vector<std::function<Status()>>& lanes);

}  // namespace assay::record
