// What every format needs once its rows are in columns: work linked to calls, ranges nested.
#pragma once

#include "load/store.hpp"
#include "load/wanted.hpp"

namespace assay::load {

/// Fills `call` of all device work, and what of calls rests on it; drops the correlation ids that nobody wants. Those
/// of calls stay also where twins are wanted and calls share ids or are listed again: there a call does not stand for
/// an id. Rows of process kUnknown belong to the only process if there is no other.
void link_work(Profile::Store& store, const Wanted& wanted);

/// Parents, depths and reach of ranges, and the range around each call if that is wanted.
void arrange_ranges(Profile::Store& store, const Wanted& wanted);

}  // namespace assay::load
