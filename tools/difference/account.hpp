// The difference of a step as a sum, in whole nanoseconds.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "difference/align.hpp"

namespace assay::difference {

/// What the difference of a mean step consists of.
enum class DifferenceTerm : std::uint8_t {
  kTimePerCall,  ///< kernels that both sides have: longer or shorter
  kLaunchCount,  ///< launched more or less often, at the time that one took before
  kNewKernels,
  kGoneKernels,
  kCommunication,  ///< collectives, as far as no kernel hides them
  kCopies,         ///< copies and sets, as far as no kernel or collective hides them
  kIdleHost,       ///< the device waited for host code between launches
  kIdleApi,        ///< for API calls, the launch among them
  kIdleSync,       ///< for the host, which waited for the device
  kIdleQueued,     ///< for another stream, an event or the device
  kIdleOther,      ///< at the end of the step, or for what is not recorded
};
inline constexpr std::size_t kAccounts = 11;

/// That of idle time by its cause, a word of idle::kCauseNames.
DifferenceTerm idle_account(std::string_view cause);

/// ns of a mean step: sums over steps and runs divided by their number, rounded down.
struct StepAmount {
  std::int64_t before = 0, after = 0;
  std::int64_t difference = 0;  ///< rounded down from the exact one: not always after - before
};

struct DifferenceBreakdown {
  StepAmount step;                                       ///< the whole
  std::vector<StepAmount> rows;                          ///< by Alignment::rows
  std::int64_t rounding = 0;                         ///< what the rows' rounding leaves
  std::int64_t lines[kAccounts] = {};                ///< sum, with `rounding`, to the step's difference
  std::int64_t device_before = 0, device_after = 0;  ///< ns of kernels a step, hidden ones too
};

/// Throws std::logic_error where the sums do not add up.
DifferenceBreakdown accounts_of(const Side& before, const Side& after, const Alignment& alignment);

}  // namespace assay::difference
