// Which files hold the same bytes.
#pragma once

#include <vector>

#include "discover/catalog.hpp"

namespace assay {

/// For each file the index of the first one with the same bytes; its own when there is none before it. Only reports
/// exports of equal size are read, and no further than to their first difference.
std::vector<std::size_t> first_with_same_content(const std::vector<FoundFile>& files);

}  // namespace assay
