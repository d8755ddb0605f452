#include "algo/replay/ranks.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <unordered_map>

#include "algo/replay/nodes.hpp"
#include "assay/detail/communication.hpp"

namespace assay::replay {
namespace {

/// Identifies a collective within its rank.
struct CollectiveKey {
  std::string group;
  std::int64_t iteration = 0;
  CollectiveKind kind = CollectiveKind::kUnknown;
  std::int64_t number = 0;  ///< index within its group, or within its kind in the iteration
  auto operator<=>(const CollectiveKey&) const = default;
};

std::vector<std::pair<CollectiveKey, std::uint32_t>> keys_of(const Rank& rank, bool groups) {
  std::vector<std::pair<CollectiveKey, std::uint32_t>> out;
  const Report& report = *rank.report;
  const Graph& graph = *rank.graph;
  if (report.collectives == nullptr) return out;
  const CollectiveTable& collectives = *report.collectives;
  std::unordered_map<Row, std::size_t> of_kernel;
  for (std::size_t c = 0; c < collectives.rows; ++c) of_kernel.emplace(collectives.kernel[c], c);
  std::map<CollectiveKey, std::int64_t> counts;
  std::size_t iteration = 0;
  for (std::uint32_t n = 0; n < graph.nodes.size(); ++n) {
    const Node& node = graph.nodes[n];
    while (iteration < graph.iterations.size() && node.start >= graph.iterations[iteration].end) ++iteration;
    if (node.kind != NodeKind::kCollective) continue;
    const auto at = of_kernel.find(node.row);
    if (at == of_kernel.end() || !synchronises(collectives.kind[at->second])) continue;
    const bool inside = iteration < graph.iterations.size() && node.start > graph.iterations[iteration].begin;
    CollectiveKey key;
    key.kind = collectives.kind[at->second];
    key.iteration = inside ? graph.iterations[iteration].number : -1;
    if (groups && collectives.group.present()) key.group = report.string(collectives.group[at->second]);
    const std::int64_t sequence = collectives.sequence.present() ? collectives.sequence[at->second] : kNone;
    if (groups && sequence >= 0) {
      key.iteration = 0;
      key.number = sequence;
    } else {
      if (!inside) continue;  // the captures of the ranks differ before the first and after the last iteration
      key.number = counts[key]++;
    }
    out.emplace_back(std::move(key), n);
  }
  return out;
}

Ranks matched_by(std::span<const Rank> ranks, bool groups) {
  Ranks out;
  std::vector<std::map<CollectiveKey, std::uint32_t>> of_rank;
  std::size_t most = 0;
  std::vector<std::pair<CollectiveKey, std::uint32_t>> first;
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    auto keys = keys_of(ranks[r], groups);
    most = std::max(most, keys.size());
    if (r == 0) first = keys;
    of_rank.emplace_back(keys.begin(), keys.end());
  }
  for (const auto& [key, node] : first) {
    SharedCollective shared;
    std::int64_t length = std::numeric_limits<std::int64_t>::max();
    for (std::size_t r = 0; r < ranks.size(); ++r) {
      const auto at = of_rank[r].find(key);
      if (at == of_rank[r].end()) break;
      shared.node.push_back(at->second);
      const Node& of = ranks[r].graph->nodes[at->second];
      length = std::min(length, ranks[r].graph->seen[of.end] - ranks[r].graph->seen[of.start]);
    }
    if (shared.node.size() != ranks.size()) continue;
    shared.length = std::max<std::int64_t>(0, length);
    out.shared.push_back(std::move(shared));
  }
  out.unmatched = most - out.shared.size();
  // A collective ends at nearly the same time on all ranks.
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    std::vector<std::int64_t> ahead;
    for (const SharedCollective& one : out.shared)
      ahead.push_back(ranks[r].graph->seen[ranks[r].graph->nodes[one.node[r]].end] -
                      ranks[0].graph->seen[ranks[0].graph->nodes[one.node[0]].end]);
    out.offset.push_back(middle(ahead));
  }
  return out;
}

}  // namespace

Ranks match_ranks(std::span<const Rank> ranks) {
  if (ranks.empty()) return {};
  Ranks out = matched_by(ranks, true);
  // In some profiles each rank numbers its communicators independently.
  if (out.shared.size() < out.unmatched) {
    Ranks without = matched_by(ranks, false);
    if (without.shared.size() > out.shared.size()) return without;
  }
  return out;
}

Graph without_other_ranks(const Graph& graph, const Ranks& ranks, std::size_t rank) {
  Graph out = graph;
  for (const SharedCollective& one : ranks.shared) {
    const Point end = out.nodes[one.node[rank]].end;
    for (std::uint32_t e = out.first_edge[end]; e < out.first_edge[end + 1]; ++e) {
      if (out.edges[e].kind == EdgeKind::kDuration) out.edges[e].lag = std::min(out.edges[e].lag, one.length);
    }
  }
  return out;
}

