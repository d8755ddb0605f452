#include <algorithm>
#include <array>
#include <numeric>
#include <unordered_map>

#include "formats/nsys/graph_nodes.hpp"
#include "load/link.hpp"

namespace assay::load {
namespace {

struct Creation {
  std::int64_t time = 0, end = 0;
  std::uint32_t thread = kUnknown;
  std::int64_t original = 0;  ///< the node it was cloned from; its own id: none
};
using Creations = std::unordered_map<std::int64_t, Creation>;

/// The first creation of each node.
Creations read_creations(const Source& source, const TableInfo& info, const Threads& threads,
                         std::vector<Issue>& issues) {
  const bool cloned = info.has("originalGraphNodeId");
  std::vector<ColumnRequest> columns = {{"start"}, {"end"}, {"globalTid"}, {"graphNodeId"}};
  if (cloned) columns.push_back({"originalGraphNodeId"});
  const WholeTable rows(source.tables(), info, columns);
  Creations out;
  for (std::size_t row = 0; row < rows.rows(); ++row) {
    const std::int64_t node = rows.integer(3, row), start = rows.integer(0, row), end = rows.integer(1, row);
    if (node == kNoValue || !is_time(start)) continue;
    const std::int64_t original = cloned ? rows.integer(4, row) : kNoValue;
    const auto thread = rows.integer(2, row) == kNoValue ? std::nullopt : threads.find_thread(rows.integer(2, row));
    const bool clones = original != kNoValue && original != 0 && original != node;
    const auto [at, is_new] = out.try_emplace(
        node, Creation{start, std::max(start, is_time(end) ? end : start), thread.value_or(kUnknown), node});
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

/// Innermost ranges of the threads around the captures; kNone: outside of all ranges.
std::vector<Row> ranges_around(const std::vector<Node>& nodes, const Profile::Store& store) {
  CallRows captures;
  captures.start.make_present(nodes.size());
  captures.thread.make_present(nodes.size());
  std::vector<std::size_t> known;
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    if (nodes[n].thread == kUnknown) continue;
    known.push_back(n);
    captures.start.push(nodes[n].time);
    captures.thread.push(nodes[n].thread);
  }
  captures.end.assign(known.size(), 0);
  captures.end.values() = captures.start.values();
  OwnedColumn<Row> around;
  innermost_around(captures, *store.ranges, store.threads.thread_count(), around);
  std::vector<Row> out(nodes.size(), kNone);
  for (std::size_t n = 0; n < known.size(); ++n) out[known[n]] = around[n];
  return out;
}

}  // namespace

void read_graph_nodes(const Source& source, Profile::Store& store, std::vector<Issue>& issues) {
  const TableInfo* info = source.schema.find("CUDA_GRAPH_NODE_EVENTS");
  if (!source.wanted.table(col::declared) || info == nullptr) return;
  if (!has_columns(*info, {"start", "end", "globalTid", "graphNodeId"}, issues)) return;
  const std::vector<Node> nodes = nodes_of(read_creations(source, *info, store.threads, issues));
  if (nodes.empty()) return;
  DeclaredTableRows& table = store.declared.emplace_back();
  table.spec = &kGraphNodes;
  table.rows = nodes.size();
  for (const ColumnSpec& column : kGraphNodes.columns) table.columns.emplace_back().spec = &column;
  const auto fill = [&](std::size_t column, auto&& value) {
    table.columns[column].integers.assign(nodes.size(), 0);
    std::ranges::transform(nodes, table.columns[column].integers.values().begin(), value);
  };
  fill(0, &Node::time);
  fill(1, &Node::node);
  fill(2, &Node::original);
  fill(3, [](const Node& node) { return node.thread == kUnknown ? std::int64_t{kNone} : std::int64_t{node.thread}; });
  if (!store.ranges) return;
  const std::vector<Row> ranges = ranges_around(nodes, store);
  table.columns[4].integers.assign(nodes.size(), kNone);
  std::ranges::copy(ranges, table.columns[4].integers.values().begin());
}

}  // namespace assay::load
