// Two sides, compared: what the answer, the tables and the files are written from.
#pragma once

#include <string>
#include <vector>

#include "account.hpp"
#include "judge.hpp"
#include "phases.hpp"

namespace assay::difference {

/// A change as it is told.
struct Finding {
  std::uint32_t change = 0;   ///< place in Alignment::changes
  Kind kind = Kind::kKernel;  ///< of the largest of its rows
  std::string title;          ///< "attention: 11 kernels are now flash_fwd_kernel"
  std::string place;          ///< range or module; empty: the step
  std::string certainty;      ///< "new", "gone", "replaced", "removed", "significant", "within the noise", "single run"
  std::vector<std::string> why;  ///< from what is recorded; or what to record
  Amount amount;                 ///< ns of a mean step
  Judged judged;                 ///< ns
  bool told = false;             ///< real by the rule, or the program itself differs
  bool structural = false;       ///< the same in all runs of a side and other in those of the other: launches
};

/// A call that waits for the device, on one side only or made more or less often.
struct WaitChange {
  std::string name, place;
  double before = 0, after = 0;            ///< calls a step
  double host_before = 0, host_after = 0;  ///< ns a step in them
};

struct Comparison {
  Side before, after;
  std::string name;         ///< of the pair: "flash, bs=8"
  std::string cell;         ///< "bs=8": labels of both that tell configurations apart; empty: none does
  std::string blocks_text;  ///< RunDesign::blocks_text
  double step_error = kStepError, changes_error = kChangesError;  ///< of this comparison
  Alignment alignment;
  Accounts accounts;
  std::vector<std::string> unlike;  ///< what the sides do not have in common, told first
  bool comparable = true;           ///< the times are of like work
  std::vector<Finding> findings;    ///< largest first; those told before those within the noise
  std::vector<WaitChange> waits;
  std::vector<PhaseChange> phases;             ///< in the order of the tree
  Judged step;                                 ///< logarithm of the ratio of the median steps
  double ratio = 1;                            ///< after / before, of the geometric means of the runs' median steps
  double median_before = 0, median_after = 0;  ///< ns: those geometric means
  bool step_told = false;
  std::size_t tested = 0;  ///< changes that share the error
  std::int64_t noise = 0;  ///< ns of a mean step: sum of what is within the noise
  std::size_t noise_count = 0;
};

/// The one before, where there is one.
inline const Item& item_of(const Comparison& c, const AlignedItem& row) {
  return row.before != kNoItem ? c.before.items[row.before] : c.after.items[row.after];
}

/// `among`: so many comparisons share the error.
Comparison compare(Side before, Side after, std::size_t among = 1);

}  // namespace assay::difference
