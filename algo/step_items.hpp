// Items that account for the time of a step, with keys that identify them across profiles. The analyzer step_items
// emits those of each report as rows for analyzers that compare runs.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "assay/detail/alike.hpp"

namespace assay::step_items {

enum class ItemKind : std::uint8_t { kKernel, kGraph, kCommunication, kCopy, kSet, kIdle };
inline constexpr std::size_t kKinds = 6;

/// "kernel", "graph", "communication", "copy", "set", "idle".
constexpr std::string_view kind_name(ItemKind kind) {
  constexpr std::string_view names[] = {"kernel", "graph", "communication", "copy", "set", "idle"};
  return names[static_cast<std::size_t>(kind)];
}

/// Items with equal keys are the same.
struct ItemKey {
  ItemKind kind = ItemKind::kKernel;
  std::string path;    ///< ranges and modules around the launch, below the step: "forward/layer_1"
  std::string op;      ///< outermost operator of the launch; for idle time its cause
  std::string inputs;  ///< input shapes of that operator, if in the trace
  std::string name;    ///< of a kernel with template arguments; "h2d"; for idle time the call that was waited for
  std::string shape;   ///< grid and block of a kernel, bytes of a copy
  friend auto operator<=>(const ItemKey&, const ItemKey&) = default;
};

/// Why the device was idle, for the `op` of an idle item; the name of a cause that the profile states is its own words.
constexpr std::string_view idle_words(std::string_view cause) {
  constexpr std::pair<std::string_view, std::string_view> words[] = {{"launch", "launch latency"},
                                                                     {"calls", "launch calls"},
                                                                     {"host", "host code between launches"},
                                                                     {"sync", "host in a synchronization"},
                                                                     {"api", "host in other API calls"},
                                                                     {"queued", "between queued work"},
                                                                     {"stream", "waiting for another stream or event"},
                                                                     {"profiler", "the profiler's own work"},
                                                                     {"between", "host code between steps"}};
  for (const auto& [name, text] : words) {
    if (name == cause) return text;
  }
  return cause == "unknown" ? "launch not recorded" : cause;
}

/// Sums over the steps of one run.
struct ItemSums {
  std::int64_t count = 0;
  std::int64_t wall = 0;                  ///< ns of steps attributed to this item; each instant belongs to one item
  std::int64_t device = 0;                ///< ns, sum of durations
  std::int64_t launch_bound = 0;          ///< part of `count` before whose launch the stream was empty
  std::int64_t beside_communication = 0;  ///< part of `device` (ns) during which a collective ran
  std::int64_t beside_copies = 0;         ///< likewise a copy

  friend bool operator==(const ItemSums&, const ItemSums&) = default;

  /// ns of device time per launch.
  [[nodiscard]] double per_call() const {
    return count > 0 ? static_cast<double>(device) / static_cast<double>(count) : 0;
  }
  void add(const ItemSums& more) {
    count += more.count;
    wall += more.wall;
    device += more.device;
    launch_bound += more.launch_bound;
    beside_communication += more.beside_communication;
    beside_copies += more.beside_copies;
  }
};

/// Recorded properties of a kernel besides its time; kNone or NaN: not recorded.
struct KernelTraits {
  std::string base;  ///< name without template arguments and parameters
  std::string kernel_class;
  std::int32_t registers = -1, static_shared = -1, dynamic_shared = -1;
  double occupancy = -1;     ///< 0..1, estimated by the profiler; -1: not recorded
  std::string memory;        ///< of a copy: "pageable", "pinned"; empty: not recorded
  double dram_bytes = -1;    ///< per launch, from counters of Nsight Compute; -1: not measured
  double active_warps = -1;  ///< 0..1 of the SM's capacity, from counters; -1: not measured

