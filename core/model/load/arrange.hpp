// What every format needs once its rows are in columns: work linked to calls, ranges nested.
#pragma once

#include "load/store.hpp"
#include "load/wanted.hpp"

namespace assay::load {

/// Leaves out rows whose times cannot be (possible_times.hpp), sets `call` of all device work and the columns of calls
/// that depend on it, and drops correlation ids that nobody asked for. Those of calls are kept as well where twins are
/// asked for and calls share ids or are listed twice: there a call does not identify an id. Rows of process kUnknown
/// belong to the only process if there is no other.
void link_work(Profile::Store& store, const WantedColumns& wanted);

class CallLinker;

/// Says how many kernel launches have no kernel although others do, and where they are; nothing below 1 % of them, and
/// where graphs are launched.
void note_lost_launches(const CallLinker& linker, Profile::Store& store);

/// Ends of ranges that were never ended, parents, depths and reach of ranges, and the range around each call if that is
/// wanted.
void arrange_ranges(Profile::Store& store, const WantedColumns& wanted);

}  // namespace assay::load
