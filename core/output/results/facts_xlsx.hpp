// facts.xlsx: the facts of a run for those who live in a spreadsheet.
#pragma once

#include <filesystem>
#include <vector>

#include "render/fact_rows.hpp"
#include "result.hpp"

namespace assay {

/// Rows that a sheet of a spreadsheet can have, its heading included.
inline constexpr std::size_t kSheetRows = 1048576;

/// Sheets "wide" (one row per profile and question, one column per label and per metric without dims), "long" (one row
/// per fact and question, labels as columns), "metrics" (titles, units, definitions) and "about". A sheet that would
/// have more than `most_rows` is not written, and "about" says so. Equal results give equal bytes. `file` must not
/// exist.
Status facts_xlsx(const RunResult& run, const FactRows& facts, const std::filesystem::path& file,
                  std::size_t most_rows = kSheetRows);

}  // namespace assay
