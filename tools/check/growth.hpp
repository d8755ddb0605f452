// Whether an analyzer's work grows as the rows do.
#pragma once

#include <cstddef>

#include "check/checks.hpp"
#include "check/subject.hpp"
#include "check/work.hpp"

namespace assay::check {

/// Whether work grows about as the number of rows does: a loop over all rows within a loop does 16 times as much for 4
/// times the rows, sorting less than 5 times. A warning if the machine is too busy to tell.
CaseReply growth(const Subject& subject, const Report& small, const Report& large);

/// What measures say; `instructions`: what they count, else seconds.
CaseReply growth_reply(const Growth& found, bool instructions, std::size_t small_rows, std::size_t large_rows);

}  // namespace assay::check
