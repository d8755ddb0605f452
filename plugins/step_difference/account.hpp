// Breaks the difference of a step down into terms that add up, in whole nanoseconds.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "align.hpp"

namespace assay::difference {

/// Terms of the difference of the mean step.
enum class DifferenceTerm : std::uint8_t {
  kTimePerCall,  ///< kernels on both sides: longer or shorter
  kLaunchCount,  ///< launched more or less often, at their earlier time per call
  kNewKernels,
  kGoneKernels,
  kCommunication,  ///< collectives not hidden by kernels
  kCopies,         ///< copies and sets not hidden by kernels or collectives
  kIdleHost,       ///< the device waited for host code between launches
  kIdleLaunch,     ///< for launches
  kIdleCalls,      ///< for API calls that launch nothing, as those that allocate or free
  kIdleSync,       ///< for the host, which was waiting for the device
  kIdleQueued,     ///< for another stream, an event or the device
  kIdleOther,      ///< at the end of the step, or for something that is not recorded
};
inline constexpr std::size_t kAccounts = 12;

/// Term of idle time with this cause, a word of step_items.
DifferenceTerm idle_account(std::string_view cause);

/// ns of a mean step: sums over steps and runs divided by their number, rounded down.
struct StepAmount {
  std::int64_t before = 0, after = 0;
  std::int64_t difference = 0;  ///< rounded down from the exact value: not always after - before

  void add(const StepAmount& more) {
    before += more.before;
    after += more.after;
    difference += more.difference;
  }
};

struct DifferenceBreakdown {
  StepAmount step;                     ///< the whole
  std::vector<StepAmount> rows;        ///< by Alignment::rows
  std::int64_t rounding = 0;           ///< remainder from rounding the rows
  std::int64_t lines[kAccounts] = {};  ///< add up, with `rounding`, to the step's difference
};

/// Throws std::logic_error if the terms do not add up.
DifferenceBreakdown accounts_of(const Side& before, const Side& after, const Alignment& alignment);

}  // namespace assay::difference
