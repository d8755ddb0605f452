// CSVs of Nsight Compute: a report of their own, or the counters of a report's kernels.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "load/nsys/table_load.hpp"
#include "load/store.hpp"
#include "result.hpp"

namespace assay::load {

/// Whether a file is to be read as a CSV of Nsight Compute: it is named .csv and is no SQLite database.
bool looks_like_ncu(const std::filesystem::path& file);

/// CSVs by themselves: profiled launches and counters, no other table. `pages`: further files of the same run. Error,
/// in one sentence, of the first that cannot be read when none can (see NcuReader::read); of others an issue.
Result<std::unique_ptr<Profile::Store>> load_ncu(const std::filesystem::path& file, std::string name,
                                                 std::span<const std::filesystem::path> pages);

/// The CSVs of a report's run: fills its tables of profiled launches and counters, and the kernels' column `profiled`
/// where that is wanted. A file that cannot be read becomes an issue; when none can, the report has no counters.
void join_ncu(Profile::Store& store, std::span<const std::filesystem::path> files, const Wanted& wanted);

}  // namespace assay::load
