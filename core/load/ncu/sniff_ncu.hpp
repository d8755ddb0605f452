// CSVs of Nsight Compute, told by what they hold.
#pragma once

#include <filesystem>
#include <string>

namespace assay::load {

/// Whether a file is named .csv and the header of `ncu --csv`, or a line that ncu marks as its own (==PROF==,
/// ==ERROR==,
/// ==WARNING==), stands in its first kilobytes, in UTF-8 or UTF-16. Other CSVs, such as sweeps, are none.
bool is_ncu_csv(const std::filesystem::path& file);

/// Model of the device by the first launch of a raw page, the only one that names it; empty where none is named.
std::string ncu_device(const std::filesystem::path& file);

}  // namespace assay::load
