#include "algo/replay/replay.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "algo/replay/nodes.hpp"
#include "assay/algo/summary.hpp"

namespace assay::replay {

ReplayTimes run(const Graph& graph, ReplayTimes memory) {
  ReplayTimes out = std::move(memory);
  out.time.resize(graph.points());
  out.binding.assign(graph.points(), kNoEdge);
  for (Point p = 0; p < graph.points(); ++p) {
    const std::uint32_t first = graph.first_edge[p], last = graph.first_edge[p + 1];
    if (first == last) {
      out.time[p] = graph.seen[p];
      continue;
    }
    std::int64_t latest = std::numeric_limits<std::int64_t>::min();
    for (std::uint32_t e = first; e < last; ++e) {
      const std::int64_t time = out.time[graph.edges[e].from] + graph.edges[e].lag;
      if (time > latest) {
        latest = time;
        out.binding[p] = e;
      }
    }
    out.time[p] = latest;
  }
  return out;
}

std::vector<std::int64_t> lengths(const Graph& graph, const std::vector<std::int64_t>& times) {
  std::vector<std::int64_t> out;
  for (const Iteration& iteration : graph.iterations) out.push_back(times[iteration.end] - times[iteration.begin]);
  return out;
}

Drift drift_of(const GraphWithTypical& graphs, const std::vector<std::int64_t>& replayed) {
  const std::vector<std::int64_t> seen = lengths(graphs.seen, graphs.seen.seen);
  Drift out;
  for (const std::vector<std::int64_t>* times : {&replayed, &graphs.typical}) {
    std::vector<double> off;
    for (std::size_t i = 0; i < seen.size(); ++i) {
      if (seen[i] > 0)
        off.push_back(std::abs(static_cast<double>((*times)[i] - seen[i])) / static_cast<double>(seen[i]));
    }
    if (off.empty()) return out;
    out.median = std::max(out.median, median(off));
    out.worst = std::max(out.worst, *std::max_element(off.begin(), off.end()));
  }
  return out;
}

std::vector<Piece> critical_path(const Graph& graph, const ReplayTimes& replayed, const Iteration& iteration) {
  std::vector<Piece> path;
  each_piece_backwards(graph, replayed, iteration, [&](const Piece& piece) { path.push_back(piece); });
  std::reverse(path.begin(), path.end());
  return path;
}

Slacks slack(const Graph& graph, const ReplayTimes& replayed, const Iteration& iteration) {
  constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
  const Point first = iteration.begin;
  Slacks out;
  out.first = graph.node_of[first];
  out.slack.resize(graph.node_of[iteration.end] + 1 - out.first, kNoSlack);
  std::vector<std::int64_t> latest(iteration.end + 1 - first, kNever);
  latest[iteration.end - first] = replayed.time[iteration.end];
  for (Point p = iteration.end + 1; p-- > first;) {
    if (latest[p - first] == kNever) continue;
    for (const Edge& edge : graph.edges_to(p)) {
      if (edge.from >= first)
        latest[edge.from - first] = std::min(latest[edge.from - first], latest[p - first] - edge.lag);
    }
    const std::uint32_t n = graph.node_of[p];
    if (graph.nodes[n].end == p && n >= out.first) out.slack[n - out.first] = latest[p - first] - replayed.time[p];
  }
  return out;
}

}  // namespace assay::replay
