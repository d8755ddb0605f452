// The rule results of Nsight Compute for the launches of a file, and in a .ncu-rep the NVTX ranges around each. They
// are shown as text next to the counters of the report model.
#pragma once

#include <filesystem>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "formats/ncu/unreadable.hpp"

namespace assay::ncu {

struct RuleSaying {
  std::string section, rule, kind, text;  ///< as in RuleView
  double speedup = std::numeric_limits<double>::quiet_NaN();
  bool local = false;
};
struct RuledLaunch {
  std::string kernel;
  std::vector<std::string> ranges;  ///< outermost first
  std::vector<RuleSaying> sayings;
};

/// By launch, in file order. Throws like read_rep.
std::vector<RuledLaunch> read_rules(const std::filesystem::path& file);

/// The same from a details page as CSV (`ncu --csv`, `--page details`); empty if it has no rules. Throws like
/// read_text_rows.
std::vector<RuledLaunch> read_text_rules(const std::filesystem::path& file);

/// "Check the @section:SourceCounters:Source Counters@ section" without the markup; links keep their address in
/// parentheses.
std::string without_markup(std::string_view text);

}  // namespace assay::ncu
