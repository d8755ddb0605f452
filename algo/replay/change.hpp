// Hypothetical changes of a replayable run, and selectors for the parts they affect.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "algo/replay/replay.hpp"
#include "assay/algo/kernel_classes.hpp"

namespace assay::replay {

/// What the pattern of a selector is matched against.
enum class Target : std::uint8_t {
  kKernel,    ///< name or base name of kernels
  kOperator,  ///< operators and annotations of a framework: work launched in them, and in their backward
  kClass,     ///< class of kernels by the rules
  kRange,     ///< NVTX ranges and annotations: work launched while they are open, and the host's code in them
  kCopy,      ///< direction of copies: "h2d"
  kHost,      ///< only the host's code in NVTX ranges
  kLaunch     ///< the calls made in NVTX ranges or operators
};

struct Selector {
  Target target = Target::kKernel;
  std::string pattern;   ///< '*' matches any text
  bool backward = true;  ///< for operators: includes their backward, if the trace has sequence numbers
};

/// Selected parts of a graph.
struct Selection {
  std::vector<std::uint8_t> work;   ///< by node: selected device work
  std::vector<std::uint8_t> calls;  ///< by node: selected calls
  std::vector<std::int64_t> host;   ///< by edge: ns of the host's code in it that are meant; empty: none is
  std::size_t work_count = 0, call_count = 0;
  std::size_t instances = 0;        ///< outermost operators or ranges
  std::vector<std::uint32_t> last;  ///< for ranges: node of the last device work launched in each that launches any
  std::int64_t work_time = 0;       ///< ns of device work, summed
  std::int64_t host_time = 0;       ///< ns of the host, summed over threads
  [[nodiscard]] bool empty() const { return work_count == 0 && host_time == 0; }
};

Selection select(const Report& report, const Graph& graph, const Selector& selector, const NameRules& classes);

// A graph that is moved in is changed where it is, without a copy: it is most of the memory of a replay.

/// Edges of a graph, and the devices of some of its nodes.
struct GraphEdges {
  std::vector<Edge> edges;
  std::vector<std::uint32_t> first_edge;
  std::vector<std::pair<std::uint32_t, std::uint16_t>> devices;  ///< by node
  /// Exchanges them with those of the graph.
  void swap_with(Graph& graph);
};

/// What changes of a graph have replaced, to take them back.
class KeptGraph {
 public:
  explicit KeptGraph(const Graph& graph);
  /// For a change that builds other edges; those that were are kept.
  void replace(Graph& graph, GraphEdges by);
  /// Makes the graph what it was.
  void restore(Graph& graph);

 private:
  std::vector<std::int64_t> lags_;  ///< by edge
  std::vector<GraphEdges> replaced_;
};

/// Device work takes `factor` times as long; for ranges also the host's code in them.
Graph scaled(Graph graph, const Selection& what, double factor, bool host_too);

/// Calls that wait for the device, a stream or an event return immediately. Copies that wait for themselves still do.
Graph without_waits(const Report& report, Graph graph);

/// The host's own code between calls takes no time.
Graph without_host_code(Graph graph);

/// Copies run on their own stream, which nothing waits for, and their calls return like launches. `kept`: null if
/// it is not taken back.
Graph overlapped(Graph graph, const Selection& copies, KeptGraph* kept = nullptr);

/// Host time of a launch is multiplied by `factor`: the launching call, and calls and code since the last launch of the
/// thread, if that is no longer than kLaunchCode times the median; if it is reduced, so is the lag from a kernel to the
/// next of its stream. Models what a CUDA graph saves. `of`: only for these calls.
Graph with_launch_cost(Graph graph, double factor, const Selection* of = nullptr);
inline constexpr std::int64_t kLaunchCode = 10;

/// One operator instead of each instance: number of calls, launches and ns of device time.
struct Replacement {
  double calls = 0, launches = 0, time = 0;
};
/// Adds this many ns of device work to each range, launched after its last work.
Graph with_added_work(Graph graph, const Selection& ranges, double time);

Graph replaced(Graph graph, const Selection& what, const Replacement& by);

/// Replaces each range of the pattern by one launch of a CUDA graph: its first launching call launches all of its work,
/// which runs without gaps; the other calls and the host's code in it are removed. Calls that wait, and what they
/// launch, stay after the graph, since they cannot be captured.
struct GraphedRanges {
  Graph graph;
  std::size_t ranges = 0;    ///< number that became one launch
  std::size_t launches = 0;  ///< that those had
  std::size_t waits = 0;     ///< waiting calls in them
};
/// `selected`: with the same pattern. `kept`: null if it is not taken back.
GraphedRanges as_cuda_graphs(const Report& report, Graph graph, const Selection& selected, const std::string& pattern,
                             KeptGraph* kept = nullptr);

}  // namespace assay::replay
