// `stats --over`: the recipes of nsys, which look at all exports of a folder together.
#pragma once

#include <atomic>

#include "stats/stats_command.hpp"

namespace assay {

/// Reads every export below the folder once, as many at a time as there are workers, and writes the tables of all of
/// them. A file that cannot be read is said on standard error and ends nothing. Exit 3 when no report gave a row.
Exit stats_over(const StatsOptions& options, const std::atomic<bool>& stop);

}  // namespace assay
