// What the rules of Nsight Compute say of the launches of a .ncu-rep, and the NVTX ranges around each: text that is
// shown as it is, beside the counters that the report model holds.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "result.hpp"

namespace assay::load {

struct RuleSaying {
  std::string section, rule;      ///< "SchedulerStats", "IssueSlotUtilization"
  std::string kind;               ///< as the details page has it: INF, WRN, ERR, OPT; empty: none of these
  std::string text;               ///< without the markup of links
  std::optional<double> speedup;  ///< estimated, in %
  bool local = false;             ///< of the part of the kernel that the rule is about, not of its whole duration
};

struct RuledLaunch {
  std::string kernel;
  std::vector<std::string> ranges;  ///< names of the push/pop ranges around it, outermost first
  std::vector<RuleSaying> sayings;
};

/// By launch, in the order of the file. Error as of read_rep.
Result<std::vector<RuledLaunch>> read_rules(const std::filesystem::path& file);

/// "Check the @section:SourceCounters:Source Counters@ section" without the markup: a link keeps its address in
/// parentheses.
std::string without_markup(std::string_view text);

}  // namespace assay::load
