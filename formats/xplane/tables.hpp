// Fills the report model from a profile of XLA.
#pragma once

#include "assay/format.hpp"
#include "profile.hpp"

namespace assay::xplane {

/// Throws Damage if a program cannot be read.
void fill_tables(Profile& profile, Tables& to);

}  // namespace assay::xplane
