// Suggests similar names for one that does not exist.
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

/// Number of insertions, deletions, replacements and swaps of neighbours that turn `a` into `b` (optimal string
/// alignment). Costs the product of the lengths.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// At most `most` of `known`, nearest to `name` first; of names that differ only in numbers the shortest. Only the
/// first 200 bytes of long names count.
std::vector<std::string> nearest_names(std::string_view name, const std::vector<std::string_view>& known,
                                       std::size_t most);

/// "; the nearest are 'forward', 'backward' and 'step_0'", to end a sentence on the missing `name`; empty if there are
/// no names.
std::string nearest_text(std::string_view name, const std::vector<std::string_view>& known);

/// Names of the report's NVTX ranges, without duplicates.
std::vector<std::string_view> range_names(const Report& report);

}  // namespace assay
