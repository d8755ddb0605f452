#include "replays.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "assay/algo/intervals.hpp"
#include "assay/words.hpp"

namespace assay::ranges {
namespace {

constexpr std::size_t kMaxReplayedPaths = 200;

/// Tree nodes by graph node: the place where each was captured.
std::unordered_map<std::int64_t, Row> capture_paths(const DeclaredTable& table, const PathTree& tree) {
  const Column<std::int64_t> node = table.integers("node"), range = table.integers("range");
  std::unordered_map<std::int64_t, Row> paths;
  if (!node.present()) return paths;
  for (std::size_t n = 0; n < table.rows; ++n) {
    const bool inside = range.present() && range[n] >= 0 && static_cast<std::size_t>(range[n]) < tree.numbers();
    paths.emplace(node[n], inside ? tree.node_of(static_cast<std::size_t>(range[n])) : kNone);
  }
  return paths;
}

/// The innermost of the nodes that a launch belongs to.
Row innermost(const PathTree& tree, std::span<const Row> nodes) {
  Row deepest = kNone;
  for (const Row node : nodes) {
    const auto depth = [&](Row n) { return tree.nodes()[static_cast<std::size_t>(n)].depth; };
    if (deepest == kNone || depth(node) > depth(deepest)) deepest = node;
  }
  return deepest;
}

struct Sums {
  std::map<std::int32_t, UnionMeasure> by_device;
  std::int64_t kernels = 0;
  void add(std::int32_t device, std::int64_t start, std::int64_t end) {
    by_device[device].add(start, end);
    ++kernels;
  }
  [[nodiscard]] double gpu() const {
    std::int64_t time = 0;
    for (const auto& [device, measure] : by_device) time += measure.total();
    return static_cast<double>(time);
  }
};

}  // namespace

Replays measure_replays(const Report& report, const PathTree& tree, const LaunchPaths& launches) {
  Replays out;
  const KernelTable* kernels = report.kernels;
  const DeclaredTable* nodes = report.table("graph_nodes");
  if (kernels == nullptr || !kernels->graph_node.present()) return out;
  const auto captured = nodes == nullptr ? std::unordered_map<std::int64_t, Row>() : capture_paths(*nodes, tree);
  std::map<std::pair<Row, Row>, Sums> sums;
  std::map<Row, Sums> of_launching;
  std::map<Row, std::set<Row>> calls;
  for (std::size_t k = 0; k < kernels->rows; ++k) {
    if (kernels->graph_node[k] == kNone || kernels->call[k] == kNone) continue;
    ++out.kernels;
    const auto at = captured.find(kernels->graph_node[k]);
    const Row launching = innermost(tree, launches.path_of(kernels->call[k]));
    calls[launching].insert(kernels->call[k]);
    of_launching[launching].add(kernels->device[k], kernels->start[k], kernels->end[k]);
    if (at == captured.end() || at->second == kNone) {
      ++out.unknown;
      continue;
    }
    for (Row node = at->second; node != kNone; node = tree.nodes()[static_cast<std::size_t>(node)].parent)
      sums[{launching, node}].add(kernels->device[k], kernels->start[k], kernels->end[k]);
  }
  for (const auto& [key, sum] : sums) {
    const double whole = of_launching[key.first].gpu();
    out.paths.push_back({key.first, key.second, static_cast<std::int64_t>(calls[key.first].size()), sum.kernels,
                         sum.gpu(), whole > 0 ? sum.gpu() / whole : 0});
  }
  std::ranges::stable_sort(out.paths, [&](const ReplayedPath& a, const ReplayedPath& b) {
    return a.launched != b.launched ? a.launched < b.launched : tree.path(a.captured) < tree.path(b.captured);
  });
  return out;
}

void emit_replays(const PathTree& tree, const Replays& replays, ReportSink& sink) {
  if (replays.unknown > 0) {
    sink.issue(
        "captured_before", Severity::kInfo, replays.unknown,
        counted_of(static_cast<std::size_t>(replays.unknown), static_cast<std::size_t>(replays.kernels), "kernel") +
            " of CUDA graphs have no range of their capture: they were captured before the profile began, or "
            "outside of ranges. They count for the range that launches the graph.");
  }
  if (replays.paths.empty()) return;
  const std::vector<ReplayedPath> rows(
      replays.paths.begin(),
      replays.paths.begin() + static_cast<std::ptrdiff_t>(std::min(replays.paths.size(), kMaxReplayedPaths)));
  const auto path = [&](Row node) { return node == kNone ? std::string("(no range)") : tree.path(node); };
  for (const ReplayedPath& row : rows) {
    const Dims dims = {{"path", path(row.launched)}, {"captured", path(row.captured)}};
    sink.fact("range.replayed_gpu_ns", row.each(row.gpu), dims);
    sink.fact("range.replayed_kernels", row.each(static_cast<double>(row.kernels)), dims);
    sink.fact("range.replayed_ratio", row.graph_ratio, dims);
  }
  Table table("replays", "Inside CUDA graphs, by the ranges in which they were captured");
  table.column("Captured in", "", rows, [&](const ReplayedPath& row) { return path(row.captured); })
      .column("Launched in", "", rows, [&](const ReplayedPath& row) { return path(row.launched); })
      .column("Replays", "1", rows, &ReplayedPath::launches)
      .column("Kernels", "1", rows, [](const ReplayedPath& row) { return row.each(static_cast<double>(row.kernels)); })
      .column("GPU time", "ns", rows, [](const ReplayedPath& row) { return row.each(row.gpu); })
      .column("Share", "ratio", rows, &ReplayedPath::graph_ratio);
  sink.table(table);
}

}  // namespace assay::ranges
