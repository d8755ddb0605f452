// What a study knows beside the facts of its reports (catalog and sheets) as bytes and back, so that it can be
// concluded where the reports are not.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.hpp"
#include "sheets/sheets.hpp"

namespace assay {

/// What was found, and the sheets of each question.
struct FoundStudy {
  Catalog catalog;
  std::vector<Sheets> sheets;  ///< [question]
};

/// The paths of files are left out: the same reports mounted elsewhere give the same bytes.
std::string to_bytes(const FoundStudy& study);

/// Nothing when the bytes are not, to the last one, those of a study. Paths of files are empty.
std::optional<FoundStudy> study_from_bytes(std::string_view bytes);

}  // namespace assay
