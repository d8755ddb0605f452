// Launches that a stream capture recorded, as a table of their own.
#pragma once

#include "load/store.hpp"
#include "load/wanted.hpp"

namespace assay::load {

/// Fills captured_launches (load/captures.hpp) from calls whose `full_name` is the kernel that they name, and drops
/// that column. Call when rows are linked and their times final.
void add_captured_launches(Profile::Store& store, const WantedColumns& wanted);

}  // namespace assay::load
