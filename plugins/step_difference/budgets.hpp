// Budgets: how much longer a step, or a part of it, may take.
#pragma once

#include <string>
#include <vector>

#include "assay/output.hpp"
#include "comparison.hpp"

namespace assay::difference {

struct Budget {
  std::string what;   ///< "step", "kernels", "copies", "communication", "idle"
  double share = 0;   ///< of the time before
  double ns = 0;      ///< on top of the share
  std::string text;   ///< as given: "step=+2%"
  bool given = true;  ///< false: the step may take no longer, and less than 2 % that is not shown passes
};

/// "step=+2%", "kernels=+0.5ms", "idle=0"; empty: no budget is given. Throws std::invalid_argument with the sentence.
Budget read_budget(std::string_view text);

/// The result of one budget in one comparison. Times in ns; NaN: nothing was decided.
struct BudgetAnswer {
  Verdict verdict = Verdict::kInconclusive;
  std::string sentence;  ///< "step +2 ms [+1 ms, +3 ms] of 40 ms, allowed +0: worse"
  std::string headline;  ///< "step time within budget (+2 %): failed, +8.6 ms of 42.3 ms"
  double change, low, high;
};

/// Fills the plain times of a comparison from the sheets of that id, if they have times of a step ("step_ms", or by the
/// name of its ranges) of all runs.
void add_plain_steps(const StudyView& view, std::string_view sheet, Comparison& comparison);

/// A budget fails if the whole interval is beyond it, passes if the whole interval is within it, else it is undecided.
/// One run per side, which has no spread, and unlike sides decide nothing. `among`: budgets that share the error.
/// Judges the program's own times of a step if they are known.
BudgetAnswer judge_budget(const Comparison& comparison, const Budget& budget, std::size_t among);

}  // namespace assay::difference