  /// Counters come from a separate run, so only one run of a side has them.
  void add_counters(const KernelTraits& other) {
    if (dram_bytes < 0) dram_bytes = other.dram_bytes;
    if (active_warps < 0) active_warps = other.active_warps;
  }
  [[nodiscard]] bool has_counters() const { return dram_bytes >= 0 || active_warps >= 0; }
  [[nodiscard]] bool same_code(const KernelTraits& other) const {
    return registers == other.registers && static_shared == other.static_shared &&
           dynamic_shared == other.dynamic_shared;
  }
};

struct Item {
  ItemKey key;
  ItemSums sums;
  KernelTraits traits;
};

/// Calls `use(name, unit, of)` for each column of the rows of items but the kind; `of(item)` is the cell.
template <class Use>
void each_column(const Use& use) {
  const auto key = [&](const char* name, auto member) {
    use(name, "", [member](auto& i) -> auto& { return i.key.*member; });
  };
  const auto sum = [&](const char* name, const char* unit, auto member) {
    use(name, unit, [member](auto& i) -> auto& { return i.sums.*member; });
  };
  const auto trait = [&](const char* name, const char* unit, auto member) {
    use(name, unit, [member](auto& i) -> auto& { return i.traits.*member; });
  };
  key("path", &ItemKey::path);
  key("op", &ItemKey::op);
  key("inputs", &ItemKey::inputs);
  key("name", &ItemKey::name);
  key("shape", &ItemKey::shape);
  sum("count", "1", &ItemSums::count);
  sum("wall", "ns", &ItemSums::wall);
  sum("device", "ns", &ItemSums::device);
  sum("launch_bound", "1", &ItemSums::launch_bound);
  sum("beside_copies", "ns", &ItemSums::beside_copies);
  sum("beside_communication", "ns", &ItemSums::beside_communication);
  trait("base", "", &KernelTraits::base);
  trait("class", "", &KernelTraits::kernel_class);
  trait("memory", "", &KernelTraits::memory);
  trait("registers", "1", &KernelTraits::registers);
  trait("static_shared", "bytes", &KernelTraits::static_shared);
  trait("dynamic_shared", "bytes", &KernelTraits::dynamic_shared);
  trait("occupancy", "ratio", &KernelTraits::occupancy);
  trait("dram", "bytes", &KernelTraits::dram_bytes);
  trait("active_warps", "ratio", &KernelTraits::active_warps);
}

/// Calls of one name that wait for the device.
struct WaitingCall {
  std::string name, path;
  std::int64_t count = 0, host = 0;  ///< number in the steps; ns in them
};

/// Calls in the steps that launch kernels or graphs.
struct LaunchCounts {
  std::int64_t all = 0, graphs = 0;
};

/// Ranges with one folded path below the steps; for a run without steps, below the root.
struct Phase {
  std::string path;                 ///< "decode_{i}/sample"
  std::vector<std::int64_t> times;  ///< ns on the host, by start
  double gpu = 0, launches = 0;     ///< per range: ns of device work launched in it, launching calls
};

inline constexpr std::string_view kWholeCapture = "whole capture";

/// Measurements of one run. The `wall` of all items adds up to `time` exactly.
struct RunMeasure {
  std::string name;                      ///< of the report
  std::vector<std::int64_t> step_times;  ///< ns, by start
  std::int64_t time = 0;                 ///< ns, their sum
  std::string step_source;               ///< as step_source_name
  std::string step_word;                 ///< "step", "request", "capture"
  std::string step_name;                 ///< of the ranges that are steps, "request_{i}"; empty: none are
  std::string devices;                   ///< names of the devices, joined
  std::vector<Item> items;               ///< sorted by key
  std::vector<WaitingCall> waits;        ///< sorted by (path, name)
  std::vector<Phase> phases;             ///< in tree order, parents first
  LaunchCounts launch_calls;
  std::string left_out;                     ///< which steps and why, as step::left_out_text
  std::map<std::string, double> long_idle;  ///< by cause: ns of idle times of 10 ms and more
  std::vector<std::uint32_t> launches;      ///< of the middle step: indices into `items` of kernels, in launch order

  [[nodiscard]] std::size_t steps() const { return step_times.size(); }
  /// Ranges are steps, as opposed to the window or the capture.
  [[nodiscard]] bool has_steps() const { return step_source != kWholeCapture && step_source != "window"; }
};

/// The analyzer that emits the rows, and their ids.
inline constexpr std::string_view kAnalyzer = "step_items";
inline constexpr std::string_view kStepTime = "step_items.time_ns";
inline constexpr std::string_view kRunRows = "run", kStepRows = "steps", kItemRows = "items", kWaitRows = "waits",
                                  kPhaseRows = "phases", kPhaseTimeRows = "phase_times", kLaunchRows = "launches";

/// A run of the program: a report, or of a job the rank that sets the pace: the others wait for it.
struct JobRun {
  std::size_t report = 0;
  RunReports ranks;  ///< reports of the run that have steps
};

/// ns of a mean step in which a report does not wait for others or for transfers: all but exposed communication.
inline double own_time(const StudyView& view, std::size_t report) {
  const RowsView items = view.rows(report, kAnalyzer, kItemRows);
  const auto kinds = items.integers("kind"), wall = items.integers("wall");
  std::int64_t communication = 0;
  for (std::size_t i = 0; i < kinds.size(); ++i)
    communication += kinds[i] == static_cast<std::int64_t>(ItemKind::kCommunication) ? wall[i] : 0;
  const auto steps = view.rows(report, kAnalyzer, kStepRows).integers("time").size();
  return view.value(static_cast<Row>(report), kStepTime).value_or(0) -
         static_cast<double>(communication) / static_cast<double>(steps);
}

/// Those of alike reports that have steps.
inline std::vector<JobRun> runs_of(const StudyView& view, const Runs& reports) {
  std::vector<JobRun> runs;
  for (RunReports& run : as_runs(view, reports.reports())) {
    std::erase_if(run, [&](std::size_t r) { return !view.rows(r, kAnalyzer, kRunRows).present(); });
    const auto own = [&](std::size_t r) { return own_time(view, r); };
    if (!run.empty()) runs.push_back({*std::ranges::max_element(run, {}, own), run});
  }
  return runs;
}

}  // namespace assay::step_items
