// Helpers on nodes, shared by the sources of the replay.
#pragma once

#include <algorithm>
#include <vector>

#include "algo/replay/replay.hpp"

namespace assay::replay {

inline bool is_kernel(const Node& node) { return node.kind == NodeKind::kKernel || node.kind == NodeKind::kCollective; }

/// The category to which the time of a node counts.
inline Part part_of(NodeKind kind) {
  switch (kind) {
    case NodeKind::kKernel:
    case NodeKind::kGraph:
      return Part::kKernel;
    case NodeKind::kCopy:
    case NodeKind::kSet:
      return Part::kCopy;
    case NodeKind::kCollective:
      return Part::kCommunication;
    case NodeKind::kCall:
    case NodeKind::kMark:
      break;
  }
  return Part::kHost;
}

/// The call that a node is, or that launched it; kNone: unknown.
inline Row call_of(const Report& report, const Node& node) {
  switch (node.kind) {
    case NodeKind::kCall:
      return node.row;
    case NodeKind::kKernel:
    case NodeKind::kCollective:
      return report.kernels->call[node.row];
    case NodeKind::kGraph:
      return report.graphs->call[node.row];
    case NodeKind::kCopy:
      return report.copies->call[node.row];
    case NodeKind::kSet:
      return report.sets->call[node.row];
    case NodeKind::kMark:
      break;
  }
  return kNone;
}

/// Calls use(piece) for the pieces of critical_path(), last piece first.
template <class Use>
void each_piece_backwards(const Graph& graph, const ReplayTimes& replayed, const Iteration& iteration, Use&& use) {
  const std::int64_t begin = replayed.time[iteration.begin];
  Point at = iteration.end;
  while (replayed.time[at] > begin) {
    const std::uint32_t e = replayed.binding[at];
    const std::uint32_t node = graph.node_of[at];
    if (e == kNoEdge) return use(Piece{node, EdgeKind::kDuration, Part::kUnknown, begin, replayed.time[at], at});
    const Edge& edge = graph.edges[e];
    const std::int64_t start = std::max(begin, replayed.time[edge.from]);
    if (start < replayed.time[at]) use(Piece{node, edge.kind, edge.part, start, replayed.time[at], at});
    if (edge.kind != EdgeKind::kRank) {
      at = edge.from;
      continue;
    }
    const Point arrived = graph.nodes[node].start;
    const std::int64_t own = std::max(begin, replayed.time[arrived]);
    if (own < start) use(Piece{node, edge.kind, Part::kOtherRank, own, start, edge.from});
    at = arrived;
  }
}

/// The upper median; reorders `values`; 0 if empty.
inline std::int64_t middle(std::vector<std::int64_t>& values) {
  if (values.empty()) return 0;
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

}  // namespace assay::replay
