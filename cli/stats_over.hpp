// `stats --over`: recipes of nsys, which evaluate all exports of a folder together.
#pragma once

#include <atomic>

#include "cli/stats.hpp"

namespace assay {

/// Reads every export below the folder once, as many at a time as there are workers, and writes the combined tables.
/// Reports unreadable files on standard error and continues. Exit 3 if no report produced a row.
Exit stats_over(const StatsOptions& options, const std::atomic<bool>& stop);

}  // namespace assay
