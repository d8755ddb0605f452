// The one rule, for all formats, by which a row's times cannot be: such rows are left out and counted.
#pragma once

#include <set>

#include "load/store.hpp"
#include "load/wanted.hpp"

namespace assay::load {

/// Leaves out rows of all tables whose times cannot be, with an issue for each table:
/// - time 0 among times since the epoch;
/// - outside of the time in which the file says it was recorded (Profile::Store::recorded);
/// - if it does not say: farther from every row of every table than all of them span, and than a second, unless an
///   event on the host covers the gap.
/// Tables must be cleaned and sorted, and not linked. Sets `times_in_doubt` instead of the last if tables that are not
/// `wanted` decide.
void leave_out_impossible(Profile::Store& store, const WantedColumns& wanted);

/// Leaves out device work that begins more than a second before its own launch. Call when work is linked. Sets
/// `times_in_doubt` if calls were not read and some work may be such.
void leave_out_before_launch(Profile::Store& store);

/// The tables whose rows have times.
std::set<ColumnId> timed_tables();

/// Drops the tables that `asked` does not have, which were read for their times only.
void drop_unasked(Profile::Store& store, const Profile::Store& asked);

/// The least start of all tables; kNoValue if there is no row.
std::int64_t least_start(Profile::Store& store);

}  // namespace assay::load
