// Reads what profiles say about the executions that they are from.
#pragma once

#include "catalog/catalog.hpp"

namespace assay {

/// Kernel time that two programs share, 0..1: the sum of the lesser shares. Counts do not matter, so that a longer
/// capture of a program equals a shorter one.
double common_share(const Program& a, const Program& b);

/// From this share on, two profiles of one profiler are of the same program.
inline constexpr double kSameProgram = 0.9;

/// Of the processes with device work, else of all; sorted.
std::vector<std::int64_t> pids_of(const RunFacts& facts);

/// Reads the columns that these facts need. Without facts if the profile cannot be read.
RunFacts run_facts_of(const FoundFile& file);

}  // namespace assay
