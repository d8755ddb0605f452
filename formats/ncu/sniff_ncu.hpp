// Recognises CSVs and reports of Nsight Compute by their content.
#pragma once

#include <filesystem>
#include <string>

namespace assay::ncu {

/// Whether a file is named .csv and its first kilobytes contain, in UTF-8 or UTF-16, the header of `ncu --csv` or a
/// line marked by ncu (==PROF==, ==ERROR==, ==WARNING==). Other CSVs, such as sweeps, do not match.
bool is_ncu_csv(const std::filesystem::path& file);

/// Whether there is a CSV printed by ncu from a report (.ncu-rep), under any of the names that are joined by stem. Then
/// the CSVs are read, since someone made them on purpose, and the report is not, which has the same results.
bool has_ncu_csv(const std::filesystem::path& report);

/// The device model from the first launch of a raw page, the only page with it; empty if there is none.
std::string ncu_device(const std::filesystem::path& file);

}  // namespace assay::ncu
