// CSVs of Nsight Compute: a report of their own, or the counters of a report's kernels.
#pragma once

#include <filesystem>
#include <span>

#include "load/format.hpp"
#include "load/store.hpp"

namespace assay::load {

extern const LinkedFormat kNcuFormat;

/// The CSVs of a report's run: fills its tables of profiled launches and counters, and the kernels' column `profiled`
/// where that is wanted. A file that cannot be read becomes an issue; when none can, the report has no counters.
void join_ncu(Profile::Store& store, std::span<const std::filesystem::path> files, const Wanted& wanted);

}  // namespace assay::load
