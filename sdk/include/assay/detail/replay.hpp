// A run as a graph that can be replayed: what the host does between its calls, how long launches and device work take
// are its inputs; when calls that wait come back, when device work starts and when iterations end follow from them.
//
// A node is a call, a piece of device work, or the mark of an iteration; it has a point where it starts and one where
// it ends. An edge says that a point comes no earlier than another one and a lag: thread order (the lag is the host's
// own code), launch to work and stream order (launch latency), work to the call that waits for it, a thread to the one
// that it hands its work to. A point's time is the latest that its edges ask for.
//
// Nothing that is a wait is an input: a lag that is longer than such lags are in this run is a wait for something the
// profile does not name, and is left out (`Graph::unexplained`), so that it shows as drift and not as a good replay.
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
  kUnknown = 5,        ///< before something that the profile does not tie to anything
  kOtherRank = 6,      ///< in a collective, before the last rank arrived
};
inline constexpr std::size_t kParts = 7;
constexpr std::string_view part_name(Part part) noexcept {
  constexpr std::string_view names[] = {"kernels", "launch latency",          "host code", "copies", "communication",
                                        "unknown", "waiting for another rank"};
  return names[static_cast<std::size_t>(part)];
}

/// A point of the graph, by its number; every edge leads to a point of a greater number.
using Point = std::uint32_t;
inline constexpr Point kNoPoint = 0xFFFFFFFFU;

struct Node {
  NodeKind kind = NodeKind::kMark;
  std::uint16_t device = 0;  ///< of device work: number of the device that runs it, unlike that of any other process
  Row row = kNone;           ///< of calls, kernels, graphs, copies or sets; of marks the number of the iteration
  std::uint32_t thread = 0;  ///< of calls: row of threads; of device work: number of its stream in the graph
  Point start = kNoPoint, end = kNoPoint;  ///< of marks the same point
};

enum class EdgeKind : std::uint8_t {
  kDuration,  ///< from a node's start to its end
  kThread,    ///< from one call of a thread to the next, or to a mark
  kHandOver,  ///< from a call of one thread to the call of another that goes on for it
  kLaunch,    ///< from a call to its work
  kStream,    ///< from work to the next of its stream
  kShared,    ///< from work to work of another stream that began when it ended: the device was not free before
  kWait,      ///< from work to the call that waits for it
  kQueue,     ///< from work to the launch that finds room in the queue when it starts
  kRank,      ///< from the start of a collective on another rank to its end
  kEvent,     ///< from work that an event stands for to the work of a stream that waits for the event
};

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

/// The median lags of a run, ns.
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
  std::vector<std::int64_t> seen;         ///< of each point: when it was, ns of the report
  std::vector<std::uint32_t> first_edge;  ///< of each point: its edges begin here; one more at the end
  std::vector<Edge> edges;                ///< by the point that they lead to
  std::vector<Iteration> iterations;
  Lags lags;
  std::int64_t unexplained = 0;       ///< ns of lags that were left out, over all device work
  std::size_t unexplained_count = 0;  ///< how many those are
  std::size_t unlinked = 0;           ///< device work without a launching call, which starts when it was seen to
  std::size_t event_waits = 0;        ///< calls that make a stream wait for an event whose recording is known
  std::size_t loose_waits = 0;        ///< those of which the profile does not say for which work
  std::size_t hand_overs = 0;         ///< of one thread to another
  std::size_t broken = 0;             ///< work that starts before its call does, or out of the order of its stream

  [[nodiscard]] std::size_t points() const { return seen.size(); }
  [[nodiscard]] std::span<const Edge> edges_to(Point p) const {
    return std::span(edges).subspan(first_edge[p], first_edge[p + 1] - first_edge[p]);
  }
};

/// Which lags a graph has.
enum class LagsUsed : std::uint8_t {
  kSeen,    ///< each its own
  kTypical  ///< the medians of the run: what is then off is the model's own error, since no lag can hide a wait
};

