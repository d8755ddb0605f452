// Layers of experts: what an even router saves, and what is known of a rank without a profile.
#include "plugins/ranks/experts.hpp"

#include "assay/testing/job_builder.hpp"
#include "ranks_job.hpp"
#include "support/test.hpp"

namespace assay::ranks::experts_test {

ExpertLayer layer(std::vector<double> tokens, std::vector<double> compute, double transfer) {
  ExpertLayer out;
  for (std::size_t r = 0; r < tokens.size(); ++r) out.ranks.push_back(r);
  out.tokens = std::move(tokens);
  out.compute = std::move(compute);
  out.transfer = transfer;
  return out;
}

TEST(Experts, AnEvenRouterSavesNothingWhereTokensAreEqual) {
  EXPECT_EQ(saved_by_even_router({layer({8, 8, 8, 8}, {100, 130, 100, 100}, 40)}, 1), 0);
}

TEST(Experts, AnEvenRouterSavesWhatTheMostTokensTakeLonger) {
  // 16 of 32 tokens: with 8 the compute is 1600 / 2 and the transfer 40 / 2.
  EXPECT_EQ(saved_by_even_router({layer({4, 8, 16, 4}, {400, 800, 1600, 400}, 40)}, 1), 800 + 20);
  EXPECT_EQ(saved_by_even_router({layer({4, 8, 16, 4}, {900, 800, 1600, 400}, 0)}, 1), 1600 - 925)
      << "a slow rank with few tokens: the mean of the compute";
}

/// One of four ranks, which all send 8 of their tokens and get `received`; steps of two all-to-alls.
std::vector<RecordedTable> rank_with(std::int64_t received) {
  ReportBuilder b;
  b.captured(col::collectives).property("origin_ns", "1000000000");
  for (std::int64_t step = 0; step < 4; ++step) {
    const std::int64_t at = step * 10000;
    b.range("ProfilerStep#" + std::to_string(step), at, at + 9000);
    const Row call = b.call(CallKind::kKernelLaunch, at + 10, at + 20);
    const auto exchange = [&](std::int64_t begin, std::int64_t sent, std::int64_t got) {
      const Row row = b.kernel("ncclDevKernel_SendRecv", begin, begin + 500, {.stream = 17, .call = call});
      b.collective(row, CollectiveKind::kAllToAll,
                   {.group = "0", .group_ranks = "0,1,2,3", .group_size = 4, .sent = sent, .received = got});
    };
    b.kernel("gate", at + 100, at + 1000, {.call = call});
    exchange(at + 1000, 8, received);
    b.kernel("expert", at + 1500, at + 2500, {.call = call});
    exchange(at + 2500, received, 8);
  }
  return under_test::ranks::analyzed(b.build()).rank_tables;
}

TEST(Experts, OfAMissingRankAreKnownByWhatTheOthersSend) {
  JobBuilder job;
  for (const std::int64_t rank : {0, 1, 3}) job.rank(rank, 4, rank_with(4));
  const JobRecorder out = under_test::ranks::gathered(job.build());
  EXPECT_EQ(out.value("expert.unseen_sent_ratio"), 0.5) << "24 are sent, 12 of them are got";
  EXPECT_EQ(out.value("expert.unseen_ratio"), 0.625) << "12 and its own 8 of 32";
  EXPECT_FALSE(out.value("expert.imbalance_ratio"));
  EXPECT_TRUE(contains(*out.skip_of("expert.imbalance_ratio"), "rank 2 of 4 is missing"));
  EXPECT_TRUE(contains(*out.issue_of("missing_ranks"), "3 of 4 ranks of the job have profiles (rank 2 of 4 is"));
}

TEST(Experts, OfAWholeJobHaveAnImbalance) {
  JobBuilder job;
  for (const std::int64_t rank : {0, 1, 2, 3}) job.rank(rank, 4, rank_with(rank == 2 ? 20 : 4));
  const JobRecorder out = under_test::ranks::gathered(job.build());
  EXPECT_EQ(out.value("expert.imbalance_ratio"), 2.5);
  EXPECT_FALSE(out.value("expert.unseen_ratio"));
}

}  // namespace assay::ranks::experts_test
