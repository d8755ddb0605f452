// Work on several GPUs at the same time.
#pragma once

#include <functional>
#include <vector>

#include "result.hpp"

namespace assay::record {

/// Runs all of them at once, each on a thread of its own, a single one on this thread, and waits for all. What the
/// first in the list that failed says.
Status at_once(const std::vector<std::function<Status()>>& lanes);

}  // namespace assay::record
