// Whether AFTER is worse than its budgets allow.
#pragma once

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

struct GateAnswer {
  bool passed = true;
  std::string sentence;  ///< one line for CI
};

/// Worse is what lies beyond its budget with the whole interval. Without budgets: the step may take nothing more.
/// Error (exit 2): one run a side, which has no spread to tell by; sides that are unlike.
Result<GateAnswer> gate(const difference::Comparison& comparison, const std::vector<Budget>& budgets);

}  // namespace assay::compare
