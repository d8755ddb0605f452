// The one rule, for all formats, for impossible times of a row; such rows are dropped and counted.
#pragma once

#include <set>

#include "load/store.hpp"
#include "load/wanted.hpp"

namespace assay::load {

/// Drops rows of all tables whose times are impossible, with an issue per table:
/// - time 0 among times since the epoch;
/// - outside of the recorded time stated in the file (Profile::Store::recorded);
/// - if none is stated: farther from every row of every table than all of them span, and than a second, unless an event
///   on the host covers the gap.
/// Precondition: tables are cleaned and sorted, and not linked. Sets `times_in_doubt` instead of the last rule if
/// tables that are not `wanted` would decide.
void leave_out_impossible(Profile::Store& store, const WantedColumns& wanted);

/// Drops device work that begins more than a second before its own launch. Call after linking. Sets `times_in_doubt` if
/// calls were not read and some work may be such.
void leave_out_before_launch(Profile::Store& store);

/// Tables whose rows have times.
std::set<ColumnId> timed_tables();

/// Drops the tables that `asked` lacks: they were read only for their times.
void drop_unasked(Profile::Store& store, const Profile::Store& asked);

/// Minimal start of all tables; kNoValue if there is no row.
std::int64_t least_start(Profile::Store& store);

}  // namespace assay::load
