// Post-processing for every format once rows are in columns: links work to calls and nests ranges.
#pragma once

#include "load/store.hpp"
#include "load/wanted.hpp"

namespace assay::load {

/// Drops rows with impossible times (possible_times.hpp), sets `call` of all device work and the columns of calls that
/// depend on it, and drops correlation ids that are not wanted. Keeps those of calls also if twins are wanted and calls
/// share ids or are listed twice, because a call then does not identify an id. Rows of process kUnknown go to the only
/// process, if there is just one.
void link_work(Profile::Store& store, const WantedColumns& wanted);

/// A linked call of no known name that has launched work is a launch: each vendor's runtime has names of its own.
void name_launches(Profile::Store& store);

class CallLinker;

/// Adds an issue with the number and place of kernel launches without a kernel, if other launches have one; not below 1
/// % of them, or if graphs are launched.
void note_lost_launches(const CallLinker& linker, Profile::Store& store);

/// Sets ends of ranges that were never closed, parents, depths and reach of ranges, and the range around each call if
/// wanted.
void arrange_ranges(Profile::Store& store, const WantedColumns& wanted);

}  // namespace assay::load
