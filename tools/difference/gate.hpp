// Whether AFTER is worse than its budgets allow.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "difference/comparison.hpp"
#include "result.hpp"

namespace assay::compare {

/// "step=+2%": how much more of something AFTER may take.
struct Budget {
  std::string what;          ///< step, kernels, copies, communication, idle
  double share = 0, ns = 0;  ///< of BEFORE's mean; or so many ns
  std::string text;          ///< as given
};

/// Error: no such thing, or no amount.
Result<Budget> read_budget(const std::string& text);

enum class GateOutcome : std::uint8_t { kPassed, kUndecided, kFailed };  ///< the worse one is the larger

/// What became of one budget.
struct BudgetAnswer {
  std::string what;
  GateOutcome outcome = GateOutcome::kPassed;
  std::string sentence;       ///< "step +2 ms [+1 ms, +3 ms] of 40 ms, allowed +0: worse"
  std::string headline = {};  ///< "step time within budget (+2 %): failed, +8.6 ms of 42.3 ms"
};

struct GateAnswer {
  GateOutcome outcome = GateOutcome::kPassed;
  std::string sentence;               ///< one line for CI
  std::vector<BudgetAnswer> budgets;  ///< of each; where nothing can be decided, of the first as kUndecided
};

/// A budget is broken by what lies beyond it with the whole interval, and kept by what lies within it; else it is open.
/// Without budgets the step may take nothing more, and what is not shown to take more passes; of a budget of 0 that is
/// open, as of any other.
/// One run a side, which has no spread, and unlike sides decide nothing.
GateAnswer gate(const difference::Comparison& comparison, const std::vector<Budget>& budgets);

}  // namespace assay::compare
