// CSVs and reports of Nsight Compute, told by what they hold.
#pragma once

#include <filesystem>
#include <string>

namespace assay::load {

/// Whether a file is named .csv and the header of `ncu --csv`, or a line that ncu marks as its own (==PROF==,
/// ==ERROR==,
/// ==WARNING==), stands in its first kilobytes, in UTF-8 or UTF-16. Other CSVs, such as sweeps, are none.
bool is_ncu_csv(const std::filesystem::path& file);

/// Whether what ncu printed of a report (.ncu-rep) is beside it, under any of the names that are joined by stem. The
/// CSVs are read then, as someone made them on purpose, and not the same results twice.
bool has_ncu_csv(const std::filesystem::path& report);

/// Model of the device by the first launch of a raw page, the only one that names it; empty where none is named.
std::string ncu_device(const std::filesystem::path& file);

}  // namespace assay::load
