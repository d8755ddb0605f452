// Ranges as launches of CUDA graphs, on a run that is written down by hand.
#include "algo/replay/change.hpp"
#include "assay/testing/report_builder.hpp"
#include "support/test.hpp"

namespace assay {
namespace replay_graphs_test {

using replay::Graph;
using replay::GraphedRanges;
using testing::ReportBuilder;

/// A range with three launches of 5 ns, 20 ns of code between them; kernels of 10 ns start 3 ns after their launch.
/// A wait behind the range returns 2 ns after the last kernel.
void add_three_launches(ReportBuilder& b) {
  b.range("decode_0", 0, 56);
  for (std::int64_t i = 0; i < 3; ++i) {
    const std::int64_t at = 25 * i;
    b.kernel("k", at + 8, at + 18, {.call = b.call(CallKind::kKernelLaunch, at, at + 5)});
  }
  b.call(CallKind::kDeviceSync, 57, 70);
}

GraphedRanges graphed(const Report& report, const Graph& graph) {
  replay::Selector selector;
  selector.target = replay::Target::kRange;
  selector.pattern = "decode_{i}";
  const replay::Selection selected = replay::select(report, graph, selector, NameRules(std::span<const Str>()));
  return replay::as_cuda_graphs(report, graph, selected, selector.pattern);
}

TEST(GraphedRanges, LaunchOnceAndRunTheirKernelsWithoutGaps) {
  ReportBuilder b;
  add_three_launches(b);
  const Report& report = b.build();
  const Graph graph = replay::build(report);
  const GraphedRanges out = graphed(report, graph);
  EXPECT_EQ(out.ranges, 1U);
  EXPECT_EQ(out.launches, 3U);
  EXPECT_EQ(out.waits, 0U);
  const replay::ReplayTimes replayed = replay::run(out.graph);
  std::vector<std::int64_t> starts;
  for (const replay::Node& node : out.graph.nodes) {
    if (node.kind == replay::NodeKind::kKernel)
      starts.push_back(replayed.time[node.start] - replayed.time[graph.nodes[0].start]);
  }
  EXPECT_EQ(starts, (std::vector<std::int64_t>{8, 18, 28}))
      << "5 of the launch and 3 of its latency, then back to back";
}

TEST(GraphedRanges, WithASingleLaunchAreAsTheyWere) {
  ReportBuilder b;
  b.range("decode_0", 0, 20);
  b.kernel("k", 8, 18, {.call = b.call(CallKind::kKernelLaunch, 0, 5)});
  b.call(CallKind::kDeviceSync, 25, 30);
  const Report& report = b.build();
  const Graph graph = replay::build(report);
  EXPECT_EQ(graphed(report, graph).ranges, 0U);
}

}  // namespace replay_graphs_test
}  // namespace assay
