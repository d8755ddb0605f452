#include <algorithm>
#include <unordered_map>

#include "formats/nsys/graph_nodes.hpp"

namespace assay::load {
namespace {

struct Creation {
  std::int64_t time = 0, end = 0;
  std::uint32_t thread = kUnknown;
  std::int64_t original = 0;  ///< the node it was cloned from; its own id: none
};
using Creations = std::unordered_map<std::int64_t, Creation>;

/// The first creation of each node.
Creations read_creations(const Source& source, const TableInfo& info, std::vector<Issue>& issues) {
  const bool cloned = info.has("originalGraphNodeId");
  std::vector<ColumnRequest> columns = {{"start"}, {"end"}, {"globalTid"}, {"graphNodeId"}};
  if (cloned) columns.push_back({"originalGraphNodeId"});
  const WholeTable rows(source.tables(), info, columns);
  Creations out;
  for (std::size_t row = 0; row < rows.rows(); ++row) {
    const std::int64_t node = rows.integer(3, row), start = rows.integer(0, row), end = rows.integer(1, row);
    if (node == kNoValue || !is_time(start)) continue;
    const std::int64_t original = cloned ? rows.integer(4, row) : kNoValue;
    const bool clones = original != kNoValue && original != 0 && original != node;
    const auto [at, is_new] = out.try_emplace(node, Creation{start, std::max(start, is_time(end) ? end : start),
                                                             known_thread(source, rows.integer(2, row)), node});
    if (clones && at->second.original == node)
      at->second.original = original;  // a clone is first created like any
                                       // other node
  }
  note_pages(rows.outcome().pages, info.name, issues);
  return out;
}

/// The original node at the end of a chain of clones.
std::int64_t origin_of(std::int64_t node, const Creations& creations) {
  constexpr int kMaxClones = 64;
  for (int hop = 0; hop < kMaxClones; ++hop) {
    const auto at = creations.find(node);
    if (at == creations.end() || at->second.original == node) break;
    node = at->second.original;
  }
  return node;
}

struct Node {
  std::int64_t time, node, original;
  std::uint32_t thread;
};

std::vector<Node> nodes_of(const Creations& creations) {
  std::vector<Node> nodes;
  for (const auto& [node, creation] : creations) {
    const std::int64_t original = origin_of(node, creations);
    const auto at = creations.find(original);
    const Creation& first = at == creations.end() ? creation : at->second;
    nodes.push_back({first.time, node, original, first.thread});
  }
  std::ranges::sort(nodes,
                    [](const Node& a, const Node& b) { return a.time != b.time ? a.time < b.time : a.node < b.node; });
  return nodes;
}

}  // namespace

void read_graph_nodes(NsysTables& to) {
  const TableInfo* info = to.source.schema.find("CUDA_GRAPH_NODE_EVENTS");
  if (!to.source.wanted.table(col::declared) || info == nullptr) return;
  if (!has_columns(*info, {"start", "end", "globalTid", "graphNodeId"}, to.issues)) return;
  const std::vector<Node> nodes = nodes_of(read_creations(to.source, *info, to.issues));
  if (nodes.empty()) return;
  auto rows = Tables(to.out).declared(kGraphNodes.name.view(), nodes.size());
  const auto fill = [&](std::string_view column, auto&& value) {
    std::ranges::transform(nodes, rows.integers(column).begin(), value);
  };
  fill("time", &Node::time);
  fill("node", &Node::node);
  fill("original", &Node::original);
  fill("thread",
       [](const Node& node) { return node.thread == kUnknown ? std::int64_t{kNone} : std::int64_t{node.thread}; });
}

}  // namespace assay::load
