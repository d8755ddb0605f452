#include "algo/replay/change.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <unordered_map>
#include <utility>

#include "algo/replay/nodes.hpp"

namespace assay::replay {
namespace {

std::int64_t times(std::int64_t lag, double factor) {
  return lag == kNoLag ? lag : std::llround(static_cast<double>(lag) * factor);
}

/// Calls use(edge, target point).
template <class Use>
void each_edge(Graph& graph, Use&& use) {
  for (Point p = 0; p < graph.points(); ++p) {
    for (std::uint32_t e = graph.first_edge[p]; e < graph.first_edge[p + 1]; ++e) use(graph.edges[e], p);
  }
}

bool is_call(const Graph& graph, std::uint32_t node) { return graph.nodes[node].kind == NodeKind::kCall; }

/// Whether an edge is host time: host code between calls, or a call.
bool is_host(const Graph& graph, const Edge& edge, Point to) {
  if (edge.kind == EdgeKind::kThread || edge.kind == EdgeKind::kHandOver) return true;
  return edge.kind == EdgeKind::kDuration && is_call(graph, graph.node_of[to]);
}

void scale_host(Graph& graph, const Selection& what, double factor) {
  if (what.host.empty()) return;
  std::size_t e = 0;
  each_edge(graph, [&](Edge& edge, Point) {
    const std::int64_t meant = std::min(what.host[e++], edge.lag);
    edge.lag -= meant - times(meant, factor);
  });
}

}  // namespace

KeptGraph::KeptGraph(const Graph& graph) {
  lags_.reserve(graph.edges.size());
  for (const Edge& edge : graph.edges) lags_.push_back(edge.lag);
}

void KeptGraph::replace(Graph& graph, GraphEdges by) {
  by.swap_with(graph);
  replaced_.push_back(std::move(by));
}

void KeptGraph::restore(Graph& graph) {
  for (; !replaced_.empty(); replaced_.pop_back()) replaced_.back().swap_with(graph);
  for (std::size_t e = 0; e < lags_.size(); ++e) graph.edges[e].lag = lags_[e];
}

void GraphEdges::swap_with(Graph& graph) {
  edges.swap(graph.edges);
  first_edge.swap(graph.first_edge);
  for (auto& [node, device] : devices) std::swap(device, graph.nodes[node].device);
}

Graph scaled(Graph graph, const Selection& what, double factor, bool host_too) {
  if (host_too) scale_host(graph, what, factor);
  const auto scale = [&](Point to, EdgeKind kind) {
    for (std::uint32_t e = graph.first_edge[to]; e < graph.first_edge[to + 1]; ++e) {
      if (graph.edges[e].kind == kind) graph.edges[e].lag = times(graph.edges[e].lag, factor);
    }
  };
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    const Node& node = graph.nodes[n];
    if (what.work[n] != 0) scale(node.end, EdgeKind::kDuration);
    if (what.work[n] != 0 && host_too) scale(node.start, EdgeKind::kLaunch);
    if (what.calls[n] != 0 && host_too) scale(node.end, EdgeKind::kWait);
  }
  return graph;
}

Graph without_waits(const Report& report, Graph graph) {
  const auto waits = [&](const Node& node) {
    if (node.kind != NodeKind::kCall) return false;
    const CallKind kind = report.calls->kind[node.row];
    return kind == CallKind::kDeviceSync || kind == CallKind::kStreamSync || kind == CallKind::kEventSync;
  };
  each_edge(graph, [&](Edge& edge, Point to) {
    if (edge.kind == EdgeKind::kWait && waits(graph.nodes[graph.node_of[to]])) edge.lag = kNoLag;
  });
  return graph;
}

Graph without_host_code(Graph graph) {
  for (Edge& edge : graph.edges) {
    if (edge.kind == EdgeKind::kThread || edge.kind == EdgeKind::kHandOver) edge.lag = 0;
  }
  return graph;
}

namespace {

/// What moved copies came after on their streams: who waited for them waits for that now.
class PastOfCopies {
 public:
  PastOfCopies(const Graph& graph, const Selection& copies)
      : graph_(graph), copies_(copies), chain_(graph.nodes.size()) {}

  [[nodiscard]] bool moved(Point p) const { return copies_.work[graph_.node_of[p]] != 0; }
  [[nodiscard]] const std::vector<Edge>& of(Point copy) { return past_[graph_.node_of[copy]]; }

  /// Notes what the work that starts at p came after; in the order of points.
  void note(Point p) {
    const std::uint32_t n = graph_.node_of[p];
    chain_[n] = n;
    for (const Edge& edge : graph_.edges_to(p)) {
      const bool after_moved = moved(edge.from);
      if (!moved(p)) {
        if (edge.kind == EdgeKind::kStream && edge.lag >= 0) follow(n, edge.from, after_moved);
      } else if (is_order(edge.kind)) {
        if (!after_moved)
          add(edge, past_[n]);
        else
          for (const Edge& past : of(edge.from)) add(past, past_[n]);
      }
    }
  }
  static bool is_order(EdgeKind kind) {
    return kind == EdgeKind::kStream || kind == EdgeKind::kShared || kind == EdgeKind::kEvent;
  }

