// What the time of a step goes to, item by item: what a thing is, so that it can be found again in another profile.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace assay::difference {

enum class Kind : std::uint8_t { kKernel, kGraph, kCommunication, kCopy, kSet, kIdle };
inline constexpr std::size_t kKinds = 6;

/// "kernel", "graph", "communication", "copy", "set", "idle".
constexpr std::string_view kind_name(Kind kind) {
  constexpr std::string_view names[] = {"kernel", "graph", "communication", "copy", "set", "idle"};
  return names[static_cast<std::size_t>(kind)];
}

/// Two items with equal keys are the same thing.
struct ItemKey {
  Kind kind = Kind::kKernel;
  std::string path;    ///< ranges and modules around the launch, below the step: "forward/layer_1"
  std::string op;      ///< outermost operator of the launch; of idle time its cause
  std::string inputs;  ///< shapes of that operator's inputs, where the trace has them
  std::string name;    ///< of a kernel with template arguments; "h2d"; of idle time the call that had waited
  std::string shape;   ///< grid and block of a kernel, bytes of a copy
  friend auto operator<=>(const ItemKey&, const ItemKey&) = default;
};

/// Over the steps of one run.
struct ItemSums {
  std::int64_t count = 0;
  std::int64_t wall = 0;                  ///< ns of steps that this item accounts for: each instant has one item
  std::int64_t device = 0;                ///< ns, sum of durations
  std::int64_t launch_bound = 0;          ///< of `count`: the stream had run dry before their launch
  std::int64_t beside_communication = 0;  ///< ns of `device` during which a collective ran
  std::int64_t beside_copies = 0;         ///< likewise a copy

  /// ns of device time of one.
  [[nodiscard]] double per_call() const {
    return count > 0 ? static_cast<double>(device) / static_cast<double>(count) : 0;
  }
  void add(const ItemSums& more) {
    count += more.count, wall += more.wall, device += more.device, launch_bound += more.launch_bound;
    beside_communication += more.beside_communication, beside_copies += more.beside_copies;
  }
};

/// What is recorded of a kernel beside its time; kNone or NaN: not recorded.
struct Traits {
  std::string base;  ///< name without template arguments and parameters
  std::string kernel_class;
  std::int32_t registers = -1, static_shared = -1, dynamic_shared = -1;
  double occupancy = -1;     ///< 0..1 as the profiler estimates it; -1: not recorded
  std::string memory;        ///< of a copy: "pageable", "pinned"; empty: not recorded
  double dram_bytes = -1;    ///< of a launch, by counters of Nsight Compute; -1: not measured
  double active_warps = -1;  ///< 0..1 of those that a SM can hold, by counters; -1: not measured

  /// Counters are measured in a run of their own, so one run of a side has them.
  void add_counters(const Traits& other) {
    if (dram_bytes < 0) dram_bytes = other.dram_bytes;
    if (active_warps < 0) active_warps = other.active_warps;
  }
  [[nodiscard]] bool has_counters() const { return dram_bytes >= 0 || active_warps >= 0; }
  [[nodiscard]] bool same_code(const Traits& other) const {
    return registers == other.registers && static_shared == other.static_shared &&
           dynamic_shared == other.dynamic_shared;
  }
};

struct Item {
  ItemKey key;
  ItemSums sums;
  Traits traits;
};

/// Calls of one name that wait for the device.
struct WaitingCall {
  std::string name, path;
  std::int64_t count = 0, host = 0;  ///< in the steps; ns in them
};

/// Calls that launch kernels or graphs, in the steps.
struct LaunchCounts {
  std::int64_t all = 0, graphs = 0;
};

/// Ranges of one folded path below the steps; of a run without steps below nothing.
struct Phase {
  std::string path;                 ///< "decode_{i}/sample"
  std::vector<std::int64_t> times;  ///< ns on the host, by start
  double gpu = 0, launches = 0;     ///< per range: ns that the device ran what it launched, calls that launch
};

/// What one run of the program gave. The `wall` of all items sums to `time`, to the nanosecond.
struct RunMeasure {
  std::string name;                      ///< of the report
  std::string place;                     ///< name of the file below the folder that was given
  std::string file;                      ///< its path without links
  std::string recording, block;          ///< folder of the recording and name of the block in it; empty: of none
  std::vector<std::int64_t> step_times;  ///< ns, by start
  std::int64_t time = 0;                 ///< ns, their sum
  std::string step_source;               ///< "ranges", "the whole capture"
  std::string step_word;                 ///< "step", "request", "capture"
  std::string step_name;                 ///< of the ranges that are steps, "request_{i}"; empty: none are
  std::vector<Item> items;               ///< sorted by key
  std::vector<WaitingCall> waits;        ///< sorted by (path, name)
  std::vector<Phase> phases;             ///< in the order of the tree: those in one behind it
  LaunchCounts launch_calls;
  std::vector<std::uint32_t> launches;  ///< of the middle step: indices into `items` of kernels, in launch order
  std::vector<std::pair<std::string, std::string>> setup;  ///< device, driver, versions, shapes: sorted by name
  std::vector<std::string> issues;                         ///< what was wrong with the report, warnings and errors

  [[nodiscard]] std::size_t steps() const { return step_times.size(); }
};

}  // namespace assay::difference
