// What is known about each run, and what limits it. Uses facts only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "algo/lever/lever.hpp"
#include "assay/detail/text.hpp"
#include "facts.hpp"
#include "other_ranks.hpp"

namespace assay::overview {

/// If graphs hide the kernels of more than this share of the GPU time, the visible kernels are not representative.
inline constexpr double kHidden = 0.5;

/// Busy share of the window from which the device is the limit if no cause of idle time is significant.
inline constexpr double kMostlyBusy = 0.5;

/// Share of a capture that is compilation from which on it says little else.
inline constexpr double kMostlyCompiled = 0.5;

/// Share of kernel time from which communication is mentioned as a reservation.
inline constexpr double kSomeCommunication = 0.01;

/// Cause of idle time between two pieces of work of one stream that were both launched before.
inline constexpr const char* kBackToBack = "back to back";

/// The class of communication kernels.
inline constexpr std::string_view kCommunicates = "communication";

struct Thresholds {
  double active = 0.5;       ///< share of active multiprocessors below which a busy device is not the limit
  double busy = 0.9;         ///< busy share of the window from which the device is the limit
  double bound = 0.5;        ///< share of kernels that waited for their launch, for "launch-bound"
  double share = 0;          ///< minimum share of the window for a recommendation
  double data_loader = 0;    ///< minimum share of a step
  double communication = 0;  ///< minimum share of kernel time
  double tensor_cores = 0;   ///< of kernel time: up to this share on tensor cores counts as not using them
};

/// What one process of a report does on one device; ns.
struct Part {
  std::string process, device;
  double busy = 0, work = 0, kernels = 0;  ///< work: busy without kernels that communicate
};

/// Idle time of one cause in one place: of host code a function or range, of calls their name.
struct IdlePlace {
  std::string cause, place;
  double share = 0;  ///< of a step
};

/// One report. Unknown values are empty; shares are 0..1.
struct Run {
  std::size_t report = 0;
  std::string path;
  bool measured = true;  ///< an analyzer of the question measures the use of the GPU
  std::optional<double> window_ns, busy, kernels, kernel_mean_ns, launch_interval_ns, bound, opaque, overlap;
  Shares idle;                    ///< cause, share of the window, mean over devices; longest first
  Shares long_gaps;               ///< the part of it in gaps of 10 ms and more
  std::vector<IdlePlace> places;  ///< of idle time in steps, largest first
  std::optional<double> long_gap_count;
  std::string long_gap_range;                    ///< that contains most of them; empty: none
  std::string long_gap_call;                     ///< API call that takes most of them; empty: none
  std::optional<double> compile_ns, capture_ns;  ///< compile time, and the time it refers to
  std::vector<Part> parts;                       ///< by process and device; empty: only one
  std::string idle_processes;                    ///< that have no GPU work; empty: none
  double devices = 1;                            ///< that ran anything
  std::optional<double> exposed;                 ///< communication without overlap, share of a step
  Shares classes;                                ///< class, share of kernel time; longest first
  std::optional<double> copies;                  ///< between host and device, share of the window
  std::optional<double> sync_calls;
  std::optional<double> data_loader;  ///< share of a step
  std::optional<double> tensor_yes, tensor_unknown;
  std::optional<double> counted_kernels;                 ///< launches measured by Nsight Compute
  std::optional<OtherRanks> others;                      ///< for a rank whose other ranks have profiles too
  std::optional<double> step_ns, tpot_ns, tokens_per_s;  ///< of a trainer; of a server
  std::string step_word;                                 ///< "step"; empty: no range is one
  /// "a step", "an inference".
  [[nodiscard]] std::string a_step() const { return with_article(step_word); }
  std::optional<double> plain_ns;                  ///< of a step without a profiler, as the program measured it
  std::string left_out;                            ///< steps that the times are without, and why; empty: none
  std::vector<lever::Gain> levers;                 ///< sorted by what a step gains without them
  bool replayed = false;                           ///< what gains is known
  double replay_error = 0;                         ///< share of a step
  std::optional<double> sms_active;                ///< share of multiprocessors, by the profile's samples
  std::string fingerprint;                         ///< empty: not known
  std::optional<double> peak_bytes, in_use_bytes;  ///< of memory, in use at most and at the end
  std::string memory;                              ///< what holds memory at its peak, a sentence; empty: not known
  std::string start;                  ///< if most of the profile is the start of its process, its phases, a sentence
  std::string unread, lost_launches;  ///< sentences about what reading passed over or misses; empty: nothing
  std::vector<std::int64_t> evidence;

