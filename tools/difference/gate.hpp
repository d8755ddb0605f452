// Checks AFTER against budgets.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "difference/comparison.hpp"
#include "result.hpp"

namespace assay::compare {

/// "step=+2%": permitted increase of something.
struct Budget {
  std::string what;          ///< step, kernels, copies, communication, idle
  double share = 0, ns = 0;  ///< of BEFORE's mean; or absolute, in ns
  std::string text;          ///< as given
};

/// Error: unknown subject, or not an amount.
Result<Budget> read_budget(const std::string& text);

enum class GateOutcome : std::uint8_t { kPassed, kUndecided, kFailed };  ///< ordered from best to worst

/// Outcome of one budget.
struct BudgetAnswer {
  std::string what;
  GateOutcome outcome = GateOutcome::kPassed;
  std::string sentence;       ///< "step +2 ms [+1 ms, +3 ms] of 40 ms, allowed +0: worse"
  std::string headline = {};  ///< "step time within budget (+2 %): failed, +8.6 ms of 42.3 ms"
};

struct GateAnswer {
  GateOutcome outcome = GateOutcome::kPassed;
  std::string sentence;               ///< one line for CI
  std::vector<BudgetAnswer> budgets;  ///< of each budget; if nothing can be decided, the first as kUndecided
};

/// A budget fails if the whole interval is beyond it, passes if the whole interval is within it, and is undecided
/// otherwise. Without budgets the step has an allowance of 0, and passes unless an increase is shown; an explicit
/// budget of 0 is undecided then. One run per side (no spread) or sides that are not comparable decide nothing.
GateAnswer gate(const difference::Comparison& comparison, const std::vector<Budget>& budgets);

}  // namespace assay::compare
