// Five parts that sum to the step, and what collectives are, on synthetic profiles.
#include "assay/detail/communication.hpp"

#include <random>

#include "assay/algo/step_parts.hpp"
#include "plugins/analyzers.hpp"
#include "plugins/communication/collectives.hpp"
#include "support/test.hpp"

namespace assay::communication::communication_test {

using namespace under_test::communication;

using namespace assay::testing;

/// Two steps of 100 us alike: compute 10-50, an all-reduce 40-80 on another stream, a copy 60-90, so within 10-90:
/// 30 compute alone, 10 hidden, 30 exposed (20 of it under the copy), 10 copy alone, 0 idle.
struct TwoStepReport {
  ReportBuilder b;
  explicit TwoStepReport(bool same_stream = false, bool communicates = true) {
    for (std::int64_t s = 0; s < 2; ++s) {
      const std::int64_t at = s * 100000;
      b.range("step_" + std::to_string(s), at, at + 99000);
      const Row call = b.call(CallKind::kKernelLaunch, at + 1, at + 2);
      b.kernel("gemm", at + 10000, at + 50000, {.call = call});
      if (communicates) {
        const Row nccl = b.kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL", at + 40000, at + 80000,
                                  {.stream = same_stream ? 7 : 17, .call = call});
        b.collective(nccl, CollectiveKind::kAllReduce,
                     {.group = "0", .group_ranks = "0,1", .group_size = 2, .sent = 1000, .received = 1000});
      }
      b.copy(CopyDirection::kDeviceToDevice, 1, at + 60000, at + 90000, {.stream = 8, .call = call});
    }
    b.captured(col::collectives);
  }
};

TEST(Parts, SumToTheStepAndCopiesHideNothing) {
  TwoStepReport made;
  const Recorder r = analyzed(made.b.build());
  EXPECT_EQ(r.value("comm.step_count"), 1) << "the first step is left out";
  EXPECT_TRUE(has_values(r, {{"step.window_ns", 80000},
                             {"compute.only_ns", 30000},
                             {"comm.overlap_ns", 10000},
                             {"comm.exposed_ns", 30000},
                             {"comm.exposed_copy_ns", 20000},
                             {"copy.only_ns", 10000},
                             {"comm.idle_ns", 0},
                             {"comm.overlap_ratio", 0.25},
                             {"comm.exposed_ratio", 0.375}}));
  EXPECT_EQ(r.table_of("steps")->columns.front().integers.size(), 2U) << "the table has the first step too";
}

TEST(Parts, IncludeTimeBetweenStepsIfTakenOfTheCapture) {
  TwoStepReport made;
  const Recorder r = analyzed(made.b.build());
  EXPECT_TRUE(has_values(r, {{"capture.window_ns", 180000}, {"comm.idle_ns{over=capture}", 20000}}));
}

TEST(Parts, WithoutCommunicationHaveNoRatios) {
  TwoStepReport made(false, false);
  const Recorder r = analyzed(made.b.build());
  EXPECT_EQ(r.value("comm.busy_ns"), 0);
  EXPECT_EQ(r.fact_of("comm.overlap_ratio"), nullptr);
  EXPECT_EQ(r.fact_of("comm.same_stream_ratio"), nullptr);
  EXPECT_TRUE(contains(*r.skip_of("comm.overlap_ratio, comm.exposed_ratio"), "communicates"));
}