/// The graph of a report with its iterations; without iterations the whole capture is one. Of n iterations that follow
/// each other n - 1 are told, each from its start to that of the next. Needs col::kernels, col::calls and what else the
/// report has of replay_columns(). Throws std::invalid_argument with one sentence where there is nothing to replay: no
/// calls, no device work, most of it without a launching call, or iterations on a thread that makes no calls.
/// Calls from `until` on, and what they launch, are left out.
Graph build(const Report& report, LagsUsed lags = LagsUsed::kSeen,
            std::int64_t until = std::numeric_limits<std::int64_t>::max());

/// Both at once: what takes longest is done once.
struct GraphPair {
  Graph seen, typical;
};
GraphPair build_both(const Report& report, std::int64_t until = std::numeric_limits<std::int64_t>::max());

/// By how much a replay without a change is off, as shares of an iteration, without their sign.
struct Drift {
  double median = 0, worst = 0;
};
/// Of both graphs the larger one: the run's own lags could hide a wait that the model does not know. `replayed`:
/// lengths of the iterations in the replay of `graphs.seen`, in ns.
Drift drift_of(const GraphPair& graphs, const std::vector<std::int64_t>& replayed);

/// The columns that `build` and `select` read.
std::span<const ColumnId> replay_columns();

/// When each point comes, and which edge asks for it: kNoEdge where none does and the point comes when it was seen.
struct ReplayTimes {
  std::vector<std::int64_t> time;
  std::vector<std::uint32_t> binding;
};
inline constexpr std::uint32_t kNoEdge = 0xFFFFFFFFU;

/// Linear in points and edges.
ReplayTimes run(const Graph& graph);

/// ns of each iteration.
std::vector<std::int64_t> lengths(const Graph& graph, const std::vector<std::int64_t>& times);

/// Iterations of a run that goes on like this. The host may run ahead of the device within a capture, not for ever: an
/// iteration takes at least the union of the device work launched in it, on the device with most of it. Work overlaps
/// as far as it was seen to.
struct SteadyIterations {
  std::vector<std::int64_t> lengths;     ///< ns of each
  std::array<double, kParts> on_path{};  ///< ns of all of them by Part
};
SteadyIterations steady_iterations(const Graph& graph, const ReplayTimes& replayed);
/// Their lengths alone, in a fraction of the time.
std::vector<std::int64_t> steady_lengths(const Graph& graph, const ReplayTimes& replayed);

/// Share of the median iteration that a change saves; 0 where there is no iteration.
double gain_share(const std::vector<std::int64_t>& before, const std::vector<std::int64_t>& after);

/// A piece of the critical path: what the instants before a point were spent on.
struct Piece {
  std::uint32_t node = 0;  ///< of kDuration its own; else that of the point which the edge leads to
  EdgeKind kind = EdgeKind::kDuration;
  Part part = Part::kHost;
  std::int64_t start = 0, end = 0;  ///< ns, of the replay
  Point to = kNoPoint;              ///< the point that it ends at
};

/// The path that decides when an iteration ends, first piece first. The pieces touch, and their lengths sum to the
/// iteration's to the ns. It stays on the iteration's rank: what happens elsewhere while a rank waits in a collective
/// is Part::kOtherRank.
std::vector<Piece> critical_path(const Graph& graph, const ReplayTimes& replayed, const Iteration& iteration);

/// Of nodes, from `first` on, how much later each could end without the iteration ending later, ns; kNoSlack: nothing
/// of the iteration follows from it.
struct Slacks {
  std::size_t first = 0;
  std::vector<std::int64_t> slack;
};
/// Of the nodes that come after the iteration began and before it ended.
Slacks slack(const Graph& graph, const ReplayTimes& replayed, const Iteration& iteration);
inline constexpr std::int64_t kNoSlack = -1;

}  // namespace assay::replay
