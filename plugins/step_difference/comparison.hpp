// The comparison of two sides: input of the answer, the tables and the files.
#pragma once

#include <string>
#include <vector>

#include "account.hpp"
#include "assay/detail/run_tests.hpp"
#include "judge.hpp"
#include "phases.hpp"

namespace assay::difference {

/// A change as reported.
struct Finding {
  std::uint32_t change = 0;           ///< place in Alignment::changes
  ItemKind kind = ItemKind::kKernel;  ///< of its largest row
  std::string title;                  ///< "attention: 11 kernels are now flash_fwd_kernel"
  std::string place;                  ///< range or module; empty: the whole step
  std::string certainty;  ///< "new", "gone", "replaced", "removed", "significant", "within the noise", "single run"
  std::vector<std::string> why;  ///< recorded causes
  std::string unknown;           ///< what to record to know the cause: ": record clocks"; empty: nothing to say
  StepAmount amount;             ///< ns of a mean step
  DifferenceTest judged;         ///< ns
  bool told = false;             ///< significant, or a difference of the program itself
  bool structural = false;       ///< launches are equal in all runs of a side and differ between sides
};

/// A call that waits for the device, on one side only or with another frequency.
struct WaitChange {
  std::string name, place;
  double before = 0, after = 0;            ///< calls a step
  double host_before = 0, host_after = 0;  ///< ns per step in these calls
};

/// The rank on which jobs are compared: that for which the others wait.
struct JobPace {
  std::string rank;           ///< "1"; empty: no jobs of several ranks
  std::string reason;         ///< why that one, a sentence
  bool others_alike = false;  ///< the other ranks do as much work before as after
};

struct Comparison {
  Side before, after;
  std::string name;  ///< of the pair: "flash, bs=8"
  std::string cell;  ///< "bs=8": labels of both that distinguish configurations; empty: none does
  JobPace pace;
  std::string order_text;                                         ///< RunDesign::order_text
  double step_error = kStepError, changes_error = kChangesError;  ///< of this comparison
  Alignment alignment;
  DifferenceBreakdown accounts;
  std::vector<std::string> unlike;  ///< what the sides do not have in common, reported first
  bool comparable = true;           ///< the times are of comparable work
  std::vector<Finding> findings;    ///< largest first; those above the noise before the others
  std::vector<WaitChange> waits;
  std::vector<PhaseChange> phases;  ///< in tree order
  std::vector<double> plain_before,
      plain_after;                             ///< ns of a step by run, as the program measured it without a profiler
  bool plain_changed = false;                  ///< those of both sides, of one run the times of its steps, are apart
  DifferenceTest step;                         ///< logarithm of the ratio of the median steps
  double ratio = 1;                            ///< after / before, of the geometric means of the runs' median steps
  double median_before = 0, median_after = 0;  ///< ns: those geometric means
  bool step_told = false;
  bool in_blocks = false;  ///< runs are compared within blocks
  RunTests run_tests;      ///< of the runs' median steps
  std::size_t tested = 0;  ///< number of changes that share the error
  std::int64_t noise = 0;  ///< ns of a mean step: sum of the changes within the noise
  std::size_t noise_count = 0;
};

/// The item before, if there is one.
inline const Item& item_of(const Comparison& c, const AlignedItem& row) {
  return row.before != kNoItem ? c.before.items[row.before] : c.after.items[row.after];
}

/// `among`: number of comparisons that share the error.
Comparison compare(Side before, Side after, std::size_t among = 1, JobPace pace = {});

}  // namespace assay::difference
