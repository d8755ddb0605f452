// Where a profile was made, and its place among the hosts of its run.
#pragma once

#include <filesystem>

#include "assay/format.hpp"
#include "profile.hpp"

namespace assay::xplane {

/// Says what the headers of a file and the folder it lies in do: files of one folder plugins/profile/DATE are the hosts
/// of one run, ranks in the order of their names.
void identify_profile(const Profile& headers, const std::filesystem::path& file, IdentitySink& out);

}  // namespace assay::xplane
