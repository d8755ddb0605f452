// Globs on '/' paths.
#pragma once

#include <string_view>

namespace assay {

/// `*` and `?` match anything but '/', `**` matches anything, and a `**` between slashes also no folder. A glob without
/// '/' is matched against the last part of the path. Time is at most the product of the lengths.
bool glob_matches(std::string_view glob, std::string_view path);

}  // namespace assay
