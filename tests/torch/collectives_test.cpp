// What traces of PyTorch say of collectives.
#include "made_trace.hpp"
#include "support/test.hpp"

namespace assay::trace_collectives_test {

TEST(Collectives, HaveTheOrderOfTheirKernels) {
  const TraceFolder folder;
  const auto event = [](const char* name, int start, const std::string& more) {
    return std::string(R"({"ph":"X","cat":"kernel","name":")") + name + R"(","pid":0,"tid":7,"ts":)" +
           std::to_string(start) + R"(,"dur":5,"args":{"device":0,"stream":7,"correlation":)" + std::to_string(start) +
           more + "}}";
  };
  const std::string text =
      R"({"schemaVersion":1,"traceEvents":[)" +
      event("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 300,
            R"(,"Collective name":"allreduce","In msg nelems":100,"Out msg nelems":100,"Group size":2,"dtype":"Float",)"
            R"("Process Group Name":"0","Process Group Ranks":"[0, 1]","Seq":8)") +
      "," + event("gemm", 100, "") + "," +
      event(
          "ncclDevKernel_AllGather_RING_LL", 200,
          R"(,"Collective name":"_allgather_base","In msg nelems":8,"Out msg nelems":16,"Group size":2,"dtype":"BFloat16",)"
          R"("Process Group Name":"1","Process Group Ranks":"[2, 3]")") +
      "]}";
  const LoadedTrace loaded(folder.write(text));
  const CollectiveTable& t = *loaded.report().collectives;
  EXPECT_TRUE(equals(std::vector(t.kernel.begin(), t.kernel.end()), {1, 2})) << "the file has them the other way round";
  EXPECT_TRUE(
      equals(std::vector(t.kind.begin(), t.kind.end()), {CollectiveKind::kAllGather, CollectiveKind::kAllReduce}));
  EXPECT_TRUE(equals(std::vector(t.sent.begin(), t.sent.end()), {16, 400}));
  EXPECT_TRUE(equals(std::vector(t.received.begin(), t.received.end()), {32, 400}));
  EXPECT_TRUE(equals(std::vector(t.sequence.begin(), t.sequence.end()), {kNone, 8}));
  EXPECT_EQ(loaded.report().string(t.group_ranks[0]), "2,3");
  EXPECT_EQ(t.group_size[1], 2);
}

}  // namespace assay::trace_collectives_test
