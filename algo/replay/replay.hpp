// A run as a graph that can be replayed: the host's time between its calls and the durations of launches and device
// work are inputs; when blocking calls return, when device work starts and when iterations end is computed.
//
// A node is a call, a piece of device work, or the mark of an iteration, with a start point and an end point. An edge
// says that a point comes no earlier than another one plus a lag: thread order (the lag is the host's own code), launch
// to work and stream order (launch latency), work to the call that waits for it, a thread to the one that takes over
// its work. A point's time is the latest required by its edges.
//
// Waits are never inputs: a lag longer than usual in this run is a wait for something that the profile does not name,
// and is left out (`Graph::unexplained`), so that it shows as drift instead of passing as a good replay.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "assay/report.hpp"

namespace assay::replay {

enum class NodeKind : std::uint8_t { kCall, kKernel, kGraph, kCopy, kSet, kCollective, kMark };

/// What an instant of a path is spent on.
enum class Part : std::uint8_t {
  kKernel = 0,         ///< kernels and graphs
  kLaunch = 1,         ///< from a launching call to its work, from work to the next of its stream, and back to the host
  kHost = 2,           ///< the host's own code and its calls
  kCopy = 3,           ///< copies and sets
  kCommunication = 4,  ///< kernels that communicate
  kUnknown = 5,        ///< before something that the profile does not link to anything
  kOtherRank = 6,      ///< in a collective, before the last rank arrived
};
inline constexpr std::size_t kParts = 7;
constexpr std::string_view part_name(Part part) noexcept {
  constexpr std::string_view names[] = {"kernels", "launch latency",          "host code", "copies", "communication",
                                        "unknown", "waiting for another rank"};
  return names[static_cast<std::size_t>(part)];
}

/// A point of the graph, by number; every edge leads to a point with a greater number.
using Point = std::uint32_t;
inline constexpr Point kNoPoint = 0xFFFFFFFFU;

struct Node {
  NodeKind kind = NodeKind::kMark;
  std::uint16_t device = 0;  ///< of device work: number of its device, distinct between processes
  Row row = kNone;           ///< of calls, kernels, graphs, copies or sets; of marks the number of the iteration
  std::uint32_t thread = 0;  ///< of calls: row of threads; of device work: number of its stream in the graph
  Point start = kNoPoint, end = kNoPoint;  ///< equal for marks
};

enum class EdgeKind : std::uint8_t {
  kDuration,  ///< from a node's start to its end
  kThread,    ///< from one call of a thread to the next, or to a mark
  kHandOver,  ///< from a call of one thread to the call of another that continues for it
  kLaunch,    ///< from a call to its work
  kStream,    ///< from work to the next of its stream
  kShared,    ///< from work to work of another stream that began when it ended: the device was busy before
  kWait,      ///< from work to the call that waits for it
  kQueue,     ///< from work to the launch that gets space in the queue when it starts
  kRank,      ///< from the start of a collective on another rank to its end
  kEvent,     ///< from the work of an event to the work of a stream that waits for the event
};

/// Lag of an edge that a change has taken away: it never decides when a point comes.
inline constexpr std::int64_t kNoLag = std::numeric_limits<std::int64_t>::min() / 4;

struct Edge {
  std::int64_t lag = 0;  ///< ns
  Point from = kNoPoint;
  EdgeKind kind = EdgeKind::kDuration;
  Part part = Part::kHost;
};

/// From mark to mark.
struct Iteration {
  std::int64_t number = 0;
  Point begin = kNoPoint, end = kNoPoint;
};

/// Median lags of a run, in ns.
struct Lags {
  std::int64_t launch = 0;    ///< from the end of a launching call to work on an idle stream
  std::int64_t staging = 0;   ///< from the start of a call that waits for its own work to that work
  std::int64_t dispatch = 0;  ///< between queued work of a stream
  std::int64_t wake = 0;      ///< from the end of work to the return of the call that waited for it
  std::int64_t call = 0;      ///< in a launching call
};

struct Graph {
  std::vector<Node> nodes;
  std::vector<std::uint32_t> node_of;     ///< of each point
  std::vector<std::int64_t> seen;         ///< per point: observed time, ns of the report
  std::vector<std::uint32_t> first_edge;  ///< per point: start of its edges; one more at the end
  std::vector<Edge> edges;                ///< by the point that they lead to
  std::vector<Iteration> iterations;
  Lags lags;
  std::int64_t unexplained = 0;       ///< ns of lags that were left out, over all device work
  std::size_t unexplained_count = 0;  ///< number of these lags
  std::size_t unlinked = 0;           ///< device work without a launching call; starts when observed
  std::size_t event_waits = 0;        ///< calls that make a stream wait for an event with a known recording
  std::size_t loose_waits = 0;        ///< such calls without a known recording
  std::size_t hand_overs = 0;         ///< of one thread to another
  std::size_t broken = 0;             ///< work that starts before its call, or out of stream order

