// Names that are near to one that is not there, for messages.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/report.hpp"
#include "assay/words.hpp"

namespace assay {

/// Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b` (optimal string alignment). Costs
/// the product of the lengths.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// At most `most` of `known`, the nearest to `name` first; of names that differ in numbers only the shortest.
/// Of very long names the first 200 bytes count.
std::vector<std::string> nearest_names(std::string_view name, const std::vector<std::string_view>& known,
                                       std::size_t most);

/// "; the nearest are 'forward', 'backward' and 'step_0'", to go on a sentence that `name` is not there; empty where
/// there is no name at all.
std::string nearest_text(std::string_view name, const std::vector<std::string_view>& known);

/// Names of the report's NVTX ranges, each once.
std::vector<std::string_view> range_names(const Report& report);

}  // namespace assay
