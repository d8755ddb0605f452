// Replays of programs with events between streams and a backward pass that another thread runs, against the simulator.
#include <random>

#include "algo/replay/change.hpp"
#include "replay_simulator.hpp"
#include "support/test.hpp"

namespace assay::replay::replay_threads_test {

using namespace simulated;
using testing::ReportBuilder;

constexpr std::int64_t kLonger = 7'777;  // ns, of the step that is changed

/// Work on several streams that wait for each other's events, forward on one thread and backward on another.
Program random_threads(std::mt19937_64& random) {
  const auto below = [&](std::int64_t n) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n));
  };
  // A lag that a run never shows cannot be known from it: a launch on an idle stream, queued work, a wait.
  Program program{{Step::kKernel, 2'000, 20'000, 7}, {Step::kKernel, 2'000, 100, 7}, {Step::kStreamSync, 0, 0, 7}};
  const std::int64_t scale = below(2) == 0 ? 6'000 : 60'000;
  std::int32_t event = 0;
  const auto work = [&](std::uint32_t thread, std::int64_t steps) {
    for (std::int64_t n = steps; n-- > 0;) {
      const auto stream = static_cast<std::int32_t>(7 + below(3));
      const std::int64_t kind = below(14);
      program.push_back({Step::kCode, 0, 500 + below(6'000), 0, 0, thread});
      if (kind == 0) program.push_back({Step::kStreamSync, 0, 0, stream, 0, thread});
      if (kind == 1 || kind == 2) {
        program.push_back({Step::kRecord, 0, 0, stream, 0, thread, ++event});
        const auto other = static_cast<std::int32_t>(7 + (stream - 7 + 1 + below(2)) % 3);
        if (kind == 1) program.push_back({Step::kStreamWait, 0, 0, other, 0, thread, event});
        if (kind == 2 && below(2) == 0) program.push_back({Step::kEventSync, 0, 0, 0, 0, thread, event});
      }
      if (kind == 3) program.push_back({Step::kCopy, 1'000 + below(4'000), 100 + below(scale), stream, 0, thread});
      if (kind > 3)
        program.push_back({Step::kKernel, 1'000 + below(4'000), 100 + below(scale), stream,
                           static_cast<std::int32_t>(below(5)), thread});
    }
  };
  for (int i = 0; i < 4; ++i) {
    program.push_back({Step::kIteration});
    work(0, 15 + below(20));
    program.push_back({Step::kKernel, 1'500, 100 + below(scale), 7});  // the last call before the hand-over
    program.push_back({Step::kHand});
    work(1, 10 + below(30));
    program.push_back({Step::kKernel, 1'500, 100 + below(scale), 8, 0, 1});
    program.push_back({Step::kBack});
    work(0, 5 + below(5));
  }
  program.push_back({Step::kIteration});
  return program;
}

std::vector<std::int64_t> replayed_times(const Graph& graph) { return lengths(graph, run(graph).time); }

/// The node of a step's call or work.
std::size_t node_of(const Graph& graph, NodeKind kind, Row row) {
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    if (graph.nodes[n].kind == kind && graph.nodes[n].row == row) return n;
  }
  ADD_FAILURE() << "no node of row " << row;
  return 0;
}

Edge& edge_to(Graph& graph, Point point, std::initializer_list<EdgeKind> kinds) {
  for (std::uint32_t e = graph.first_edge[point]; e < graph.first_edge[point + 1]; ++e) {
    for (const EdgeKind kind : kinds) {
      if (graph.edges[e].kind == kind) return graph.edges[e];
    }
  }
  ADD_FAILURE() << "no such edge";
  return graph.edges.front();
}

class Programs : public ::testing::TestWithParam<int> {
 protected:
  void make(int seed) {
    std::mt19937_64 random(static_cast<std::uint64_t>(seed));
    program = random_threads(random);
    builder = std::make_unique<ReportBuilder>();
    simulator = std::make_unique<Simulator>(program, true, builder.get());
    simulator->run();
    report = &builder->build();
    graph = build(*report);
  }

  [[nodiscard]] std::vector<std::int64_t> truth(const Program& changed, bool waits = true) const {
    return lengths_of(changed, waits);
  }

  Program program;
  std::unique_ptr<ReportBuilder> builder;
  std::unique_ptr<Simulator> simulator;
  const Report* report = nullptr;
  Graph graph;
};

TEST_P(Programs, AreReplayedToTheNanosecond) {
  for (int i = 0; i < 20; ++i) {
    make(GetParam() * 20 + i);
    SCOPED_TRACE(GetParam() * 20 + i);
    EXPECT_EQ(graph.hand_overs, 4U);
    EXPECT_EQ(graph.loose_waits, 0U);
    EXPECT_EQ(graph.unexplained, 0);
    EXPECT_EQ(run(graph).time, graph.seen);
    EXPECT_EQ(replayed_times(graph), simulator->lengths());
    EXPECT_EQ(replayed_times(without_waits(*report, graph)), truth(program, false));
  }
}

// One step of each kind in turn is longer: by that much the edge of the graph, and the rest follows.
TEST_P(Programs, ArePredictedWithEachKindOfStepPerturbed) {
  std::map<std::string, int> perturbed;
  for (int i = 0; i < 20; ++i) {
    make(GetParam() * 20 + i);
    SCOPED_TRACE(GetParam() * 20 + i);
    std::mt19937_64 random(static_cast<std::uint64_t>(GetParam()));
    for (std::size_t s = 3 + random() % 7; s < program.size(); s += 1 + random() % 7) {
      const Step& step = program[s];
      const StepRows& made = simulator->made()[s];
      Graph changed = graph;
      Program other = program;
      if (step.kind == Step::kKernel) {
        const bool host = random() % 2 == 0;
        const Row row = host ? builder->row_of_call(made.call) : builder->row_of_kernel(made.work);
        const std::size_t node = node_of(changed, host ? NodeKind::kCall : NodeKind::kKernel, row);
        edge_to(changed, changed.nodes[node].end, {EdgeKind::kDuration}).lag += kLonger;
        (host ? other[s].call : other[s].length) += kLonger;
        ++perturbed[host ? "call" : "kernel"];
      } else if (step.kind == Step::kCode && s + 1 < program.size() && simulator->made()[s + 1].call != kNone) {
        const std::size_t node = node_of(changed, NodeKind::kCall, builder->row_of_call(simulator->made()[s + 1].call));
        Edge* edge = &edge_to(changed, changed.nodes[node].start, {EdgeKind::kHandOver, EdgeKind::kThread});
        // A call that goes on for another thread has the code on its hand-over.
        for (std::uint32_t e = changed.first_edge[changed.nodes[node].start];
             e < changed.first_edge[changed.nodes[node].start + 1]; ++e) {
          if (changed.edges[e].kind == EdgeKind::kHandOver) edge = &changed.edges[e];
        }
        ++perturbed[edge->kind == EdgeKind::kHandOver ? "hand-over" : "code"];
        edge->lag += kLonger;
        other[s].length += kLonger;
      } else {
        continue;
      }
      ASSERT_EQ(replayed_times(changed), truth(other)) << "step " << s;
    }
  }
  for (const char* kind : {"kernel", "call", "code", "hand-over"}) EXPECT_GT(perturbed[kind], 0) << kind;
}

INSTANTIATE_TEST_SUITE_P(Ten, Programs, ::testing::Range(0, 10));

// Each copy comes after the one before it and after the event of a kernel, and the host waits for each: beside the rest
// that is the last of those kernels, not all of them.
TEST(Overlap, IsLinearInTheNumberOfCopies) {
  const auto edges_of = [](std::int32_t copies) {
    Program program{{Step::kIteration}};
    for (std::int32_t event = 1; event <= copies; ++event) {
      program.push_back({Step::kKernel, 2'000, 9'000, 7});
      program.push_back({Step::kRecord, 0, 0, 7, 0, 0, event});
      program.push_back({Step::kStreamWait, 0, 0, 8, 0, 0, event});
      program.push_back({Step::kCopy, 2'000, 3'000, 8});
      program.push_back({Step::kStreamSync, 0, 0, 8});
    }
    program.push_back({Step::kIteration});
    ReportBuilder builder;
    Simulator(program, true, &builder).run();
    const Report& report = builder.build();
    const Graph graph = build(report);
    Selector h2d;
    h2d.target = Target::kCopy;
    h2d.pattern = "h2d";
    const Selection selected = select(report, graph, h2d, NameRules(std::span<const Str>()));
    EXPECT_EQ(selected.work_count, static_cast<std::size_t>(copies));
    return overlapped(graph, selected).edges.size();
  };
  EXPECT_LT(edges_of(160), 5 * edges_of(40));
}

TEST(Events, AreCountedIfUnknown) {
  ReportBuilder b;
  Row call = b.call(CallKind::kKernelLaunch, 0, 2'000);
  b.kernel("a", 5'000, 30'000, {.stream = 7, .call = call});
  call = b.call(CallKind::kOther, 3'000, 4'000);
  b.sync(2, 3'000, 4'000, {.stream = 8, .call = call});
  call = b.call(CallKind::kKernelLaunch, 5'000, 7'000);
  b.kernel("b", 31'000, 40'000, {.stream = 8, .call = call});
  const Graph graph = build(b.build());
  EXPECT_EQ(graph.loose_waits, 1U);
  EXPECT_EQ(graph.event_waits, 0U);
}

}  // namespace assay::replay::replay_threads_test
