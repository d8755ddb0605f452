// Serialises what a study knows besides the facts of its reports (catalog and sheets), so that it can be concluded
// where the reports are missing.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.hpp"
#include "sheets/sheets.hpp"

namespace assay {

/// The catalog, and the sheets of each question.
struct FoundStudy {
  Catalog catalog;
  std::vector<Sheets> sheets;  ///< [question]
};

/// File paths are omitted: the same reports mounted elsewhere give the same bytes.
std::string to_bytes(const FoundStudy& study);

/// Empty unless all bytes are those of a study. File paths are empty.
std::optional<FoundStudy> study_from_bytes(std::string_view bytes);

}  // namespace assay
