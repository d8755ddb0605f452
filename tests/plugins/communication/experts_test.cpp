// Layers of experts: two all-to-alls with compute between them, worked out by hand; and a real job.
#include "assay/testing/job_builder.hpp"
#include "plugins/analyzers.hpp"
#include "plugins/real_report.hpp"
#include "support/test.hpp"

namespace assay::plugins_experts_test {

using namespace assay::testing;
using under_test::ranks::analyzed;
using under_test::ranks::gathered;

/// Steps of 1 ms: per layer tokens to the experts (at most 10 us), their compute (1 us per byte of tokens), and back.
/// `tokens`: of this rank in each layer; `most`: of any rank.
std::vector<RecordedTable> rank_of(const std::vector<std::int64_t>& tokens, const std::vector<std::int64_t>& most) {
  ReportBuilder b;
  b.captured(col::collectives).property("origin_ns", "1000");
  for (std::int64_t step = 0; step < 4; ++step) {
    std::int64_t at = step * 1000000;
    b.range("step_" + std::to_string(step), at, at + 999000);
    const Row call = b.call(CallKind::kKernelLaunch, at + 100, at + 200);
    at += 1000;
    for (std::size_t l = 0; l < tokens.size(); ++l) {
      const auto exchange = [&](std::int64_t start, std::int64_t end, std::int64_t sent, std::int64_t received) {
        const Row kernel = b.kernel("ncclDevKernel_SendRecv", start, end, {.stream = 17, .call = call});
        b.collective(kernel, CollectiveKind::kAllToAll,
                     {.group = "0", .group_ranks = "0,1", .group_size = 2, .sent = sent, .received = received});
      };
      exchange(at, at + 10000, 100, tokens[l]);
      const std::int64_t done = at + 10000 + tokens[l] * 1000, all = at + 10000 + most[l] * 1000;
      b.kernel("gemm", at + 10000, done, {.call = call});
      exchange(done, all + 10000, tokens[l], 100);
      at = all + 10000;
    }
  }
  return analyzed(b.build()).rank_tables;
}

JobRecorder job_of(const std::vector<std::int64_t>& one, const std::vector<std::int64_t>& other) {
  std::vector<std::int64_t> most;
  for (std::size_t l = 0; l < one.size(); ++l) most.push_back(std::max(one[l], other[l]));
  JobBuilder job;
  job.rank(0, 2, rank_of(one, most)).rank(1, 2, rank_of(other, most));
  return gathered(job.build());
}

TEST(Experts, AreNamedWithTheWaitingOfTheOthers) {
  const JobRecorder r = job_of({50, 50}, {150, 150});
  EXPECT_TRUE(has_values(r, {{"expert.layer_count", 2},
                             {"expert.imbalance_ratio", 1.5},
                             {"expert.layer_imbalance_ratio{layer=1}", 1.5},
                             {"expert.hot_rank", 1}}));
  EXPECT_EQ(r.value("expert.tokens_bytes", "", 1), 300);
  EXPECT_EQ(r.value("expert.compute_ns", "", 0), 100000);
  EXPECT_EQ(r.value("expert.compute_ns", "", 1), 300000);
  EXPECT_EQ(r.value("expert.wait_ns", "", 0), 200000);
  EXPECT_EQ(r.value("expert.wait_ns", "", 1), 0);
  // Per layer: 150 - 100 us of compute, and a third of 20 us of transfer. A step is 340 us.
  EXPECT_NEAR(*r.value("expert.even_saving_ns"), 2 * (50000 + 20000 / 3.0), 1e-6);
  EXPECT_NEAR(*r.value("expert.even_saving_ratio"), 2 * (50000 + 20000 / 3.0) / 340000, 1e-9);
}

TEST(Experts, AreNotOneHotRankIfHotByTurns) {
  const JobRecorder r = job_of({50, 150}, {150, 50});
  EXPECT_EQ(r.value("expert.imbalance_ratio"), 1.5);
  EXPECT_EQ(r.fact_of("expert.hot_rank"), nullptr);
  EXPECT_TRUE(contains(*r.skip_of("expert.hot_rank"), "there is none"));
}

TEST(Experts, SaveNothingIfEquallyLoaded) {
  const JobRecorder r = job_of({100, 100}, {100, 100});
  EXPECT_TRUE(has_values(r, {{"expert.imbalance_ratio", 1}, {"expert.even_saving_ns", 0}}));
}

TEST(Experts, KeepUnknownWaitingAndLayersUnknown) {
  StudyBuilder s;
  s.report("r", {}).fact("job.rank_count", 2).fact("expert.imbalance_ratio", 1.5).fact("expert.hot_rank", 1);
  const Recorder r = under_test::ranks::concluded(s.build());
  const RecordedFinding& f = finding(r, "get 1.5 times the mean");
  EXPECT_TRUE(contains(f.text, "wait for the one with most, for a time that is not known"));
  EXPECT_FALSE(contains(f.text, "0 layers"));
  ASSERT_NE(r.table_of("expert_jobs"), nullptr);
  EXPECT_EQ(r.table_of("expert_jobs")->column("layers")->integers.at(0), kNoInteger);
}

TEST(RealExperts, ShowAHotRank) {
  JobBuilder job;
  for (int rank = 0; rank < 4; ++rank) {
    const auto file = data_file("parallel", "moe_hot_rank" + std::to_string(rank) + ".pt.trace.json.gz");
    if (!file || !std::filesystem::exists(*file)) GTEST_SKIP() << "no real data";
    const RealReport report(under_test::ranks::descriptor, *file, "", "");
    job.rank(rank, 4, analyzed(report.report()).rank_tables);
  }
  const JobRecorder r = gathered(job.build());
  EXPECT_TRUE(has_values(r, {{"expert.hot_rank", 2}, {"expert.layer_count", 6}, {"expert.imbalance_ratio", 2.5}}));
  const double compute[] = {2.3e6, 2.3e6, 12.2e6, 2.3e6};
  for (Row rank = 0; rank < 4; ++rank) EXPECT_NEAR(*r.value("expert.compute_ns", "", rank), compute[rank], 0.05e6);
}

}  // namespace assay::plugins_experts_test
