// Launches recorded by a stream capture, as a table of their own.
#pragma once

#include "load/store.hpp"
#include "load/wanted.hpp"

namespace assay::load {

/// Fills captured_launches (load/captures.hpp) from calls whose `full_name` is a kernel name, and drops that column.
/// Requires linked rows and final times.
void add_captured_launches(Profile::Store& store, const WantedColumns& wanted);

}  // namespace assay::load
