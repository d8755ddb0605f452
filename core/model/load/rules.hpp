// Results of a profiler's own rules for the launches in its file; the text is shown unchanged.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace assay::load {

struct RuleSaying {
  std::string section, rule;      ///< "SchedulerStats", "IssueSlotUtilization"
  std::string kind;               ///< as on the details page: INF, WRN, ERR, OPT; empty: none of these
  std::string text;               ///< without the markup of links
  std::optional<double> speedup;  ///< estimated, in %
  bool local = false;             ///< relative to the part of the kernel that the rule is about, not to its whole
                                  ///< duration
};

struct RuledLaunch {
  std::string kernel;
  std::vector<std::string> ranges;  ///< names of the push/pop ranges around it, outermost first
  std::vector<RuleSaying> sayings;
};

}  // namespace assay::load
