// Globs on '/' paths.
#pragma once

#include <string_view>

namespace assay {

/// `*` and `?` stand for anything but '/', `**` for anything at all, and a `**` between slashes also for no folder. A
/// glob without '/' is matched against the last part of the path. Time is the product of the lengths, whatever the
/// glob.
bool glob_matches(std::string_view glob, std::string_view path);

}  // namespace assay
