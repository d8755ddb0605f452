// Whether an export is there, and whole.
#pragma once

#include <string>

#include "convert/sources.hpp"

namespace assay::convert {

enum class ExportState {
  kMissing,
  kComplete,
  kIncomplete,  ///< cut off, being written, or left by a conversion that did not end
  kForeign,     ///< something else that has the name of the export; not ours to replace
};

struct ExportCheck {
  ExportState state = ExportState::kMissing;
  std::string why;  ///< for kIncomplete and kForeign; without a subject ("is cut off: ...")
};

/// SQLite: all pages that the header promises, no log or journal beside it, the table that every export of nsys begins
/// with and, where there is the one that it ends with, a row in that. CSV: a header of Nsight Compute and a last line
/// that ends. Reads a few pages and changes nothing.
ExportCheck check_export(const Export& made);

}  // namespace assay::convert
