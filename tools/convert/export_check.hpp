// Checks whether an export exists and is complete.
#pragma once

#include <string>

#include "convert/sources.hpp"

namespace assay::convert {

enum class ExportState {
  kMissing,
  kComplete,
  kIncomplete,  ///< cut off, being written, or left by an interrupted conversion
  kForeign,     ///< a foreign file with the name of the export, not to be replaced
};

struct ExportCheck {
  ExportState state = ExportState::kMissing;
  std::string why;    ///< for kIncomplete and kForeign, a predicate ("is cut off: ...")
  std::string added;  ///< for kComplete: a table of the user's, which converting again would lose; empty: none
};

/// SQLite: has all pages that the header promises, no log or journal next to it, the first table of every nsys export
/// and, if the last table exists, a row in it. CSV: has a header of Nsight Compute and a complete last line. Reads a
/// few pages and changes nothing.
ExportCheck check_export(const Export& made);

}  // namespace assay::convert
