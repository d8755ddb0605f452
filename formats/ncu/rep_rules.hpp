// What the rules of Nsight Compute say of the launches of a .ncu-rep, and the NVTX ranges around each: text that is
// shown as it is, beside the counters that the report model holds.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "load/rules.hpp"
#include "result.hpp"

namespace assay::load {

/// By launch, in the order of the file. Error as of read_rep.
Result<std::vector<RuledLaunch>> read_rules(const std::filesystem::path& file);

/// "Check the @section:SourceCounters:Source Counters@ section" without the markup: a link keeps its address in
/// parentheses.
std::string without_markup(std::string_view text);

}  // namespace assay::load
