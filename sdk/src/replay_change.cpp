#include "assay/detail/replay_change.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace assay::replay {
namespace {

std::int64_t times(std::int64_t lag, double factor) { return std::llround(static_cast<double>(lag) * factor); }

/// Calls use(edge, target point).
template <class Use>
void each_edge(Graph& graph, Use&& use) {
  for (Point p = 0; p < graph.points(); ++p) {
    for (std::uint32_t e = graph.first_edge[p]; e < graph.first_edge[p + 1]; ++e) use(graph.edges[e], p);
  }
}

/// The graph with only the edges that `keep` accepts, in their original order.
template <class Keep>
Graph filtered(const Graph& graph, Keep&& keep) {
  Graph out = graph;
  out.edges.clear();
  for (Point p = 0; p < graph.points(); ++p) {
    out.first_edge[p] = static_cast<std::uint32_t>(out.edges.size());
    for (const Edge& edge : graph.edges_to(p)) {
      if (keep(edge, p)) out.edges.push_back(edge);
    }
  }
  out.first_edge.back() = static_cast<std::uint32_t>(out.edges.size());
  return out;
}

bool is_call(const Graph& graph, std::uint32_t node) { return graph.nodes[node].kind == NodeKind::kCall; }

/// Whether an edge is host time: host code between calls, or a call.
bool is_host(const Graph& graph, const Edge& edge, Point to) {
  if (edge.kind == EdgeKind::kThread || edge.kind == EdgeKind::kHandOver) return true;
  return edge.kind == EdgeKind::kDuration && is_call(graph, graph.node_of[to]);
}

void scale_host(Graph& graph, const Selection& what, double factor) {
  std::size_t e = 0;
  each_edge(graph, [&](Edge& edge, Point) {
    const std::int64_t meant = std::min(what.host[e++], edge.lag);
    edge.lag -= meant - times(meant, factor);
  });
}

}  // namespace

Graph scaled(const Graph& graph, const Selection& what, double factor, bool host_too) {
  Graph out = graph;
  if (host_too) scale_host(out, what, factor);
  each_edge(out, [&](Edge& edge, Point to) {
    const std::uint32_t node = out.node_of[to];
    if (what.work[node] != 0 && (edge.kind == EdgeKind::kDuration || (host_too && edge.kind == EdgeKind::kLaunch)))
      edge.lag = times(edge.lag, factor);
    if (host_too && what.calls[node] != 0 && edge.kind == EdgeKind::kWait) edge.lag = times(edge.lag, factor);
  });
  return out;
}

Graph without_waits(const Report& report, const Graph& graph) {
  const auto waits = [&](std::uint32_t node) {
    if (!is_call(graph, node)) return false;
    const CallKind kind = report.calls->kind[graph.nodes[node].row];
    return kind == CallKind::kDeviceSync || kind == CallKind::kStreamSync || kind == CallKind::kEventSync;
  };
  return filtered(
      graph, [&](const Edge& edge, Point to) { return edge.kind != EdgeKind::kWait || !waits(graph.node_of[to]); });
}

Graph without_host_code(const Graph& graph) {
  Graph out = graph;
  for (Edge& edge : out.edges) {
    if (edge.kind == EdgeKind::kThread || edge.kind == EdgeKind::kHandOver) edge.lag = 0;
  }
  return out;
}

Graph overlapped(const Graph& graph, const Selection& copies) {
  const auto moved = [&](Point p) { return copies.work[graph.node_of[p]] != 0; };
  std::vector<std::vector<Edge>> around(graph.nodes.size());  // new dependencies of what waited for a moved copy
  Graph out = graph;
  std::uint16_t engine = 0;  // an engine that runs only these copies
  for (const Node& node : graph.nodes) engine = std::max(engine, static_cast<std::uint16_t>(node.device + 1));
  for (std::size_t n = 0; n < out.nodes.size(); ++n) {
    if (copies.work[n] != 0) out.nodes[n].device = engine;
  }
  out.edges.clear();
  Point last = kNoPoint;
  const auto add = [&](const Edge& edge) {
    if (!moved(edge.from) || edge.kind == EdgeKind::kDuration) return out.edges.push_back(edge);
    for (Edge past : around[graph.node_of[edge.from]]) {
      past.lag = edge.lag, past.kind = edge.kind, past.part = edge.part;
      out.edges.push_back(past);
    }
  };
  for (Point p = 0; p < graph.points(); ++p) {
    const std::uint32_t node = graph.node_of[p];
    const auto first = static_cast<std::uint32_t>(out.edges.size());
    out.first_edge[p] = first;
    const bool starts = moved(p) && graph.nodes[node].start == p;
    bool waited_for_copy = false;
    for (const Edge& edge : graph.edges_to(p)) {
      const bool order =
          edge.kind == EdgeKind::kStream || edge.kind == EdgeKind::kShared || edge.kind == EdgeKind::kEvent;
      if (starts && order) {
        if (!moved(edge.from)) {
          around[node].push_back(edge);
        } else {
          const auto& past = around[graph.node_of[edge.from]];
          around[node].insert(around[node].end(), past.begin(), past.end());
        }
        continue;
      }
      // A call that waits for its own copy has an edge to the copy, and the copy has one to the end of the call.
      const bool own =
          edge.kind == EdgeKind::kWait && moved(edge.from) && is_call(graph, node) &&
          graph.edges_to(graph.nodes[graph.node_of[edge.from]].start).front().from == graph.nodes[node].start;
      if (own)
        waited_for_copy = true;
      else
        add(edge);
    }
    if (starts) {
      if (last != kNoPoint) out.edges.push_back({graph.lags.dispatch, last, EdgeKind::kStream, Part::kLaunch});
      last = graph.nodes[node].end;
    }
    if (waited_for_copy) {
      for (auto e = first; e < out.edges.size(); ++e) {
        if (out.edges[e].kind == EdgeKind::kDuration) out.edges[e].lag = graph.lags.call;
      }
    }
  }
  out.first_edge.back() = static_cast<std::uint32_t>(out.edges.size());
  return out;
}