/// Random work, some of it of no length, beside the state of every nanosecond.
TEST(Parts, AreWhatEveryNanosecondIs) {
  constexpr unsigned kEnd = 400;
  std::mt19937 random(42);
  for (int round = 0; round < 200; ++round) {
    ReportBuilder b;
    std::array<std::array<bool, kEnd>, 3> on{};
    for (int piece = 0; piece < 1 + round % 40; ++piece) {
      const std::size_t kind = random() % 3;
      const auto start = static_cast<std::int64_t>(random() % kEnd);
      const std::int64_t end = std::min(std::int64_t{kEnd}, start + static_cast<std::int64_t>(random() % 30));
      if (kind == 2) {
        b.copy(CopyDirection::kDeviceToDevice, 1, start, end);
      } else {
        const Row kernel = b.kernel(kind == 1 ? "nccl" : "gemm", start, end);
        if (kind == 1) b.collective(kernel, CollectiveKind::kAllReduce, {.group = "0"});
      }
      for (std::int64_t t = start; t < end; ++t) on[kind][static_cast<std::size_t>(t)] = true;
    }
    b.captured(col::collectives);
    const DeviceWork work(b.build());
    const auto from = static_cast<std::int64_t>(random() % kEnd), to = from + static_cast<std::int64_t>(random() % 300);
    StepParts wanted;
    wanted.window = to - from;
    for (std::int64_t t = from; t < to; ++t) {
      const auto is = [&](std::size_t kind) { return t < std::int64_t{kEnd} && on[kind][static_cast<std::size_t>(t)]; };
      const bool compute = is(0), comm = is(1), copy = is(2);
      wanted.compute_busy += compute;
      wanted.comm_busy += comm;
      wanted.compute_only += compute && !comm;
      wanted.overlap += compute && comm;
      wanted.exposed += comm && !compute;
      wanted.exposed_copy += comm && !compute && copy;
      wanted.copy_only += copy && !comm && !compute;
      wanted.idle += !compute && !comm && !copy;
    }
    const StepParts parts = work.parts({from, to});
    SCOPED_TRACE(round);
    EXPECT_EQ(parts.window, wanted.window);
    EXPECT_EQ(parts.compute_only, wanted.compute_only);
    EXPECT_EQ(parts.overlap, wanted.overlap);
    EXPECT_EQ(parts.exposed, wanted.exposed);
    EXPECT_EQ(parts.exposed_copy, wanted.exposed_copy);
    EXPECT_EQ(parts.copy_only, wanted.copy_only);
    EXPECT_EQ(parts.idle, wanted.idle);
    EXPECT_EQ(parts.compute_busy, wanted.compute_busy);
    EXPECT_EQ(parts.comm_busy, wanted.comm_busy);
  }
}

TEST(Streams, SharedWithComputeAreReported) {
  TwoStepReport apart, same(true);
  EXPECT_EQ(analyzed(apart.b.build()).value("comm.same_stream_ratio"), 0);
  EXPECT_EQ(analyzed(same.b.build()).value("comm.same_stream_ratio"), 1);
}

TEST(Collectives, AreCountedByKindAndSize) {
  TwoStepReport made;
  const Recorder r = analyzed(made.b.build());
  EXPECT_TRUE(has_values(r, {{"collective.count{kind=all_reduce}", 1},
                             {"comm.bytes{kind=all_reduce}", 1000},
                             {"collective.time_ns{bytes=1000;kind=all_reduce}", 40000}}));
  EXPECT_DOUBLE_EQ(*r.value("comm.own_busbw_bytes_per_s", "bytes=1000;kind=all_reduce"), 1000 / 40000e-9);
}

TEST(Collectives, DistinguishTwoGroupsOfEqualRanks) {
  ReportBuilder b;
  for (const char* group : {"10", "9", "10"}) {
    const Row k = b.kernel("ncclDevKernel_AllGather_RING_LL", 0, 10);
    b.collective(k, CollectiveKind::kAllGather, {.group = group, .group_ranks = "0,1"});
  }
  EXPECT_EQ(group_names(b.build()), (std::vector<std::string>{"0,1#2", "0,1", "0,1#2"})) << "9 was made before 10";
}

TEST(Graphs, SkipCommunicationIfTheirKernelsWereNotTraced) {
  TwoStepReport made;
  made.b.graph(1, 0, 1000000);
  const Recorder r = analyzed(made.b.build());
  EXPECT_EQ(r.fact_of("comm.exposed_ns"), nullptr);
  EXPECT_TRUE(contains(*r.skip_of("comm.*, compute.*"), "graphs"));
}

