// What reading the reports adds to the completeness that their names promised.
#pragma once

#include "conclude/conclude.hpp"

namespace assay {

/// Completeness with `lacking` filled, reports that turned out unreadable listed as such, and the cells of the matrix
/// that had no other report counted as missing.
Completeness completeness_after_reading(const AnalyzedQuestion& question);

}  // namespace assay
