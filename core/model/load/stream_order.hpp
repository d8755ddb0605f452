// The rules for work of one stream: it begins in the order of its launches and ends in the order of its starts.
#pragma once

#include "load/store.hpp"
#include "load/wanted.hpp"

namespace assay::load {

/// - Work of one stream, kernels of graphs aside, begins in the order of its launches. What breaks the order is left
///   out; if a tenth does, the order means nothing and all stays, with an issue.
/// - On such a stream ends come in the order of starts: an end after that of work that began later is cut at the next
///   start. A shorter overlap is real (programmatic launches).
/// Call when work is linked and before ids are dropped. Sets `times_in_doubt` if columns that are not `wanted` decide.
void mend_streams(Profile::Store& store, const WantedColumns& wanted);

}  // namespace assay::load
