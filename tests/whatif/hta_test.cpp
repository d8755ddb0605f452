// The example traces of HTA's critical path: dependencies that HTA's own tests name are edges of the replay's graph,
// and where the paths differ, a replay tells which of them decides the end.
#include "algo/replay/change.hpp"
#include "support/kinds.hpp"
#include "support/test.hpp"
#include "whatif/run.hpp"

namespace assay::whatif::hta_test {

using replay::NodeKind;
using replay::Point;
using ReplayedRun = Run;  // a test of GoogleTest has a member of the name Run

constexpr std::string_view kSimpleAdd = "simple_add_benchmark_result_493459_1694039959_trace.json.gz",
                           kAlexNet = "alexnet_benchmark_result_2869224_1695835535_trace.json.gz",
                           kEventSync = "cuda_event_sync_event_sync_trace.json.gz",
                           kTwoStreams = "cuda_event_sync_multi_stream_event_sync_trace.json.gz";

std::filesystem::path folder() {
  const char* data = real_data("public");
  return data == nullptr ? "" : std::filesystem::path(data) / "../public2/hta_critical_path";
}

#define NEEDS_TRACES()                                                    \
  if (folder().empty() || !std::filesystem::exists(folder()))             \
  GTEST_SKIP() << "ASSAY_DATA has no public2/hta_critical_path: nothing " \
                  "is compared with HTA's critical paths"

ReplayedRun read(std::string_view name) {
  FoundFile found;
  found.name = name;
  found.path = folder() / name;
  found.kind = kind::kTorch;
  Result<ReplayedRun> run = read_run({found}, {}, {col::kernel_name, col::sets});
  if (!run) throw std::runtime_error(run.error().sentence);
  return std::move(*run);
}

/// What of a kind has a text in its name, in the order in which it was seen.
std::vector<const replay::Node*> nodes(const ReplayedRun& run, NodeKind kind, std::string_view text) {
  const Report& report = run.report();
  std::vector<const replay::Node*> out;
  for (const replay::Node& node : run.graph.nodes) {
    if (node.kind != kind) continue;
    const StringId name = kind == NodeKind::kKernel ? report.kernels->name[node.row]
                          : kind == NodeKind::kCall ? report.calls->name[node.row]
                                                    : 0;
    if (text.empty() || report.string(name).find(text) != std::string_view::npos) out.push_back(&node);
  }
  std::ranges::sort(out, {}, [&](const replay::Node* node) { return run.graph.seen[node->start]; });
  return out;
}

bool follows(const replay::Graph& graph, Point later, Point earlier) {
  return std::ranges::any_of(graph.edges_to(later), [&](const replay::Edge& e) { return e.from == earlier; });
}

TEST(HtaTraces, AStreamThatWaitsForAnEventWaitsForTheWorkBeforeItsRecording) {
  NEEDS_TRACES();
  const ReplayedRun run = read(kTwoStreams);
  // Recorded on stream 20 after both products: HTA's test asks that it stands for that of stream 20, not of stream 28.
  const auto products = nodes(run, NodeKind::kKernel, "ampere_sgemm_128x64_nn"), sets = nodes(run, NodeKind::kSet, "");
  ASSERT_EQ(products.size(), 3U);
  ASSERT_EQ(sets.size(), 3U);
  EXPECT_TRUE(follows(run.graph, sets[2]->start, products[0]->end));
  EXPECT_FALSE(follows(run.graph, sets[2]->start, products[1]->end));
}

TEST(HtaTraces, WorkOfAnotherStreamWaitsForTheLastFft) {
  NEEDS_TRACES();
  const ReplayedRun run = read(kAlexNet);
  const auto inverse = nodes(run, NodeKind::kKernel, "fft2d_c2r_32x32");
  ASSERT_FALSE(inverse.empty());
  const auto all = nodes(run, NodeKind::kKernel, "");
  const auto next = std::ranges::find_if(all, [&](const replay::Node* node) {
    return run.graph.seen[node->start] >= run.graph.seen[inverse.back()->end];
  });
  ASSERT_NE(next, all.end());
  EXPECT_NE((*next)->thread, inverse.back()->thread) << "of another stream";
  EXPECT_TRUE(follows(run.graph, (*next)->start, inverse.back()->end));
}

TEST(HtaTraces, CallsThatWaitForAnEventOrTheDeviceReturnAfterTheSpinningKernel) {
  NEEDS_TRACES();
  const ReplayedRun run = read(kEventSync);
  const auto spin = nodes(run, NodeKind::kKernel, "spin_kernel"),
             event = nodes(run, NodeKind::kCall, "cudaEventSynchronize"),
             device = nodes(run, NodeKind::kCall, "cudaDeviceSynchronize");
  ASSERT_EQ(spin.size(), 1U);
  ASSERT_EQ(event.size(), 1U);
  ASSERT_EQ(device.size(), 1U);
  EXPECT_TRUE(follows(run.graph, event[0]->end, spin[0]->end));
  EXPECT_TRUE(follows(run.graph, device[0]->end, spin[0]->end));
}

/// HTA leads the path of this trace through the last six pieces of device work, 0.51 ms, because time between two
/// operators of the host weighs nothing there. They had ended 0.24 ms before the call that waits for them began.
TEST(HtaTraces, KernelsThatEndedBeforeTheWaitBeganAreNotOnThePath) {
  NEEDS_TRACES();
  const ReplayedRun run = read(kSimpleAdd);
  const auto last = nodes(run, NodeKind::kKernel, "").back();
  const auto waits = nodes(run, NodeKind::kCall, "cudaDeviceSynchronize");
  const auto wait = std::ranges::find_if(
      waits, [&](const replay::Node* call) { return run.graph.seen[call->start] > run.graph.seen[last->end]; });
  ASSERT_NE(wait, waits.end());
  EXPECT_EQ(run.graph.seen[(*wait)->start] - run.graph.seen[last->end], 235'000);
  replay::Selector selector;
  selector.pattern = "*ampere_sgemm_32x32*";
  const NameRules no_classes{std::span<const Str>{}};
  const replay::Selection what = replay::select(run.report(), run.graph, selector, no_classes);
  EXPECT_GT(what.work_time, 1'000'000);
  const replay::Graph without = replay::scaled(run.graph, what, 0, false);
  EXPECT_EQ(replay::lengths(without, replay::run(without).time), run.replayed);
}

}  // namespace assay::whatif::hta_test
