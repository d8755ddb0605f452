// Steps of a run: where each begins and ends, on host and device together.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "assay/algo/intervals.hpp"
#include "assay/detail/step_names.hpp"

namespace assay::step {

/// For steps of the only process: all work counts.
inline constexpr std::uint32_t kAnyProcess = 0xFFFFFFFF;

/// One step. Times in ns.
struct Step {
  std::string name;                     ///< of its range, "iteration 3", or of the window
  Interval host;                        ///< its range on the host
  Interval time;                        ///< as measured; adjacent steps touch at most
  std::int64_t device_events = 0;       ///< kernels, graph launches, copies and sets launched by calls inside `host`
  std::uint32_t process = kAnyProcess;  ///< row of processes whose work counts, if several have steps
};

enum class StepSource : std::uint8_t {
  kNone,        ///< nothing happened on the host
  kNamed,       ///< ranges named by an option, or found by their names (found_steps)
  kIterations,  ///< the iterations of the question
  kWindow,      ///< one step: the named window
  kWhole,       ///< one step over all host events
};

/// Result of find_steps.
struct Steps {
  std::vector<Step> kept, dropped;  ///< by process, then start; dropped ones are the last of a process
  StepSource source = StepSource::kNone;
  std::int64_t nested = 0;                        ///< ranges left out because they are inside another step
  std::size_t processes = 0;                      ///< number of processes with steps
  bool last_is_short = false;                     ///< the last was dropped because it has too few device events
  std::vector<std::string> without_kernels = {};  ///< names of ranges outside the part with kernels (Window::named)

  /// First start to last end of the kept steps, including gaps between them; empty without steps.
  [[nodiscard]] Interval span() const;
};

/// Steps inside the window: ranges that match the patterns, else iterations, else those of `found_steps`, else the
/// named window, else one step over all operators, ranges and calls. A step begins at its range, but not before the end
/// of the previous step; it ends with its range, or with the last device work launched by a call inside the range.
/// Drops trailing steps without device events, then the last one if it has fewer than `least_last` times the device
/// events of its predecessor. If several processes have steps, those of each are found from its own ranges and calls.
Steps find_steps(const Report& report, Names& names, double least_last);

}  // namespace assay::step
