// The rule results of Nsight Compute for the launches of a file, and in a .ncu-rep the NVTX ranges around each. They
// are shown as text next to the counters of the report model.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "load/rules.hpp"
#include "result.hpp"

namespace assay::load {

/// By launch, in file order. Errors as for read_rep.
Result<std::vector<RuledLaunch>> read_rules(const std::filesystem::path& file);

/// The same from a details page as CSV (`ncu --csv`, `--page details`); empty if it has no rules. Errors as for
/// read_text_rows.
Result<std::vector<RuledLaunch>> read_text_rules(const std::filesystem::path& file);

/// "Check the @section:SourceCounters:Source Counters@ section" without the markup; links keep their address in
/// parentheses.
std::string without_markup(std::string_view text);

}  // namespace assay::load
