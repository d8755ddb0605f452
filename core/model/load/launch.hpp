// Groups equal profiled launches, and matches kernels of a report to the groups.
#pragma once

#include <string_view>

#include "load/store.hpp"
#include "load/wanted.hpp"

namespace assay::load {

/// Groups the profiled launches of a store, if it has any: fills their `group` and `short_name`. If that is wanted,
/// also `profiled` of every kernel: the group of its name and launch shape, -1 for none; with issues on kernels that
/// have the name of a profiled one but match no group, and on groups that match no kernel, whose codes begin with
/// `word`, that of the counters' format.
void group_counters(Profile::Store& store, const WantedColumns& wanted, std::string_view word);

}  // namespace assay::load
