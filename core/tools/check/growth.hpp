// Whether an analyzer's time grows as the rows do.
#pragma once

#include "check/checks.hpp"
#include "check/subject.hpp"

namespace assay::check {

/// Whether time grows about as the number of rows does: a loop over all rows within a loop takes 16 times as long for 4
/// times the rows, sorting less than 5 times.
Reply growth(const Subject& subject, const Report& small, const Report& large);

}  // namespace assay::check