  /// Most of the GPU time is known to be in graphs that hide their kernels.
  [[nodiscard]] bool hides_kernels() const { return opaque && *opaque > kHidden; }
  /// Share of the capture spent compiling; 0 if there was none.
  [[nodiscard]] double compiled() const { return compile_ns && capture_ns > 0.0 ? *compile_ns / *capture_ns : 0; }
  /// Share of the window in which the device was idle for a cause; 0 if no gap had it.
  [[nodiscard]] double idle_for(std::string_view cause) const;
  /// The place with at least half of the idle time of a cause; null: none.
  [[nodiscard]] const IdlePlace* place_of(std::string_view cause) const;
  /// Share of a step in which the device waits for host code in a place; 0: less than 1 %.
  [[nodiscard]] double waits_for_code_in(std::string_view place) const;
  /// The same without gaps of 10 ms and more.
  [[nodiscard]] double short_idle_for(std::string_view cause) const;
  /// Share of the window between consecutive launches.
  [[nodiscard]] double idle_for_launches() const {
    double share = 0;
    for (const char* cause : {"launch", "calls", "host", "api"}) share += short_idle_for(cause);
    return share;
  }
  /// Levers of the runs with the same fingerprint, which share one diagnosis; nullopt: there is no other such run.
  std::optional<std::vector<lever::Lever>> shared;

  /// The levers that limit its steps; empty: none stands out, or no range is a step.
  [[nodiscard]] std::vector<lever::Gain> limiting() const;
  /// Its largest lever are launches, which take longer than the kernels.
  [[nodiscard]] bool is_launch_bound() const {
    const std::vector<lever::Gain> all = limiting();
    return !all.empty() && all.front().lever.kind == lever::LeverKind::kLaunches && kernel_mean_ns &&
           launch_interval_ns && *kernel_mean_ns < *launch_interval_ns;
  }
  /// Share of kernel time of a class; 0 if no kernel belongs to it.
  [[nodiscard]] double share_of(std::string_view kernel_class) const;
  /// The other ranks of the job wait for it.
  [[nodiscard]] bool is_awaited() const { return others && others->awaited && !others->reason.empty(); }
  /// Waiting for other ranks counts as busy time, and its amount is unknown.
  [[nodiscard]] bool may_wait_for_ranks() const { return !others && share_of(kCommunicates) >= kSomeCommunication; }
};

/// Reports of the question, by report.
std::vector<Run> runs_of(const StudyView& view);

enum class Limit : std::uint8_t {
  kUnknown,        ///< busy time unknown
  kNoWork,         ///< nothing ran on a device
  kDevice,         ///< the device was busy nearly all the time, or mostly and idle for no cause worth mentioning
  kPartOfDevice,   ///< the same, but by its samples most multiprocessors were inactive
  kRanks,          ///< waiting for other ranks in communication kernels is the largest loss
  kCommunication,  ///< communication without overlap exceeds every cause of idle time
  kLever,          ///< without a cost its steps would be shorter by a tenth or more
  kLaunches,       ///< launches without cost would make it faster
  kWaiting,        ///< the device was idle; the cause with the most time is given
  kIdle,           ///< the device was idle for unknown reasons
  kMemory,         ///< only a history of allocations: what ran is unknown
  kCounters,       ///< only counters of kernels: there is no timeline
};

Limit limit_of(const Run& run, const Thresholds& thresholds);

}  // namespace assay::overview
