// Checks how an analyzer's work grows with the number of rows.
#pragma once

#include <cstddef>

#include "check/checks.hpp"
#include "check/subject.hpp"
#include "check/work.hpp"

namespace assay::check {

/// Checks that work is roughly linear in the number of rows: for 4 times the rows a nested loop does 16 times the work,
/// sorting less than 5 times. A warning if the machine is too busy.
CaseReply growth(const Subject& subject, const Report& small, const Report& large);

/// Reply for these measurements; `instructions`: they count instructions, else seconds.
CaseReply growth_reply(const Growth& found, bool instructions, std::size_t small_rows, std::size_t large_rows);

}  // namespace assay::check