namespace {

/// Merges the points of all ranks into one order in which every edge points forward.
class Joining {
 public:
  Joining(std::span<const Graph* const> graphs, const Ranks& ranks) : graphs_(graphs), ranks_(ranks) {
    std::uint16_t devices = 0;
    for (const Graph* graph : graphs) {
      place_.emplace_back(graph->points(), kNoPoint);
      shared_.emplace_back();
      out_.first_node.push_back(out_.graph.nodes.size());
      const std::uint16_t first_device = devices;
      for (Node node : graph->nodes) {
        node.device = static_cast<std::uint16_t>(node.device + first_device);
        devices = std::max(devices, static_cast<std::uint16_t>(node.device + 1));
        out_.graph.nodes.push_back(node);
      }
      out_.graph.unexplained += graph->unexplained;
      out_.graph.unexplained_count += graph->unexplained_count;
    }
    out_.first_node.push_back(out_.graph.nodes.size());
    out_.graph.lags = graphs.empty() ? Lags{} : graphs[0]->lags;
    for (std::size_t m = 0; m < ranks.shared.size(); ++m) {
      for (std::size_t r = 0; r < graphs.size(); ++r)
        shared_[r].emplace(graphs[r]->nodes[ranks.shared[m].node[r]].end, m);
    }
  }

  JoinedRanks join() {
    std::vector<Point> next(graphs_.size(), 0);
    while (true) {
      bool placed = false, left = false;
      for (std::size_t r = 0; r < graphs_.size(); ++r) {
        for (; next[r] < graphs_[r]->points() && ready(r, next[r]); ++next[r]) {
          schedule(r, next[r]);
          placed = true;
        }
        left = left || next[r] < graphs_[r]->points();
      }
      if (!left) break;
      if (!placed) drop_one(next);
    }
    out_.graph.first_edge.push_back(static_cast<std::uint32_t>(out_.graph.edges.size()));
    for (std::size_t r = 0; r < graphs_.size(); ++r) set_iterations(r);
    out_.first_iteration.push_back(out_.graph.iterations.size());
    for (std::size_t r = 0; r < graphs_.size(); ++r) {
      for (std::size_t n = out_.first_node[r]; n < out_.first_node[r + 1]; ++n) {
        Node& node = out_.graph.nodes[n];
        node.start = place_[r][node.start];
        node.end = place_[r][node.end];
      }
    }
    return std::move(out_);
  }

 private:
  [[nodiscard]] const SharedCollective* shared(std::size_t r, Point p) const {
    const auto at = shared_[r].find(p);
    return at == shared_[r].end() ? nullptr : &ranks_.shared[at->second];
  }
  [[nodiscard]] Point start_of(const SharedCollective& one, std::size_t r) const {
    return place_[r][graphs_[r]->nodes[one.node[r]].start];
  }

  [[nodiscard]] bool ready(std::size_t r, Point p) const {
    const SharedCollective* one = shared(r, p);
    if (one == nullptr) return true;
    for (std::size_t q = 0; q < graphs_.size(); ++q) {
      if (start_of(*one, q) == kNoPoint) return false;
    }
    return true;
  }

  void schedule(std::size_t r, Point p) {
    Graph& graph = out_.graph;
    place_[r][p] = static_cast<Point>(graph.seen.size());
    graph.first_edge.push_back(static_cast<std::uint32_t>(graph.edges.size()));
    graph.seen.push_back(graphs_[r]->seen[p] - ranks_.offset[r]);
    graph.node_of.push_back(static_cast<std::uint32_t>(out_.first_node[r]) + graphs_[r]->node_of[p]);
    const SharedCollective* one = shared(r, p);
    for (Edge edge : graphs_[r]->edges_to(p)) {
      edge.from = place_[r][edge.from];
      if (one != nullptr && edge.kind == EdgeKind::kDuration) edge.lag = std::min(edge.lag, one->length);
      graph.edges.push_back(edge);
    }
    for (std::size_t q = 0; one != nullptr && q < graphs_.size(); ++q) {
      if (q != r) graph.edges.push_back({one->length, start_of(*one, q), EdgeKind::kRank, Part::kCommunication});
    }
  }

  /// The ranks wait for each other in a cycle, so some collectives were matched wrongly.
  void drop_one(const std::vector<Point>& next) {
    for (std::size_t r = 0; r < graphs_.size(); ++r) {
      if (next[r] >= graphs_[r]->points()) continue;
      const std::size_t m = shared_[r].at(next[r]);
      for (std::size_t q = 0; q < graphs_.size(); ++q)
        shared_[q].erase(graphs_[q]->nodes[ranks_.shared[m].node[q]].end);
      ++out_.dropped;
      return;
    }
  }

  void set_iterations(std::size_t r) {
    out_.first_iteration.push_back(out_.graph.iterations.size());
    for (Iteration iteration : graphs_[r]->iterations) {
      iteration.begin = place_[r][iteration.begin];
      iteration.end = place_[r][iteration.end];
      out_.graph.iterations.push_back(iteration);
    }
  }

  std::span<const Graph* const> graphs_;
  const Ranks& ranks_;
  std::vector<std::vector<Point>> place_;
  std::vector<std::unordered_map<Point, std::size_t>> shared_;  ///< by the end of the collective
  JoinedRanks out_;
};

}  // namespace

JoinedRanks join_ranks(std::span<const Graph* const> graphs, const Ranks& ranks) {
  return Joining(graphs, ranks).join();
}

}  // namespace assay::replay
