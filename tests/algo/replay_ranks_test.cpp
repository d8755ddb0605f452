// Ranks of a job that wait for each other in collectives, replayed together, against the simulator.

#include <random>

#include "algo/replay/change.hpp"
#include "algo/replay/ranks.hpp"
#include "replay_simulator.hpp"
#include "support/test.hpp"

namespace assay::replay::replay_ranks_test {

using namespace simulated;
using testing::ReportBuilder;

constexpr std::int32_t kCompute = 7, kCommunication = 20;

/// Steps of compute whose gradients are reduced on a stream of its own, which the next step waits for.
struct Job {
  std::vector<Program> programs;
  std::vector<std::int64_t> lengths;  ///< of the collectives
};

Job random_job(std::mt19937_64& random, std::size_t ranks) {
  const auto below = [&](std::int64_t n) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n));
  };
  Job job;
  const std::int64_t scale = below(2) == 0 ? 6'000 : 80'000, steps = 4, buckets = 1 + below(4);
  for (std::size_t r = 0; r < ranks; ++r) {
    Program program{{Step::kKernel, 2'000, 20'000, kCompute},
                    {Step::kKernel, 2'000, 100, kCompute},
                    {Step::kStreamSync, 0, 0, kCompute}};
    std::int32_t event = 0;
    for (std::int64_t s = 0; s < steps; ++s) {
      program.push_back({Step::kIteration});
      for (std::int64_t bucket = 0; bucket < buckets; ++bucket) {
        for (std::int64_t k = 2 + below(5); k-- > 0;) {
          program.push_back({Step::kCode, 0, 500 + below(5'000)});
          program.push_back(
              {Step::kKernel, 1'000 + below(3'000), 100 + below(scale), kCompute, static_cast<std::int32_t>(below(4))});
        }
        program.push_back({Step::kRecord, 0, 0, kCompute, 0, 0, ++event});
        program.push_back({Step::kStreamWait, 0, 0, kCommunication, 0, 0, event});
        program.push_back({Step::kCollective, 2'000, 0, kCommunication});
      }
      program.push_back({Step::kRecord, 0, 0, kCommunication, 0, 0, ++event});
      program.push_back({Step::kStreamWait, 0, 0, kCompute, 0, 0, event});
      program.push_back({Step::kKernel, 1'500, 500 + below(2'000), kCompute, 9});
      if (below(2) == 0) program.push_back({Step::kStreamSync, 0, 0, kCompute});
    }
    program.push_back({Step::kIteration});
    job.programs.push_back(std::move(program));
  }
  for (std::int64_t c = 0; c < steps * buckets; ++c) job.lengths.push_back(5'000 + below(40'000));
  return job;
}

struct Ran {
  std::vector<std::unique_ptr<ReportBuilder>> builders;
  std::vector<std::unique_ptr<Simulator>> ranks;
  [[nodiscard]] std::vector<std::int64_t> lengths() const {
    std::vector<std::int64_t> out;
    for (const auto& rank : ranks) {
      const auto own = rank->lengths();
      out.insert(out.end(), own.begin(), own.end());
    }
    return out;
  }
};

Ran run_of(const Job& job, bool reports) {
  Ran out;
  for (const Program& program : job.programs) {
    out.builders.push_back(std::make_unique<ReportBuilder>());
    out.ranks.push_back(std::make_unique<Simulator>(program, true, reports ? out.builders.back().get() : nullptr));
  }
  run_job(out.ranks, job.lengths);
  return out;
}

struct Replays {
  std::vector<const Report*> reports;
  std::vector<Graph> graphs;
  Ranks ranks;
};

Replays replays_of(const Ran& ran) {
  Replays out;
  for (const auto& builder : ran.builders) {
    out.reports.push_back(&builder->build());
    out.graphs.push_back(build(*out.reports.back()));
  }
  std::vector<Rank> ranks;
  for (std::size_t r = 0; r < out.graphs.size(); ++r) ranks.push_back({out.reports[r], &out.graphs[r]});
  out.ranks = match_ranks(ranks);
  return out;
}

std::vector<std::int64_t> joined_lengths(const std::vector<Graph>& graphs, const Ranks& ranks) {
  std::vector<const Graph*> pointers;
  for (const Graph& graph : graphs) pointers.push_back(&graph);
  const JoinedRanks joined = join_ranks(pointers, ranks);
  EXPECT_EQ(joined.dropped, 0U);
  return lengths(joined.graph, run(joined.graph).time);
}

class Jobs : public ::testing::TestWithParam<int> {};

TEST_P(Jobs, ArePredictedToTheNanosecond) {
  const NameRules none(std::span<const Str>{});
  for (int i = 0; i < 20; ++i) {
    SCOPED_TRACE(GetParam() * 20 + i);
    std::mt19937_64 random(static_cast<std::uint64_t>(GetParam() * 20 + i));
    const Job job = random_job(random, 2 + static_cast<std::size_t>(i % 3));
    const Ran ran = run_of(job, true);
    const Replays replays = replays_of(ran);
    ASSERT_EQ(replays.ranks.shared.size(), job.lengths.size());
    EXPECT_EQ(replays.ranks.unmatched, 0U);
    EXPECT_EQ(joined_lengths(replays.graphs, replays.ranks), ran.lengths());

    // Kernels of one rank are slower: the others wait for it.
    for (const double factor : {0.5, 3.0}) {
      Job slower = job;
      for (Step& step : slower.programs[1]) {
        if (step.kind == Step::kKernel && step.name == 1)
          step.length = std::llround(static_cast<double>(step.length) * factor);
      }
      std::vector<Graph> changed = replays.graphs;
      Selector selector;
      selector.target = Target::kKernel;
      selector.pattern = "k1";
      changed[1] = scaled(changed[1], select(*replays.reports[1], changed[1], selector, none), factor, false);
      EXPECT_EQ(joined_lengths(changed, replays.ranks), run_of(slower, false).lengths());
    }

    // Nobody waits for anybody: each rank as if it were alone.
    for (std::size_t r = 0; r < job.programs.size(); ++r) {
      const Ran alone = run_of({{job.programs[r]}, job.lengths}, false);
      const Graph graph = without_other_ranks(replays.graphs[r], replays.ranks, r);
      EXPECT_EQ(lengths(graph, run(graph).time), alone.ranks.front()->lengths());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Ten, Jobs, ::testing::Range(0, 10));

TEST(JobPaths, StayOnTheirRankAndSumToTheIteration) {
  std::mt19937_64 random(3);
  std::int64_t waited = 0;
  for (int i = 0; i < 10; ++i) {
    const Ran ran = run_of(random_job(random, 3), true);
    const Replays replays = replays_of(ran);
    std::vector<const Graph*> pointers;
    for (const Graph& graph : replays.graphs) pointers.push_back(&graph);
    const JoinedRanks joined = join_ranks(pointers, replays.ranks);
    const ReplayTimes times = run(joined.graph);
    for (std::size_t r = 0; r < pointers.size(); ++r) {
      for (std::size_t k = joined.first_iteration[r]; k < joined.first_iteration[r + 1]; ++k) {
        const Iteration& iteration = joined.graph.iterations[k];
        std::int64_t at = times.time[iteration.begin];
        for (const Piece& piece : critical_path(joined.graph, times, iteration)) {
          EXPECT_EQ(piece.start, at);
          EXPECT_TRUE(piece.node >= joined.first_node[r] && piece.node < joined.first_node[r + 1]) << "of rank " << r;
          if (piece.part == Part::kOtherRank) waited += piece.end - piece.start;
          at = piece.end;
        }
        EXPECT_EQ(at, times.time[iteration.end]);
      }
    }
  }
  EXPECT_GT(waited, 0);
}

}  // namespace assay::replay::replay_ranks_test
