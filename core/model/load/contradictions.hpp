// The rules, for all formats, for work and calls that contradict their stream, their thread, their launch or another
// row: what breaks one is mended or left out, and told.
#pragma once

#include "load/store.hpp"
#include "load/wanted.hpp"

namespace assay::load {

/// Every rule holds for each row of 423 exports and 120 traces of sound profilers:
/// - Repeated calls of one thread count once.
/// - Calls of one thread begin in the order of their ids, and a launch, a copy or a wait contains at most the driver's
///   call for it: a begin or an end that breaks this is cut at the call beside it.
/// Call before anything refers to calls.
void mend_calls(Profile::Store& store);

/// - Repeated work, of one stream, launch, start and end, counts once.
/// - Work of one stream keeps its order (stream_order.hpp).
/// - Work lasts at least 100 ns, unless the file counts in microseconds; what does not is told.
/// Call when work is linked and before ids are dropped. Sets `times_in_doubt` if columns that are not `wanted` decide.
void mend_work(Profile::Store& store, const WantedColumns& wanted);

}  // namespace assay::load
