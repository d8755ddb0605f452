// Two sides, compared: what the answer, the tables and the files are written from.
#pragma once

#include <string>
#include <vector>

#include "difference/account.hpp"
#include "difference/judge.hpp"
#include "difference/phases.hpp"

namespace assay::difference {

/// A change as it is told.
struct Finding {
  std::uint32_t change = 0;   ///< place in Alignment::changes
  ItemKind kind = ItemKind::kKernel;  ///< of the largest of its rows
  std::string title;          ///< "attention: 11 kernels are now flash_fwd_kernel"
  std::string place;          ///< range or module; empty: the step
  std::string certainty;      ///< "new", "gone", "replaced", "removed", "significant", "within the noise", "single run"
  std::vector<std::string> why;  ///< from what is recorded; or what to record
  StepAmount amount;                 ///< ns of a mean step
  DifferenceTest judged;                 ///< ns
  bool told = false;             ///< real by the rule, or the program itself differs
  bool structural = false;       ///< the same in all runs of a side and other in those of the other: launches
};

/// A call that waits for the device, on one side only or made more or less often.
struct WaitChange {
  std::string name, place;
  double before = 0, after = 0;            ///< calls a step
  double host_before = 0, host_after = 0;  ///< ns a step in them
};

/// Something that the sides should have in common.
struct Condition {
  std::string what;           ///< "device", "launch shapes"
  std::string before, after;  ///< what each side says; empty: it is no value of a side
  std::string said;           ///< "same", "same for 40 of 42 kernels"
  bool same = true;
};

struct Comparison {
  Side before, after;
  std::string cell;         ///< "bs=8": labels of both, where sides were paired by them; empty: they were not
  std::string blocks_text;  ///< RunDesign::blocks_text
  double step_error = kStepError, changes_error = kChangesError;  ///< of this comparison
  Alignment alignment;
  DifferenceBreakdown accounts;
  std::vector<Condition> conditions;
  std::vector<std::string> unlike;  ///< what the sides do not have in common, told first
  bool comparable = true;           ///< the times are of like work
  std::vector<Finding> findings;    ///< largest first; those told before those within the noise
  std::vector<Finding> small;       ///< below a thousandth of a step, counted and not tested
  std::vector<WaitChange> waits;
  std::vector<PhaseChange> phases;             ///< in the order of the tree
  DifferenceTest step;                                 ///< logarithm of the ratio of the median steps
  double ratio = 1;                            ///< after / before, of the geometric means of the runs' median steps
  double median_before = 0, median_after = 0;  ///< ns: those geometric means
  bool step_told = false;
  std::size_t tested = 0;  ///< changes that share the error
  std::int64_t noise = 0;  ///< ns of a mean step: sum of what is within the noise
  std::size_t noise_count = 0;
};

/// `among`: so many comparisons share the error.
Comparison compare(Side before, Side after, std::size_t among = 1);

}  // namespace assay::difference
