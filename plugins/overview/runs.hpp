// What is known of each run, and what limits it. Sees facts only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "facts.hpp"
#include "other_ranks.hpp"

namespace assay::overview {

/// With more of the GPU time than this in graphs that hide their kernels, the kernels that are seen are not what ran.
inline constexpr double kHidden = 0.5;

/// Share of kernel time from which communication is worth a reservation.
inline constexpr double kSomeCommunication = 0.01;

/// The class of kernels that communicate.
inline constexpr std::string_view kCommunicates = "communication";

struct Thresholds {
  double active = 0;         ///< share of active multiprocessors below which a busy device is not what limits the run
  double busy = 0;           ///< a device that is busy for this share of the window is what limits the run
  double bound = 0;          ///< share of kernels that waited for their launch, for "launch-bound"
  double share = 0;          ///< least share of the window that is worth a word of advice
  double data_loader = 0;    ///< least share of a step
  double communication = 0;  ///< least share of kernel time
  double tensor_cores = 0;   ///< of kernel time: with at most this much on tensor cores they are as good as not used
};

/// One report. What the report does not say is not there; shares are 0..1.
struct Run {
  std::size_t report = 0;
  std::string path;
  std::optional<double> window_ns, busy, kernels, kernel_mean_ns, launch_interval_ns, bound, opaque, overlap;
  Shares idle;       ///< cause, share of the window, mean over devices; longest first
  Shares long_gaps;  ///< the part of it in gaps of 10 ms and more
  std::optional<double> long_gap_count;
  std::string long_gap_range;                    ///< that most of them lie in; empty: none
  std::optional<double> compile_ns, capture_ns;  ///< in which the program was compiled, of how long
  double devices = 1;                            ///< that ran anything
  std::optional<double> exposed;                 ///< communication that nothing hides, share of a step
  Shares classes;                                ///< class, share of kernel time; longest first
  std::optional<double> copies;                  ///< between host and device, share of the window
  std::optional<double> sync_calls;
  std::optional<double> data_loader;  ///< share of a step
  std::optional<double> tensor_yes, tensor_unknown;
  std::optional<double> counted_kernels;                 ///< launches that Nsight Compute measured
  std::optional<OtherRanks> others;                      ///< of a rank whose other ranks have profiles too
  std::optional<double> step_ns, tpot_ns, tokens_per_s;  ///< of a trainer; of a server
  std::optional<double> first_step_ns;  ///< if it takes much longer than the others: the profiler's start is in it, and
                                        ///< step_ns is without it
  Shares gains;                         ///< change, share of an iteration that its replay saves
  std::vector<std::string> in_vain;     ///< changes that gain no more than the replay is off by
  std::optional<double> sms_active;     ///< share of multiprocessors, by the profile's samples
  std::string fingerprint;              ///< empty: not known
  std::string memory;                   ///< what holds memory at its peak, a sentence; empty: not known
  std::string unread, lost_launches;    ///< sentences about what reading passed over or misses; empty: nothing
  std::vector<std::int64_t> evidence;

  /// Most of the GPU time is known to be in graphs that hide their kernels.
  [[nodiscard]] bool hides_kernels() const { return opaque && *opaque > kHidden; }
  /// Share of the capture in which the program was compiled; 0 if it was not.
  [[nodiscard]] double compiled() const { return compile_ns && capture_ns > 0.0 ? *compile_ns / *capture_ns : 0; }
  /// Share of the window that the device idled for a cause; 0 where no gap had it.
  [[nodiscard]] double idle_for(std::string_view cause) const;
  /// The same without gaps of 10 ms and more.
  [[nodiscard]] double short_idle_for(std::string_view cause) const;
  /// Of the window, between launches that come one after the other.
  [[nodiscard]] double idle_for_launches() const {
    return short_idle_for("launch") + short_idle_for("host") + short_idle_for("api");
  }
  /// What a change would gain by the replay, 0 where that is nothing; nullopt: not known.
  [[nodiscard]] std::optional<double> gain_of(std::string_view change) const;
  /// Share of kernel time of a class; 0 where no kernel is of it.
  [[nodiscard]] double share_of(std::string_view kernel_class) const;
  /// The other ranks of its job wait for it.
  [[nodiscard]] bool is_awaited() const { return others && others->awaited && !others->reason.empty(); }
  /// Waiting for other ranks counts as busy, and nothing tells how much of it there is.
  [[nodiscard]] bool may_wait_for_ranks() const { return !others && share_of(kCommunicates) >= kSomeCommunication; }
};

/// Reports of the question, by report.
std::vector<Run> runs_of(const StudyView& view);

enum class Limit : std::uint8_t {
  kUnknown,        ///< the report does not say how busy its device was
  kNoWork,         ///< nothing ran on a device
  kDevice,         ///< the device was busy nearly all the time
  kPartOfDevice,   ///< the same, and by its samples most of its multiprocessors were not
  kRanks,          ///< it waits for other ranks, in kernels that communicate, more than for anything else
  kCommunication,  ///< communication that nothing hides takes more than any cause of idle time
  kLaunches,       ///< launches that cost nothing would make it faster
  kWaiting,        ///< the device idled, for the cause with most time
  kIdle,           ///< the device idled, and the report does not say for what
  kMemory,         ///< the history of allocations alone: what ran is not known
  kCounters,       ///< counters of kernels alone: there is no time line
};

Limit limit_of(const Run& run, const Thresholds& thresholds);

}  // namespace assay::overview
