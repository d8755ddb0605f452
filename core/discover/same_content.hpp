// Which files hold the same bytes.
#pragma once

#include <vector>

#include "discover/catalog.hpp"

namespace assay {

/// For each file the index of the first one with the same bytes; its own when there is none before it. Only reports
/// of equal size are read, those that begin and end alike once for a digest, and once more those whose digest another
/// has.
std::vector<std::size_t> first_with_same_content(const std::vector<FoundFile>& files);

}  // namespace assay