namespace {

/// Calls that launch kernels.
std::vector<std::uint8_t> launching_calls(const Graph& graph) {
  std::vector<std::uint8_t> launches(graph.nodes.size(), 0);
  for (Point p = 0; p < graph.points(); ++p) {
    const Node& node = graph.nodes[graph.node_of[p]];
    if (node.start != p || (node.kind != NodeKind::kKernel && node.kind != NodeKind::kCollective)) continue;
    for (const Edge& edge : graph.edges_to(p)) {
      if (edge.kind == EdgeKind::kLaunch) launches[graph.node_of[edge.from]] = 1;
    }
  }
  return launches;
}

/// Host cost of one launch: the edges since the last launch of the thread, and their sum.
struct LaunchCode {
  std::uint32_t call = 0;  ///< node
  std::vector<std::uint32_t> edges;
  std::int64_t sum = 0;
};

std::vector<LaunchCode> code_of_launches(const Graph& graph) {
  const std::vector<std::uint8_t> launches = launching_calls(graph);
  std::vector<LaunchCode> open, done;
  for (Point p = 0; p < graph.points(); ++p) {
    const std::uint32_t n = graph.node_of[p];
    const Node& node = graph.nodes[n];
    if (node.kind != NodeKind::kCall) continue;
    if (open.size() <= node.thread) open.resize(node.thread + 1);
    LaunchCode& code = open[node.thread];
    for (std::uint32_t e = graph.first_edge[p]; e < graph.first_edge[p + 1]; ++e) {
      const Edge& edge = graph.edges[e];
      if (edge.kind == EdgeKind::kHandOver || edge.kind == EdgeKind::kWait) code = {};
      if (edge.kind != EdgeKind::kThread && edge.kind != EdgeKind::kDuration) continue;
      code.edges.push_back(e);
      code.sum += edge.lag;
    }
    if (node.end != p || launches[n] == 0) continue;
    code.call = n;
    done.push_back(std::exchange(code, {}));
  }
  return done;
}

}  // namespace

Graph with_launch_cost(const Graph& graph, double factor, const Selection* of) {
  const std::vector<LaunchCode> launches = code_of_launches(graph);
  Graph out = graph;
  if (launches.empty()) return out;
  std::vector<std::int64_t> sums;
  for (const LaunchCode& launch : launches) sums.push_back(launch.sum);
  const auto middle = sums.begin() + static_cast<std::ptrdiff_t>(sums.size() / 2);
  std::nth_element(sums.begin(), middle, sums.end());
  std::vector<std::uint8_t> meant(graph.nodes.size(), 0);
  for (const LaunchCode& launch : launches) {
    if (of != nullptr && of->calls[launch.call] == 0) continue;
    meant[launch.call] = 1;
    if (launch.sum > kLaunchCode * *middle) continue;
    for (const std::uint32_t e : launch.edges) out.edges[e].lag = times(out.edges[e].lag, factor);
  }
  if (factor >= 1) return out;
  for (const Node& node : graph.nodes) {
    if (node.kind != NodeKind::kKernel && node.kind != NodeKind::kCollective) continue;
    const auto edges = graph.edges_to(node.start);
    const bool launched = std::ranges::any_of(edges, [&](const Edge& edge) {
      return edge.kind == EdgeKind::kLaunch && meant[graph.node_of[edge.from]] != 0;
    });
    for (std::uint32_t e = graph.first_edge[node.start]; launched && e < graph.first_edge[node.start + 1]; ++e) {
      Edge& edge = out.edges[e];
      const Node& before = graph.nodes[graph.node_of[edge.from]];
      if (edge.kind == EdgeKind::kStream && before.end == edge.from) edge.lag = times(edge.lag, factor);
    }
  }
  return out;
}

Graph with_added_work(const Graph& graph, const Selection& ranges, double time) {
  Graph out = graph;
  const auto longer = [&](Point end, double by) {
    for (std::uint32_t e = out.first_edge[end]; e < out.first_edge[end + 1]; ++e) {
      if (out.edges[e].kind == EdgeKind::kDuration) out.edges[e].lag += std::llround(by);
    }
  };
  for (const std::uint32_t n : ranges.last) {
    longer(out.nodes[n].end, time + static_cast<double>(graph.lags.dispatch));
    for (const Edge& edge : graph.edges_to(graph.nodes[n].start)) {
      const Node& call = graph.nodes[graph.node_of[edge.from]];
      if (edge.kind == EdgeKind::kLaunch) longer(call.end, static_cast<double>(graph.lags.call));
    }
  }
  return out;
}

Graph replaced(const Graph& graph, const Selection& what, const Replacement& by) {
  const auto per_instance = [&](double wanted, double seen) {
    return seen > 0 ? wanted * static_cast<double>(what.instances) / seen : 1.0;
  };
  const double host = per_instance(by.calls, static_cast<double>(what.call_count));
  const double launches = per_instance(by.launches, static_cast<double>(what.work_count));
  const double time = per_instance(by.time, static_cast<double>(what.work_time));
  Graph out = graph;
  scale_host(out, what, host);
  each_edge(out, [&](Edge& edge, Point to) {
    if (what.work[out.node_of[to]] == 0 || is_host(out, edge, to)) return;
    edge.lag = times(edge.lag, edge.kind == EdgeKind::kDuration ? time : launches);
  });
  return out;
}

}  // namespace assay::replay