 private:
  [[nodiscard]] bool ends(Point p) const { return graph_.nodes[graph_.node_of[p]].end == p; }

  /// Work that starts when other work of its stream has ended, or later.
  void follow(std::uint32_t n, Point before, bool after_moved) {
    if (!after_moved) {
      if (ends(before)) chain_[n] = chain_[graph_.node_of[before]];
      return;
    }
    for (const Edge& past : of(before)) {
      const std::uint32_t other = graph_.node_of[past.from];
      if (ends(past.from) && graph_.nodes[other].thread == graph_.nodes[n].thread && !is_call(graph_, other))
        chain_[n] = chain_[other];
    }
  }

  /// Of what ends one after the other the last is enough: of copies in a row each would hold all that the others do.
  void add(const Edge& edge, std::vector<Edge>& to) const {
    for (Edge& known : to) {
      const bool one_chain = chain_[graph_.node_of[known.from]] == chain_[graph_.node_of[edge.from]] &&
                             ends(known.from) && ends(edge.from);
      if (!one_chain && known.from != edge.from) continue;
      if (known.from < edge.from) known = edge;
      return;
    }
    to.push_back(edge);
  }

  const Graph& graph_;
  const Selection& copies_;
  std::vector<std::uint32_t> chain_;  ///< by node: first of the work that ends one after the other, whatever changes
  std::unordered_map<std::uint32_t, std::vector<Edge>> past_;
};

}  // namespace

Graph overlapped(Graph graph, const Selection& copies, KeptGraph* kept) {
  PastOfCopies past(graph, copies);
  GraphEdges out;
  out.edges.reserve(graph.edges.size());
  out.first_edge.resize(graph.first_edge.size());
  Point last = kNoPoint;
  const auto add = [&](const Edge& edge) {
    if (!past.moved(edge.from) || edge.kind == EdgeKind::kDuration) return out.edges.push_back(edge);
    for (const Edge& one : past.of(edge.from)) out.edges.push_back({edge.lag, one.from, edge.kind, edge.part});
  };
  for (Point p = 0; p < graph.points(); ++p) {
    const Node& node = graph.nodes[graph.node_of[p]];
    const auto first = static_cast<std::uint32_t>(out.edges.size());
    out.first_edge[p] = first;
    const bool starts = past.moved(p) && node.start == p;
    if (node.start == p) past.note(p);
    bool waited_for_copy = false;
    for (const Edge& edge : graph.edges_to(p)) {
      if (starts && PastOfCopies::is_order(edge.kind)) continue;
      // The call of a copy that waits for it leads to the copy, and the copy to the call's end.
      const bool own = edge.kind == EdgeKind::kWait && past.moved(edge.from) && node.kind == NodeKind::kCall &&
                       graph.edges_to(graph.nodes[graph.node_of[edge.from]].start).front().from == node.start;
      if (own)
        waited_for_copy = true;
      else
        add(edge);
    }
    if (starts) {
      if (last != kNoPoint) out.edges.push_back({graph.lags.dispatch, last, EdgeKind::kStream, Part::kLaunch});
      last = node.end;
    }
    if (waited_for_copy) {
      for (auto e = first; e < out.edges.size(); ++e) {
        if (out.edges[e].kind == EdgeKind::kDuration) out.edges[e].lag = graph.lags.call;
      }
    }
  }
  out.first_edge.back() = static_cast<std::uint32_t>(out.edges.size());
  std::uint16_t engine = 0;  // an engine that runs only these copies
  for (const Node& node : graph.nodes) engine = std::max(engine, static_cast<std::uint16_t>(node.device + 1));
  for (std::uint32_t n = 0; n < graph.nodes.size(); ++n) {
    if (copies.work[n] != 0) out.devices.emplace_back(n, engine);
  }
  if (kept != nullptr)
    kept->replace(graph, std::move(out));
  else
    out.swap_with(graph);
  return graph;
}

