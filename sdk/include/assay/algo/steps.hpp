// Steps of a run, as the host found them (Report::steps).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "assay/algo/intervals.hpp"
#include "assay/report.hpp"

namespace assay {

/// "none", "lost launches", "profiler", ...; as assay query shows them.
std::string_view disturbance_name(Disturbance why);
/// "whole capture", "window", "named", "profiler marks", "ranges".
std::string_view step_source_name(StepSource source);

/// "kernel", "graph", "communication", "copy", "set", "idle".
std::string_view account_kind_name(AccountKind kind);
/// "launch", "calls", "host", "blocked", "queued", "stream", "profiler", "between", "unknown", "stated"; empty: not
/// idle.
std::string_view idle_cause_name(IdleCause cause);

namespace step {

/// For steps of the only process: all work counts.
inline constexpr std::uint32_t kAnyProcess = 0xFFFFFFFF;

/// One step. Times in ns.
struct Step {
  std::string name;                     ///< of its range, or of the window
  Interval host;                        ///< its range on the host
  Interval time;                        ///< as StepTable::start and end
  std::int64_t until = 0;               ///< what is launched from the start of `host` to here belongs to it
  std::int64_t device_events = 0;       ///< kernels, graph launches, copies and sets launched in it
  std::uint32_t process = kAnyProcess;  ///< row of processes whose work counts, if several have steps
  std::uint32_t thread = 0;             ///< row of threads
  Row range = kNone;                    ///< row of ranges
  std::int32_t number = 0;              ///< in its process
  Row row = kNone;                      ///< of Report::steps; kNone: the window or the capture
  Interval own = {};  ///< from its range, or the end of the work of the step before, to the end of the range or its
                      ///< work: without the time between two ranges
  Disturbance disturbed = Disturbance::kNothing;
};

/// Result of steps_of.
struct Steps {
  std::vector<Step> kept;       ///< by process, then start
  std::vector<Step> cut;        ///< by the end of the capture
  std::vector<Step> disturbed;  ///< left out for what disturbs them; empty if that is all of them
  StepSource source = StepSource::kWhole;
  std::size_t processes = 0;  ///< number of processes with steps

  /// Whether ranges are steps, as opposed to the window or the capture.
  [[nodiscard]] bool found() const { return source != StepSource::kWhole && source != StepSource::kWindow; }
  /// First start to last end of the kept steps, including gaps between them; empty without steps.
  [[nodiscard]] Interval span() const;
};

enum class DisturbedSteps : std::uint8_t { kLeaveOut, kKeep };

/// The whole steps of the report, without those that are disturbed unless that is all of them or `disturbed` keeps
/// them. Without any, one step: the named window, or all operators, ranges and calls; none if nothing happened on the
/// host. Needs col::steps, and col::calls with col::ranges for the one step.
Steps steps_of(const Report& report, DisturbedSteps disturbed = DisturbedSteps::kLeaveOut);

/// How many were left out and why, to follow a number: "first left out: 3.1 times as long"; empty: none was.
std::string left_out_text(const Steps& steps);

}  // namespace step
}  // namespace assay