TEST(Rules, KnowTheNamesOfTheLibraries) {
  using K = CollectiveKind;
  const std::pair<const char*, K> names[] = {
      {"ncclDevKernel_AllReduce_Sum_f32_RING_LL", K::kAllReduce},
      {"ncclKernel_ReduceScatter_RING_LL_Sum_half", K::kReduceScatter},
      {"ncclDevKernel_SendRecv", K::kSendReceive},
      {"ncclDevKernel_Broadcast_RING_LL", K::kBroadcast},
      {"ncclDevKernel_Reduce_Sum_f32_RING_LL", K::kReduce},
      {"ncclDevKernel_Generic", K::kUnknown},
      {"ncclSymkDevKernel_AllGather_LL", K::kAllGather},
      {"void vllm::cross_device_reduce_2stage<__half, 8>(vllm::RankData *)", K::kAllReduce},
      {"void c10d::symmetric_memory::multimem_all_reduce_kernel<float, 16>(int)", K::kAllReduce},
      {"nvshmemi_transfer_rma_ptr_wrapper", K::kUnknown},
      {"void deep_ep::intranode::dispatch<8>(int)", K::kAllToAll},
  };
  for (const auto& [name, kind] : names) {
    EXPECT_TRUE(communicates(name)) << name;
    EXPECT_EQ(collective_kind(name), kind) << name;
  }
  EXPECT_FALSE(communicates("void at::native::reduce_kernel<512, 1>(int)"));
  EXPECT_FALSE(communicates("vectorized_gather_kernel"));
}

TEST(Rules, TakeTheSizeAsNcclTestsDo) {
  EXPECT_EQ(message_bytes(CollectiveKind::kAllReduce, 8, 8, 2), 8);
  EXPECT_EQ(message_bytes(CollectiveKind::kAllGather, 4, kNone, 4), 16) << "what a rank gets out";
  EXPECT_EQ(message_bytes(CollectiveKind::kReduceScatter, kNone, 4, 4), 16) << "what a rank puts in";
  EXPECT_EQ(message_bytes(CollectiveKind::kAllGather, 4, kNone, kNone), std::nullopt);
  EXPECT_EQ(bus_factor(CollectiveKind::kAllReduce, 4), 1.5);
  EXPECT_EQ(bus_factor(CollectiveKind::kAllGather, 4), 0.75);
  EXPECT_EQ(bus_factor(CollectiveKind::kSend, 4), 1);
}

TEST(Slowdown, ComparesTheSamePlacesOfAStep) {
  // gemm takes 40 us beside communication for a quarter of it, in the reference 32 us.
  TwoStepReport with;
  ReportBuilder alone;
  for (std::int64_t s = 0; s < 2; ++s) {
    alone.range("step_" + std::to_string(s), s * 100000, s * 100000 + 99000);
    const Row call = alone.call(CallKind::kKernelLaunch, s * 100000 + 1, s * 100000 + 2);
    alone.kernel("gemm", s * 100000 + 10000, s * 100000 + 42000, {.call = call});
  }
  alone.captured(col::collectives);
  const OptionInputs options = {{"reference", std::vector<std::string>{"variant=single"}}};
  StudyBuilder study;
  study.label("variant");
  const auto add = [&](const char* path, const char* variant, ReportBuilder& report) {
    auto& entry = study.report(path, {{"variant", variant}});
    for (const RecordedFact& f : analyzed(report.build(), options).facts)
      entry.fact(f.metric, f.value, f.dims, f.samples);
  };
  add("with.sqlite", "ddp", with.b);
  add("without.sqlite", "single", alone);
  const Recorder r = concluded(study.build(), options);
  EXPECT_DOUBLE_EQ(*r.value("compute.slowdown_ratio", "", 0), 40.0 / 32);
  EXPECT_EQ(r.value("compute.slowdown_ns", "", 0), 8000);
  EXPECT_EQ(r.fact_of("compute.slowdown_ratio", "comm=beside", 0), nullptr) << "less than half of it is";
}

}  // namespace assay::communication::communication_test