namespace {

/// Calls that launch kernels.
std::vector<std::uint8_t> launching_calls(const Graph& graph) {
  std::vector<std::uint8_t> launches(graph.nodes.size(), 0);
  for (Point p = 0; p < graph.points(); ++p) {
    const Node& node = graph.nodes[graph.node_of[p]];
    if (node.start != p || !is_kernel(node)) continue;
    for (const Edge& edge : graph.edges_to(p)) {
      if (edge.kind == EdgeKind::kLaunch) launches[graph.node_of[edge.from]] = 1;
    }
  }
  return launches;
}

/// What the host does for launches: its edges since the last one of the thread, and their sum.
struct LaunchCode {
  struct Launch {
    std::uint32_t call;  ///< node
    std::size_t first;   ///< in `edges`, to the first of the next launch
    std::int64_t sum;
  };
  std::vector<Launch> launches;
  std::vector<std::uint32_t> edges;
};

LaunchCode code_of_launches(const Graph& graph) {
  struct Open {
    std::vector<std::uint32_t> edges;
    std::int64_t sum = 0;
  };
  const std::vector<std::uint8_t> launches = launching_calls(graph);
  std::vector<Open> open;  // by thread
  LaunchCode done;
  for (Point p = 0; p < graph.points(); ++p) {
    const std::uint32_t n = graph.node_of[p];
    const Node& node = graph.nodes[n];
    if (node.kind != NodeKind::kCall) continue;
    if (open.size() <= node.thread) open.resize(node.thread + 1);
    Open& code = open[node.thread];
    for (std::uint32_t e = graph.first_edge[p]; e < graph.first_edge[p + 1]; ++e) {
      const Edge& edge = graph.edges[e];
      if (edge.lag == kNoLag) continue;
      if (edge.kind == EdgeKind::kHandOver || edge.kind == EdgeKind::kWait) {
        code.edges.clear();
        code.sum = 0;
      }
      if (edge.kind != EdgeKind::kThread && edge.kind != EdgeKind::kDuration) continue;
      code.edges.push_back(e);
      code.sum += edge.lag;
    }
    if (node.end != p || launches[n] == 0) continue;
    done.launches.push_back({n, done.edges.size(), code.sum});
    done.edges.insert(done.edges.end(), code.edges.begin(), code.edges.end());
    code.edges.clear();
    code.sum = 0;
  }
  return done;
}

}  // namespace

Graph with_launch_cost(Graph graph, double factor, const Selection* of) {
  const LaunchCode code = code_of_launches(graph);
  if (code.launches.empty()) return graph;
  std::vector<std::int64_t> sums;
  for (const LaunchCode::Launch& launch : code.launches) sums.push_back(launch.sum);
  const std::int64_t most = kLaunchCode * middle(sums);
  std::vector<std::uint8_t> meant(graph.nodes.size(), 0);
  for (std::size_t l = 0; l < code.launches.size(); ++l) {
    const LaunchCode::Launch& launch = code.launches[l];
    if (of != nullptr && of->calls[launch.call] == 0) continue;
    meant[launch.call] = 1;
    if (launch.sum > most) continue;
    const std::size_t last = l + 1 < code.launches.size() ? code.launches[l + 1].first : code.edges.size();
    for (std::size_t e = launch.first; e < last; ++e) {
      std::int64_t& lag = graph.edges[code.edges[e]].lag;
      lag = times(lag, factor);
    }
  }
  if (factor >= 1) return graph;
  for (const Node& node : graph.nodes) {
    if (!is_kernel(node)) continue;
    const auto edges =
        std::span(graph.edges)
            .subspan(graph.first_edge[node.start], graph.first_edge[node.start + 1] - graph.first_edge[node.start]);
    const bool launched = std::ranges::any_of(edges, [&](const Edge& edge) {
      return edge.kind == EdgeKind::kLaunch && meant[graph.node_of[edge.from]] != 0;
    });
    for (Edge& edge : edges) {
      const Node& before = graph.nodes[graph.node_of[edge.from]];
      if (launched && edge.kind == EdgeKind::kStream && before.end == edge.from) edge.lag = times(edge.lag, factor);
    }
  }
  return graph;
}

Graph with_added_work(Graph graph, const Selection& ranges, double time) {
  const auto longer = [&](Point end, double by) {
    for (std::uint32_t e = graph.first_edge[end]; e < graph.first_edge[end + 1]; ++e) {
      if (graph.edges[e].kind == EdgeKind::kDuration) graph.edges[e].lag += std::llround(by);
    }
  };
  for (const std::uint32_t n : ranges.last) {
    longer(graph.nodes[n].end, time + static_cast<double>(graph.lags.dispatch));
    for (const Edge& edge : graph.edges_to(graph.nodes[n].start)) {
      const Node& call = graph.nodes[graph.node_of[edge.from]];
      if (edge.kind == EdgeKind::kLaunch) longer(call.end, static_cast<double>(graph.lags.call));
    }
  }
  return graph;
}

Graph replaced(Graph graph, const Selection& what, const Replacement& by) {
  const auto per_instance = [&](double wanted, double seen) {
    return seen > 0 ? wanted * static_cast<double>(what.instances) / seen : 1.0;
  };
  const double host = per_instance(by.calls, static_cast<double>(what.call_count));
  const double launches = per_instance(by.launches, static_cast<double>(what.work_count));
  const double time = per_instance(by.time, static_cast<double>(what.work_time));
  scale_host(graph, what, host);
  each_edge(graph, [&](Edge& edge, Point to) {
    if (what.work[graph.node_of[to]] == 0 || is_host(graph, edge, to)) return;
    edge.lag = times(edge.lag, edge.kind == EdgeKind::kDuration ? time : launches);
  });
  return graph;
}

}  // namespace assay::replay
