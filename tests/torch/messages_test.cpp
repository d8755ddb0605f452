// Sends and receives that calls of torch.distributed name.
#include "made_trace.hpp"
#include "support/test.hpp"

namespace assay::trace_messages_test {

constexpr const char* kCalls = R"j(
  {"ph": "X", "cat": "cpu_op", "name": "record_param_comms", "pid": 9, "tid": 9, "ts": 120.000, "dur": 5,
   "args": {"External id": 4, "Collective name": "recv", "In msg nelems": 8, "dtype": "Float", "Src Rank": 2,
            "Process Group Ranks": "[0, 2]"}},
  {"ph": "X", "cat": "cpu_op", "name": "record_param_comms", "pid": 9, "tid": 9, "ts": 110.000, "dur": 5,
   "args": {"External id": 3, "Dst Rank": 1, "Collective name": "send", "In msg nelems": 8, "dtype": "BFloat16"}},
  {"ph": "X", "cat": "cpu_op", "name": "record_param_comms", "pid": 9, "tid": 9, "ts": 130.000, "dur": 5,
   "args": {"External id": 5, "Collective name": "allreduce", "In msg nelems": 8, "dtype": "Float"}},
  {"ph": "X", "cat": "cpu_op", "name": "record_param_comms", "pid": 9, "tid": 9, "ts": 140.000, "dur": 5,
   "args": {"External id": 6, "Collective name": "send", "Dst Rank": -7}},
  {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 9, "tid": 9, "ts": 150.000, "dur": 5,
   "args": {"External id": 7, "Dst Rank": 1}})j";

TEST(TraceMessages, AreRowsByTimeWithPeerAndSize) {
  const TraceFolder folder;
  const LoadedTrace trace(folder.write(document(kCalls)));
  const DeclaredTable* const table = trace->table("messages");
  ASSERT_NE(table, nullptr);
  ASSERT_EQ(table->rows, 2U) << "no collectives, no impossible peers, no other operators";
  EXPECT_TRUE(equals(values(table->integers("time")), {0, 10000}));
  EXPECT_TRUE(equals(values(table->integers("correlation")), {kNone, kNone}));
  EXPECT_TRUE(equals(values(table->integers("sends")), {1, 0}));
  EXPECT_TRUE(equals(values(table->integers("peer")), {1, 2}));
  EXPECT_TRUE(equals(values(table->integers("bytes")), {16, 32}));
  EXPECT_EQ(trace.name(table->texts("group_ranks")[1]), "0,2");
}

}  // namespace assay::trace_messages_test
