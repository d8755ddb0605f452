// A pipeline of two stages and two microbatches, worked out by hand, and real jobs against second computations.
#include "assay/testing/job_builder.hpp"
#include "plugins/analyzers.hpp"
#include "plugins/real_report.hpp"
#include "support/test.hpp"

namespace assay::plugins_pipeline_test {

using namespace assay::testing;
using under_test::pipeline::analyzed;
using under_test::pipeline::gathered;

/// A kernel of the device, us from the begin of the step; `to` and `from` are peers of a message, -1: none.
struct Kernel {
  int start, end, to = -1, from = -1;
};

/// All forward passes (100 us each), then all backward passes (200 us each); a transfer takes 10 us.
const std::vector<std::vector<Kernel>> kStages = {
    {{0, 100}, {100, 110, 1}, {110, 210}, {210, 220, 1}, {220, 530, -1, 1}, {530, 730}, {730, 740, -1, 1}, {740, 940}},
    {{0, 110, -1, 0}, {110, 210}, {210, 220, -1, 0}, {220, 320}, {320, 520}, {520, 530, 0}, {530, 730}, {730, 740, 0}}};

/// What says who sends to whom.
enum class Source {
  kCalls,    ///< the call around the launch, and the kernel
  kBatches,  ///< calls that end before their kernel is launched, which says nothing
  kKernels,  ///< the kernels; there are no operators
  kNothing   ///< as in exports of Nsight Systems
};

/// A trace of one rank: steps of 1 ms, clock too late by `late` us.
std::string trace_of(const std::vector<Kernel>& kernels, int rank, int steps, int late, Source source) {
  std::string events;
  const auto event = [&](const std::string& category, const std::string& name, double at, double length,
                         const std::string& args, int thread = 9) {
    events += (events.empty() ? "" : ",\n") + ("{\"ph\":\"X\",\"cat\":\"" + category) + "\",\"name\":\"" + name +
              "\",\"pid\":9,\"tid\":" + std::to_string(thread) + ",\"ts\":" + std::to_string(5000 + late + at) +
              ",\"dur\":" + std::to_string(length) + ",\"args\":{" + args + "}}";
  };
  int correlation = 0;
  for (int step = 0; step < steps; ++step) {
    const double begin = 2000 * step;
    event("user_annotation", "step_" + std::to_string(step), begin - 60, 1500, "");
    for (const Kernel& k : kernels) {
      const std::string link = "\"correlation\":" + std::to_string(++correlation);
      const double host = begin - 50 + correlation % 50;
      const bool message = k.to >= 0 || k.from >= 0;
      const std::string said = "\"In msg nelems\":1000,\"dtype\":\"BFloat16\",\"Process Group Ranks\":\"[0, 1, 2]\"," +
                               (k.to >= 0 ? "\"Collective name\":\"send\",\"Dst Rank\":" + std::to_string(k.to)
                                          : "\"Collective name\":\"recv\",\"Src Rank\":" + std::to_string(k.from));
      if (message && (source == Source::kCalls || source == Source::kBatches))
        event("cpu_op", "record_param_comms", host - 0.5, source == Source::kBatches ? 0.3 : 0.9, said);
      event("cuda_runtime", "cudaLaunchKernel", host, 0.2, link);
      event("kernel", message ? "ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)" : "gemm", begin + k.start,
            k.end - k.start,
            link + ",\"device\":0,\"stream\":" + (message ? "19" : "7") +
                (message && (source == Source::kCalls || source == Source::kKernels) ? "," + said : ""),
            message ? 19 : 7);
    }
  }
  return "{\"schemaVersion\":1,\"distributedInfo\":{\"rank\":" + std::to_string(rank) +
         ",\"world_size\":2},\"baseTimeNanoseconds\":0,\"traceEvents\":[\n" + events + "]}";
}

struct Variant {
  int steps = 3, late = 0;
  Source source = Source::kCalls;
};

JobRecorder job_of(const std::vector<std::vector<Kernel>>& stages, const Variant& v = {}, int world = 0) {
  const TempFolder folder;
  JobBuilder job;
  for (std::size_t r = 0; r < stages.size(); ++r) {
    const auto rank = static_cast<int>(r);
    const auto file = folder.write("made_rank" + std::to_string(rank) + ".pt.trace.json",
                                   trace_of(stages[r], rank, v.steps, rank > 0 ? v.late : 0, v.source));
    const RealReport report(under_test::pipeline::descriptor, file, "", "");
    job.rank(rank, world > 0 ? world : std::ssize(stages), analyzed(report.report()).rank_tables);
  }
  return gathered(job.build());
}

void expect_hand_made(const JobRecorder& r) {
  EXPECT_TRUE(has_values(r, {{"pipeline.stage_count", 2},
                             {"pipeline.microbatch_count", 2},
                             {"pipeline.schedule{kind=GPipe}", 1},
                             {"pipeline.step_ns", 940000}}));
  for (const Row rank : {0, 1}) {
    EXPECT_EQ(r.value("stage.number", "", rank), rank);
    EXPECT_EQ(r.value("stage.compute_ns", "", rank), 600000);
    EXPECT_EQ(r.value("stage.transfer_ns", "", rank), 40000);
    EXPECT_EQ(r.value("stage.bubble_ns", "", rank), 300000);
    EXPECT_EQ(r.value("stage.wait_ns", "", rank), rank == 0 ? 300000 : 100000);
    EXPECT_EQ(r.value("stage.imbalance_ns", "", rank), 0);
  }
  EXPECT_EQ(r.value("stage.warm_up_ns", "", 0), 300000) << "until the first gradient comes back";
  EXPECT_EQ(r.value("stage.drain_ns", "", 1), 200000);
  EXPECT_DOUBLE_EQ(*r.value("pipeline.bubble_ratio"), 600.0 / 1880);
  EXPECT_DOUBLE_EQ(*r.value("pipeline.ideal_bubble_ratio"), 1.0 / 3);
  EXPECT_DOUBLE_EQ(*r.value("pipeline.not_compute_ratio"), 680.0 / 1880);
  EXPECT_TRUE(has_values(
      r, {{"pipeline.equal_step_ns", 940000}, {"message.transfer_ns", 10000}, {"message.unmatched_count", 0}}));
  EXPECT_EQ(r.fact_of("pipeline.limiting_stage"), nullptr);
}

TEST(Pipeline, AMessageTakesAsLongAsItsShorterSideWhateverTheClocks) {
  for (const int late : {-9, 0, 7})
    EXPECT_EQ(job_of(kStages, {.late = late}).value("message.transfer_ns"), 10000) << late;
}

TEST(Pipeline, ShowsUnknownValuesAsUnknown) {
  StudyBuilder s;
  s.report("r", {}).fact("pipeline.step_ns", 1e6).fact("stage.number", 0).fact("pipeline.limiting_stage", 0);
  const Recorder r = under_test::pipeline::concluded(s.build());
  const RecordedFinding& f = finding(r, "is a pipeline");
  EXPECT_FALSE(contains(f.title + f.text, "0 %"));
  EXPECT_FALSE(contains(f.title, "0 stages"));
  EXPECT_FALSE(contains(f.title, "0 microbatches"));
  EXPECT_TRUE(contains(f.text, "an unknown share of the stages' time is not compute"));
  EXPECT_EQ(r.table_of("pipelines")->column("stages")->integers.at(0), kNoInteger);
  EXPECT_EQ(r.table_of("pipelines")->column("microbatches")->integers.at(0), kNoInteger);
}

TEST(PipelineStages, SplitAStepIntoComputeTransferAndBubble) {
  const JobRecorder r = job_of(kStages);
  expect_hand_made(r);
  EXPECT_EQ(r.value("message.matched_count"), 12);
}

TEST(PipelineStages, TakeTheMessagesOfABatchFromTheCallsBeforeItsLaunch) {
  expect_hand_made(job_of(kStages, {.source = Source::kBatches}));
}

TEST(PipelineStages, NeedNoOperatorsIfKernelsSayTheirPeers) {
  expect_hand_made(job_of(kStages, {.source = Source::kKernels}));
}

TEST(PipelineStages, AreTheSameByClocksThatDiffer) {
  const JobRecorder r = job_of(kStages, {.late = 700});
  expect_hand_made(r);
  EXPECT_EQ(r.value("message.clock_shift_ns", "", 1), -700000);
  EXPECT_TRUE(r.issue_of("clock_shifted_by_messages"));
}

TEST(PipelineStages, NeedTheOtherRanks) {
  const JobRecorder r = job_of({kStages[0]});
  EXPECT_EQ(r.fact_of("pipeline.bubble_ratio"), nullptr);
  EXPECT_TRUE(contains(*r.skip_of("pipeline.*, stage.*"), "needs the others"));
}

TEST(PipelineStages, AreAbsentIfBothRanksBeginWithASend) {
  const std::vector<Kernel> exchange = {{0, 100}, {100, 110, 1}, {110, 120, -1, 1}};
  std::vector<Kernel> back = exchange;
  back[1].to = back[2].from = 0;
  const JobRecorder r = job_of({exchange, back});
  EXPECT_EQ(r.value("message.matched_count"), 6);
  EXPECT_EQ(r.fact_of("stage.compute_ns"), nullptr);
}

TEST(PipelineStages, AreKnownByTheirBeginsIfNothingNamesPeers) {
  const JobRecorder r = job_of({kStages[1], kStages[0]}, {.late = 700, .source = Source::kNothing});
  for (const Row rank : {0, 1}) {
    EXPECT_EQ(r.value("stage.number", "", rank), 1 - rank) << "the stage that computes first is 0";
    EXPECT_EQ(r.value("stage.compute_ns", "", rank), 600000);
    EXPECT_EQ(r.value("stage.bubble_ns", "", rank), 340000) << "transfers of 40 us included";
    EXPECT_EQ(r.value("stage.wait_ns", "", rank), rank == 0 ? 140000 : 340000);
  }
  EXPECT_DOUBLE_EQ(*r.value("pipeline.bubble_ratio"), 680.0 / 1880);
  for (const char* metric : {"message.matched_count", "pipeline.microbatch_count", "pipeline.ideal_bubble_ratio",
                             "stage.transfer_ns", "stage.imbalance_ns", "pipeline.equal_step_ns"})
    EXPECT_EQ(r.fact_of(metric), nullptr) << metric;
}

TEST(PipelineStages, WithoutPeersNeedAllRanksOfTheJob) {
  const JobRecorder r = job_of(kStages, {.source = Source::kNothing}, 3);
  EXPECT_EQ(r.fact_of("pipeline.stage_count"), nullptr);
  EXPECT_EQ(r.value("pipeline.missing_rank", "rank=2"), 2);
}

TEST(PipelineStages, AreUnknownIfAllRanksComputeBeforeAnUnnamedMessage) {
  const std::vector<Kernel> all_to_all = {{0, 100}, {100, 110, 1}, {110, 200}};
  const JobRecorder r = job_of({all_to_all, all_to_all}, {.source = Source::kNothing});
  EXPECT_EQ(r.fact_of("stage.number"), nullptr);
  EXPECT_TRUE(r.skip_of("pipeline.*, stage.*"));
}

/// Ranks of a real job, by the names of its files.
std::optional<JobRecorder> real_job(const std::string& name) {
  JobBuilder job;
  for (int rank = 0; rank < 4; ++rank) {
    const auto file = data_file("parallel", name + "_rank" + std::to_string(rank) + ".pt.trace.json.gz");
    if (!file || !std::filesystem::exists(*file)) return std::nullopt;
    const RealReport report(under_test::pipeline::descriptor, *file, "", "");
    job.rank(rank, 4, analyzed(report.report()).rank_tables);
  }
  return gathered(job.build());
}

TEST(RealPipelines, EqualStages) {
  const auto r = real_job("pp_m4");
  if (!r) GTEST_SKIP() << "no real data";
  EXPECT_NEAR(*r->value("pipeline.step_ns"), 23.94e6, 0.15e6) << "the period without a profiler, host included";
  EXPECT_EQ(r->value("pipeline.microbatch_count"), 4);
  EXPECT_NEAR(*r->value("message.transfer_ns"), 68.8e3, 100) << "the medians of both are of plain Python";
  for (Row rank = 0; rank < 4; ++rank) EXPECT_NEAR(*r->value("stage.compute_ns", "", rank), 12.5e6, 0.1e6);
  EXPECT_NEAR(*r->value("pipeline.not_compute_ratio"), 0.48, 0.01);
  EXPECT_EQ(r->fact_of("pipeline.limiting_stage"), nullptr);
}

TEST(RealPipelines, OneSlowStage) {
  const auto r = real_job("pp_slow2");
  if (!r) GTEST_SKIP() << "no real data";
  EXPECT_EQ(r->value("pipeline.limiting_stage"), 2);
  EXPECT_NEAR(*r->value("message.transfer_ns"), 71.0e3, 100);
  const double compute[] = {25.0e6, 25.3e6, 41.1e6, 24.9e6};
  for (Row rank = 0; rank < 4; ++rank) EXPECT_NEAR(*r->value("stage.compute_ns", "", rank), compute[rank], 0.05e6);
}

TEST(Pipelines, WithoutARankThatOthersSendToAreNotKnown) {
  std::vector<std::vector<Kernel>> stages = kStages;
  stages[1].push_back({950, 960, 2});
  const JobRecorder r = job_of(stages, {}, 3);
  EXPECT_FALSE(r.value("pipeline.stage_count")) << "it is no pipeline of two stages";
  EXPECT_FALSE(r.value("pipeline.bubble_ratio"));
  EXPECT_EQ(r.value("pipeline.missing_rank", "rank=2"), 2);
  EXPECT_TRUE(contains(*r.skip_of("pipeline.*, stage.*"), "rank 2, which others send to or receive from, has no"));
}

}  // namespace assay::plugins_pipeline_test
