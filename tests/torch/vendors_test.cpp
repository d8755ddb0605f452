// Accelerators whose runtimes have calls, queues and device work of their own names.
#include "made_trace.hpp"
#include "support/test.hpp"

namespace assay::trace_vendors_test {

LoadedTrace loaded(const std::string& text) {
  const TraceFolder folder;
  return LoadedTrace(folder.write(text));
}

TEST(TraceVendors, LaunchesOfAnyVendorsRuntimeAreLaunches) {
  const LoadedTrace trace = loaded(document(R"j(
    {"ph": "X", "cat": "privateuse1_runtime", "name": "aiuLaunchControlBlocks", "pid": 1, "tid": 1, "ts": 10, "dur": 2, "args": {"correlation": 5}},
    {"ph": "X", "cat": "privateuse1_runtime", "name": "aiuQueryBlocks", "pid": 1, "tid": 1, "ts": 13, "dur": 2, "args": {"correlation": 6}},
    {"ph": "X", "cat": "privateuse1_runtime", "name": "aiuSynchronizeStream", "pid": 1, "tid": 1, "ts": 16, "dur": 2, "args": {"correlation": 7}},
    {"ph": "X", "cat": "kernel", "name": "sdsc_bmm", "pid": 0, "tid": 7, "ts": 20, "dur": 3,
     "args": {"device": 0, "stream": "0x7f30a4c0", "correlation": 5}},
    {"ph": "X", "cat": "kernel", "name": "sdsc_bmm", "pid": 0, "tid": "stream 0x7f30a4d0", "ts": 24, "dur": 3, "args": {"device": 0, "correlation": 5}})j"));
  ASSERT_EQ(trace->calls->rows, 3U);
  EXPECT_EQ(trace->calls->kind[0], CallKind::kKernelLaunch);
  EXPECT_EQ(trace->calls->kind[1], CallKind::kOther);
  EXPECT_EQ(trace->calls->kind[2], CallKind::kStreamSync);
  EXPECT_EQ(trace->kernels->stream[0], 1) << "queues that are handles are numbered";
  EXPECT_EQ(trace->kernels->stream[1], 2);
  EXPECT_EQ(trace.issue("missing_cells"), std::nullopt);
  EXPECT_EQ(trace.issue("bad_cells"), std::nullopt);
}

TEST(TraceVendors, DeviceWorkOfMtiaIsToldApartByItsName) {
  const LoadedTrace trace = loaded(document(R"j(
    {"ph": "X", "cat": "mtia_runtime", "name": "runFunction", "pid": 1, "tid": 1, "ts": 10, "dur": 2, "args": {"correlation": 5}},
    {"ph": "X", "cat": "mtia_ccp_events", "name": "fc-dtype_Float", "pid": 9, "tid": 4, "ts": 20, "dur": 3, "args": {"correlation": 5, "stream": 1}},
    {"ph": "X", "cat": "mtia_ccp_events", "name": "dma_request", "pid": 9, "tid": 801, "ts": 24, "dur": 3,
     "args": {"direction": "DEVICE_TO_HOST", "size": 16}},
    {"ph": "X", "name": "event_wait", "cat": "mtia_ccp_events", "pid": 9, "tid": 4, "ts": 28, "dur": 3, "args": {"stream": 1}})j"));
  ASSERT_EQ(trace->kernels->rows, 1U);
  ASSERT_EQ(trace->copies->rows, 1U);
  EXPECT_EQ(trace->copies->direction[0], CopyDirection::kDeviceToHost);
  EXPECT_EQ(trace->copies->bytes[0], 16);
  EXPECT_EQ(trace->syncs->rows, 1U);
  EXPECT_EQ(trace->syncs->type[0], 2);
  EXPECT_EQ(trace.issue("missing_cells"), std::nullopt);
}

}  // namespace assay::trace_vendors_test
