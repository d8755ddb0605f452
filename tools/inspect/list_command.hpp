// `assay list`.
#pragma once

#include <filesystem>
#include <vector>

#include "render/rows.hpp"
#include "result.hpp"

namespace assay {

/// Lists the files of a folder: kind, rows per table, labels (if `configs` declare any), problems.
Exit list_reports(const std::vector<std::filesystem::path>& folders, const std::vector<std::filesystem::path>& configs,
                  RowFormat format = RowFormat::kTable);

}  // namespace assay
