// Where a profile was made, and its rank among the hosts of the run.
#pragma once

#include <filesystem>

#include "assay/format.hpp"
#include "profile.hpp"

namespace assay::xplane {

/// Sets properties from the headers of a file and from its folder: files in one folder plugins/profile/DATE are the
/// hosts of one run, ranked by name.
void identify_profile(const Profile& headers, const std::filesystem::path& file, IdentitySink& out);

}  // namespace assay::xplane