  [[nodiscard]] std::size_t points() const { return seen.size(); }
  [[nodiscard]] std::span<const Edge> edges_to(Point p) const {
    return std::span(edges).subspan(first_edge[p], first_edge[p + 1] - first_edge[p]);
  }
};

/// Graph of a report with its iterations; without iterations the whole capture is one. Of n consecutive iterations n -
/// 1 are included, each from its start to that of the next; of StepIterations all. Needs
/// col::kernels, col::calls and, if present, the other replay_columns(). Throws std::invalid_argument with one sentence
/// if there is nothing to replay: no calls, no device work, most of it without a launching call, or iterations on a
/// thread without calls. Leaves out calls from `until` on, and what they launch.
Graph build(const Report& report, std::int64_t until = std::numeric_limits<std::int64_t>::max());

/// The graph of a run, in which each lag is its own, and what iterations take where each is the run's median: what is
/// then off is the model's own error, since no lag can hide a wait.
struct GraphWithTypical {
  Graph seen;
  std::vector<std::int64_t> typical;  ///< ns of each iteration
};
GraphWithTypical build_with_typical(const Report& report,
                                    std::int64_t until = std::numeric_limits<std::int64_t>::max());

/// Error of a replay without a change, as an absolute share of an iteration.
struct Drift {
  double median = 0, worst = 0;
};
/// Of both replays the larger one: the run's own lags could hide a wait that the model does not know. `replayed`:
/// lengths of the iterations in the replay of `graphs.seen`, in ns.
Drift drift_of(const GraphWithTypical& graphs, const std::vector<std::int64_t>& replayed);

/// Columns that `build` and `select` read.
std::span<const ColumnId> replay_columns();

/// Time of each point, and the edge that determines it: kNoEdge if there is none and the point comes when observed.
struct ReplayTimes {
  std::vector<std::int64_t> time;
  std::vector<std::uint32_t> binding;
};
inline constexpr std::uint32_t kNoEdge = 0xFFFFFFFFU;

/// Linear in points and edges. `memory`: of times that are no longer needed.
ReplayTimes run(const Graph& graph, ReplayTimes memory = {});

/// ns per iteration.
std::vector<std::int64_t> lengths(const Graph& graph, const std::vector<std::int64_t>& times);

/// Iterations of a run that continues forever. The host may run ahead of the device within a capture, but not
/// indefinitely: an iteration takes at least the union of the device work launched in it, on the device with most of
/// it. Work overlaps as far as observed.
struct SteadyIterations {
  std::vector<std::int64_t> lengths;     ///< ns of each
  std::array<double, kParts> on_path{};  ///< ns of all of them by Part
};
SteadyIterations steady_iterations(const Graph& graph, const ReplayTimes& replayed);
/// Only their lengths, in a fraction of the time.
std::vector<std::int64_t> steady_lengths(const Graph& graph, const ReplayTimes& replayed);

/// Share of the mean iteration that a change saves; 0 without iterations.
double gain_share(const std::vector<std::int64_t>& before, const std::vector<std::int64_t>& after);

/// A piece of the critical path: what the time before a point was spent on.
struct Piece {
  std::uint32_t node = 0;  ///< for kDuration its own node; else that of the point the edge leads to
  EdgeKind kind = EdgeKind::kDuration;
  Part part = Part::kHost;
  std::int64_t start = 0, end = 0;  ///< ns, of the replay
  Point to = kNoPoint;              ///< the point that it ends at
};

/// The path that determines when an iteration ends, first piece first. The pieces are contiguous and add up to the
/// iteration exactly. It stays on the iteration's rank: what happens elsewhere while a rank waits in a collective is
/// Part::kOtherRank.
std::vector<Piece> critical_path(const Graph& graph, const ReplayTimes& replayed, const Iteration& iteration);

/// Per node from `first` on, how much later (ns) it could end without delaying the end of the iteration; kNoSlack:
/// nothing of the iteration depends on it.
struct Slacks {
  std::size_t first = 0;
  std::vector<std::int64_t> slack;
};
/// For nodes after the start of the iteration and before its end.
Slacks slack(const Graph& graph, const ReplayTimes& replayed, const Iteration& iteration);
inline constexpr std::int64_t kNoSlack = -1;

}  // namespace assay::replay
