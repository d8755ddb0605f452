// Helpers on nodes, shared by the sources of the replay.
#pragma once

#include <algorithm>
#include <vector>

#include "assay/detail/replay.hpp"

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

/// The upper median; reorders `values`; 0 if empty.
inline std::int64_t middle(std::vector<std::int64_t>& values) {
  if (values.empty()) return 0;
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

}  // namespace assay::replay
