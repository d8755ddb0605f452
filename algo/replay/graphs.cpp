// What if each range of a given set became one launch of a CUDA graph?
#include <algorithm>

#include "algo/replay/change.hpp"
#include "assay/algo/named_ranges.hpp"

namespace assay::replay {
namespace {

constexpr std::uint32_t kNoNode = 0xFFFFFFFFU;

/// Assigns nodes of the graph to ranges.
class RangeNodes {
 public:
  RangeNodes(const Graph& graph, const NamedRanges& ranges)
      : graph_(graph),
        range_of_(graph.nodes.size(), kNone),
        call_of_(graph.nodes.size(), kNoNode),
        waits_(graph.nodes.size(), 0),
        launches_(ranges.instances().size(), 0),
        first_launch_(ranges.instances().size(), kNoNode) {
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
      if (graph.nodes[n].kind == NodeKind::kCall) range_of_[n] = ranges.of_call(graph.nodes[n].row);
    }
    find_edges();
    find_launches();
  }

  /// Row of the range that contains the call (or the launching call of work) if that call becomes part of a graph;
  /// kNone: outside all ranges, or the call waits.
  [[nodiscard]] Row captured(std::uint32_t node) const {
    const std::uint32_t call = graph_.nodes[node].kind == NodeKind::kCall ? node : call_of_[node];
    if (call == kNoNode || waits_[call] != 0) return kNone;
    const Row range = range_of_[call];
    return range != kNone && launches_[static_cast<std::size_t>(range)] > 1 ? range : kNone;
  }
  [[nodiscard]] bool is_first(std::uint32_t call) const {
    const Row range = range_of_[call];
    return range != kNone && first_launch_[static_cast<std::size_t>(range)] == call;
  }
  [[nodiscard]] std::uint32_t call_of(std::uint32_t work) const { return call_of_[work]; }

  void count(GraphedRanges& to) const {
    for (const std::size_t launches : launches_) {
      if (launches > 1) {
        ++to.ranges;
        to.launches += launches;
      }
    }
    for (std::size_t n = 0; n < waits_.size(); ++n) {
      if (waits_[n] != 0 && range_of_[n] != kNone && launches_[static_cast<std::size_t>(range_of_[n])] > 1) ++to.waits;
    }
  }

 private:
  void find_edges() {
    for (Point p = 0; p < graph_.points(); ++p) {
      const std::uint32_t n = graph_.node_of[p];
      const bool call = graph_.nodes[n].kind == NodeKind::kCall;
      for (const Edge& edge : graph_.edges_to(p)) {
        if (edge.kind == EdgeKind::kWait && call && edge.lag != kNoLag) waits_[n] = 1;
        if (edge.kind == EdgeKind::kLaunch) call_of_[n] = graph_.node_of[edge.from];
      }
    }
  }

  /// Points are in order of time, so the first call of a range is met first.
  void find_launches() {
    std::vector<std::uint8_t> launching(graph_.nodes.size(), 0);
    for (std::size_t n = 0; n < graph_.nodes.size(); ++n) {
      const NodeKind kind = graph_.nodes[n].kind;
      const bool kernel = kind == NodeKind::kKernel || kind == NodeKind::kCollective || kind == NodeKind::kGraph;
      if (kernel && call_of_[n] != kNoNode) launching[call_of_[n]] = 1;
    }
    for (Point p = 0; p < graph_.points(); ++p) {
      const std::uint32_t n = graph_.node_of[p];
      if (graph_.nodes[n].start != p || launching[n] == 0 || waits_[n] != 0 || range_of_[n] == kNone) continue;
      const auto range = static_cast<std::size_t>(range_of_[n]);
      if (launches_[range]++ == 0) first_launch_[range] = n;
    }
  }

  const Graph& graph_;
  std::vector<Row> range_of_;           ///< by node: of calls
  std::vector<std::uint32_t> call_of_;  ///< by node: of device work
  std::vector<std::uint8_t> waits_;     ///< by node: whether the call waits for work
  std::vector<std::size_t> launches_;   ///< by range
  std::vector<std::uint32_t> first_launch_;
};

/// The lag of an edge if the ranges are graphs. `host`: the part of it that is host code in a range.
std::int64_t graphed_lag(const Graph& graph, const RangeNodes& nodes, const Edge& edge, Point to, std::int64_t host) {
  const std::uint32_t n = graph.node_of[to];
  const Row range = nodes.captured(n);
  const bool call = graph.nodes[n].kind == NodeKind::kCall;
  switch (edge.kind) {
    case EdgeKind::kDuration:
      if (!call || range == kNone) return edge.lag;
      return nodes.is_first(n) ? std::min(edge.lag, graph.lags.call) : 0;
    case EdgeKind::kThread:
    case EdgeKind::kHandOver:
      return edge.lag - std::min(host, edge.lag);
    case EdgeKind::kLaunch:
      if (range == kNone) return edge.lag;
      return nodes.is_first(nodes.call_of(n)) ? std::min(edge.lag, graph.lags.launch) : 0;
    case EdgeKind::kStream:
    case EdgeKind::kShared:
    case EdgeKind::kEvent:
      return range != kNone && nodes.captured(graph.node_of[edge.from]) == range ? 0 : edge.lag;
    default:
      return edge.lag;
  }
}

}  // namespace

GraphedRanges as_cuda_graphs(const Report& report, Graph graph, const Selection& selected, const std::string& pattern,
                             KeptGraph* kept) {
  const std::vector<std::string> patterns = {pattern};
  const NamedRanges ranges(report, patterns);
  const RangeNodes nodes(graph, ranges);
  GraphedRanges out;
  nodes.count(out);
  GraphEdges built;
  built.edges.reserve(graph.edges.size());
  built.first_edge.reserve(graph.first_edge.size());
  std::size_t e = 0;
  for (Point p = 0; p < graph.points(); ++p) {
    built.first_edge.push_back(static_cast<std::uint32_t>(built.edges.size()));
    for (Edge edge : graph.edges_to(p)) {
      edge.lag = graphed_lag(graph, nodes, edge, p, selected.host.empty() ? 0 : selected.host[e++]);
      // Of a graph, only its launch waits for room in the queue.
      const bool queued = edge.kind == EdgeKind::kQueue && nodes.captured(graph.node_of[p]) != kNone &&
                          !nodes.is_first(graph.node_of[p]);
      if (!queued) built.edges.push_back(edge);
    }
  }
  built.first_edge.push_back(static_cast<std::uint32_t>(built.edges.size()));
  if (kept != nullptr)
    kept->replace(graph, std::move(built));
  else
    built.swap_with(graph);
  out.graph = std::move(graph);
  return out;
}

}  // namespace assay::replay
