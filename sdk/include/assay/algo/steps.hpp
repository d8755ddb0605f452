// The steps of a run: where each begins and ends, host and device together.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "assay/algo/intervals.hpp"
#include "assay/detail/step_names.hpp"

namespace assay::step {

/// Of a step that is the only process's: all work counts for it.
inline constexpr std::uint32_t kAnyProcess = 0xFFFFFFFF;

struct Step {
  std::string name;
  Interval host;                        ///< its range on the host
  Interval time;                        ///< as it is measured; neighbours touch at most
  std::int64_t device_events = 0;       ///< kernels, graph launches, copies and sets launched by calls inside `host`
  std::uint32_t process = kAnyProcess;  ///< row of processes whose work counts, where several have steps
};

enum class StepSource : std::uint8_t {
  kNone,        ///< nothing happened on the host
  kNamed,       ///< ranges that an option names
  kIterations,  ///< the iterations of the question
  kWindow,      ///< one step: the named window
  kWhole,       ///< one step over all host events
};

struct Steps {
  std::vector<Step> kept, dropped;  ///< by process, then start; dropped ones are the last of a process
  StepSource source = StepSource::kNone;
  std::int64_t nested = 0;                        ///< ranges left out because they lie inside another step
  std::size_t processes = 0;                      ///< whose ranges the steps are
  bool last_is_short = false;                     ///< the last dropped because it has too few device events
  std::vector<std::string> without_kernels = {};  ///< ranges left out because launches in them lost their kernels

  /// First start to last end of the steps that were kept; gaps between steps are part of it.
  [[nodiscard]] Interval span() const;
};

/// Ranges of the patterns' names, else iterations, else those of `found_steps`, else the named window, else one step
/// over all operators, ranges and calls. A step begins at its range, but not before the last one's end; it ends with
/// its range, or with the last device work that a call inside the range launched. Trailing steps without device events
/// are dropped, and then the last one when it has fewer than `least_last` times the device events of the one before it.
/// Where several processes have steps, those of each are found from its own ranges and calls.
Steps find_steps(const Report& report, Names& names, double least_last);

}  // namespace assay::step
