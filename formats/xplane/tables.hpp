// Fills the report model from a profile of XLA.
#pragma once

#include "assay/format.hpp"
#include "profile.hpp"

namespace assay::xplane {

void fill_tables(const Profile& profile, Tables& to);

}  // namespace assay::xplane
