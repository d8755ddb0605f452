// The ways in which traces of different years and vendors differ, on traces made for it.
#include "made_trace.hpp"
#include "support/test.hpp"

namespace assay::trace_variants_test {

class Variant : public ::testing::Test {
 protected:
  LoadedTrace load(const std::string& text) const { return LoadedTrace(folder_.write(text)); }
  TraceFolder folder_;
};

constexpr const char* kToday = R"j(
  {"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#3", "pid": 9, "tid": 9, "ts": 100.000, "dur": 50.500,
   "args": {"External id": 1}},
  {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 9, "tid": 9, "ts": 110.001, "dur": 20.002,
   "args": {"External id": 2, "Input Dims": [[1, {"a": "},{"}], []], "Concrete Inputs": ["\"]},{"]}},
  {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel_v7000", "pid": 9, "tid": 9, "ts": 112, "dur": 5,
   "args": {"External id": 2, "cbid": 211, "correlation": 77}},
  {"ph": "s", "id": 77, "pid": 9, "tid": 9, "ts": 112, "cat": "ac2g", "name": "ac2g"},
  {"ph": "X", "cat": "kernel", "name": "void at::(anonymous namespace)::gemm<float, 4>(float*)",
                     "pid" : 0, "tid" : 7, "ts" : 120.25, "dur" : 0.928, "args" : {
                       "External id" : 2,
                       "device" : 0,
                       "context" : 1,
                       "stream" : 7,
                       "correlation" : 77,
                       "registers per thread" : 78,
                       "shared memory" : 7040,
                       "blocks per SM" : 1.272727,
                       "warps per SM" : 2.5,
                       "grid" : [ 24, 7, 1 ],
                       "block" : [ 64, 1, 1 ],
                       "est. achieved occupancy %" : 8
                     }
},
  {"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy HtoD (Pageable -> Device)", "pid": 0, "tid": 7, "ts": 118, "dur": 1,
   "args": {"device": 0, "context": 1, "stream": 7, "correlation": 70, "bytes": 602112}},
  {"ph": "i", "cat": "cpu_instant_event", "s": "t", "name": "[memory]", "pid": 9, "tid": 9, "ts": 111,
   "args": {"Total Reserved": 300, "Total Allocated": 200, "Bytes": -100, "Device Id": 0, "Device Type": 1}},
  {"ph": "i", "s": "g", "name": "Record Window End", "pid": "", "tid": "", "ts": 900})j";

TEST_F(Variant, IsReadForToday) {
  const LoadedTrace trace = load(document(kToday, R"j("deviceProperties": [{"id": 0, "name": "NVIDIA H200",
    "totalGlobalMem": 150109880320, "computeMajor": 9, "computeMinor": 0, "maxThreadsPerMultiprocessor": 2048,
    "numSms": 132, "regsPerMultiprocessor": 65536, "sharedMemPerMultiprocessor": 233472}],
    "distributedInfo": {"backend": "nccl", "rank": 1, "pg_config": [{"ranks": [0, 1]}]},
    "displayTimeUnit": "ms", "baseTimeNanoseconds": 1790857026000000000,)j"));
  ASSERT_EQ(trace->kernels->rows, 1U);
  const KernelTable& k = *trace->kernels;
  EXPECT_EQ(k.start[0], 20250);
  EXPECT_EQ(k.end[0] - k.start[0], 928);
  EXPECT_EQ(trace.name(k.short_name[0]), "gemm");
  EXPECT_EQ(k.grid_y[0], 7);
  EXPECT_EQ(k.block_x[0], 64);
  EXPECT_EQ(k.registers[0], 78);
  EXPECT_EQ(k.shared_a_block[0], 7040);
  EXPECT_DOUBLE_EQ(k.blocks_per_sm[0], 1.272727);
  EXPECT_DOUBLE_EQ(k.occupancy[0], 0.08);
  EXPECT_EQ(k.call[0], 0);
  EXPECT_EQ(trace.name(trace->ops->name[static_cast<std::size_t>(k.op[0])]), "aten::mm");
  EXPECT_EQ(trace.name(trace->calls->name[0]), "cudaLaunchKernel");
  EXPECT_EQ(trace->calls->kind[0], CallKind::kKernelLaunch);
  EXPECT_EQ(trace->calls->range[0], 0);
  EXPECT_TRUE(equals(values(trace->ops->kind), {OpKind::kAnnotation, OpKind::kOperator}));
  EXPECT_TRUE(equals(values(trace->ops->parent), {kNone, 0}));
  EXPECT_EQ(trace->ops->end[1] - trace->ops->start[1], 20002);
  EXPECT_EQ(trace->copies->direction[0], CopyDirection::kHostToDevice);
  EXPECT_EQ(trace->copies->bytes[0], 602112);
  EXPECT_EQ(trace->copies->source_kind[0], MemoryKind::kPageable);
  EXPECT_EQ(trace->copies->target_kind[0], MemoryKind::kDevice);
  EXPECT_EQ(trace->sets->rows, 0U) << "captured, and none happened";
  EXPECT_EQ(trace->graphs, nullptr);
  EXPECT_EQ(trace->spans, nullptr);
  ASSERT_NE(trace->iterations, nullptr);
  EXPECT_EQ(trace->iterations->number[0], 3);
  EXPECT_EQ(trace->allocations->bytes[0], -100);
  EXPECT_EQ(trace->allocations->reserved[0], 300);
  EXPECT_EQ(trace->devices->sm_count[0], 132);
  EXPECT_EQ(trace->devices->total_memory[0], 150109880320);
  EXPECT_EQ(trace.property("origin_ns"), "1790857026000100000");
  EXPECT_EQ(trace.property("distributedInfo.rank"), "1");
  EXPECT_EQ(trace->issues->rows, 1U) << "only that the copy has no call";
}

TEST_F(Variant, Of2021WithCapitalsAndWordsForNumbers) {
  const LoadedTrace trace = load(document(R"j(
    {"ph": "X", "cat": "Kernel", "name": "k", "pid": 0, "tid": "stream 7", "ts": 30, "dur": 2,
     "args": {"device": 0, "correlation": 5, "external id": 4, "est. achieved occupancy %": 50}},
    {"ph": "X", "cat": "Operator", "name": "ProfilerStep#1", "pid": 5555, "tid": "5555", "ts": 10, "dur": 100,
     "args": {"Device": 5555, "External id": 3}},
    {"ph": "X", "cat": "Operator", "name": "aten::empty", "pid": 5555, "tid": "5555", "ts": 12, "dur": 9,
     "args": {"Device": 5555, "External id": 4, "Call stack": "a;b"}},
    {"ph": "X", "cat": "Runtime", "name": "cudaMemsetAsync", "pid": 5555, "tid": "5555", "ts": 13, "dur": 3,
     "args": {"cbid": 51, "correlation": 5, "external id": 4, "external ts": 12}},
    {"ph": "X", "cat": "Memset", "name": "Memset (Device)", "pid": 0, "tid": "stream 7", "ts": 20, "dur": 1,
     "args": {"device": 0, "stream": 7, "correlation": 5, "bytes": 128}},
    {"ph": "i", "s": "t", "name": "[memory]", "pid": 5555, "tid": 5555, "ts": 14,
     "args": {"Device Type": 0, "Device Id": -1, "Bytes": 4}},
    {"ph": "X", "cat": "Trace", "ts": 1, "dur": 500, "pid": "Traces", "tid": "PyTorch Profiler", "name": "x"})j"));
  EXPECT_EQ(trace->kernels->stream[0], 7) << "from the name of the row";
  EXPECT_EQ(trace->kernels->call[0], 0);
  EXPECT_EQ(trace->kernels->op[0], 1) << "by external id";
  EXPECT_EQ(trace->calls->kind[0], CallKind::kSet);
  EXPECT_EQ(trace->sets->bytes[0], 128);
  ASSERT_EQ(trace->ranges->rows, 1U) << "annotations were operators then";
  EXPECT_EQ(trace->iterations->number[0], 1);
  EXPECT_EQ(trace->ops->kind[0], OpKind::kAnnotation);
  EXPECT_EQ(trace->threads->rows, 1U) << "5555 and \"5555\" are one thread";
  EXPECT_EQ(trace->threads->id[0], 5555);
  EXPECT_EQ(trace->allocations->device[0], kNone);
  EXPECT_EQ(trace->allocations->allocated[0], kNone) << "not said then";
  EXPECT_EQ(trace->kernels->grid_x[0], kNone);
}

// Of Meta's accelerator: what ran on the device has a category of its own.
TEST_F(Variant, IsReadForMtia) {
  const LoadedTrace trace = load(document(R"j(
    {"ph": "X", "cat": "mtia_runtime", "name": "runJob", "pid": 1, "tid": 1, "ts": 10, "dur": 2,
     "args": {"correlation": 8}},
    {"ph": "X", "cat": "mtia_ccp_events", "name": "mm_fp16", "pid": 2, "tid": 3, "ts": 30, "dur": 5,
     "args": {"correlation": 8}})j"));
  ASSERT_NE(trace->kernels, nullptr);
  ASSERT_EQ(trace->kernels->rows, 1U);
  EXPECT_EQ(trace->string(trace->kernels->name[0]), "mm_fp16");
  EXPECT_EQ(trace->kernels->end[0] - trace->kernels->start[0], 5000);
  EXPECT_EQ(trace->kernels->call[0], 0);
  EXPECT_EQ(trace.issue("no_kernel_table"), std::nullopt);
}

TEST_F(Variant, ADeviceThatTheHostCalledIsNotTheHostAlone) {
  const char* call =
      R"j({"ph": "X", "cat": "mtia_runtime", "name": "runJob", "pid": 1, "tid": 1, "ts": 10, "dur": 2},)j";
  const char* op = R"j({"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 9, "dur": 9})j";
  const auto issue_text = [](const LoadedTrace& trace) { return std::string(trace->issues->text[0].view()); };
  EXPECT_TRUE(contains(issue_text(load(document(std::string(call) + op))), "called the device's runtime (calls: 1)"));
  EXPECT_TRUE(contains(issue_text(load(document(op))), "of the host only"));
}

TEST_F(Variant, IsReadForRocm) {
  const LoadedTrace trace = load(document(R"j(
    {"ph": "X", "cat": "cuda_runtime", "name": "hipExtModuleLaunchKernel", "pid": 1, "tid": 1, "ts": 10, "dur": 2,
     "args": {"cid": 48, "correlation": 8}},
    {"ph": "X", "cat": "cuda_runtime", "name": "hipMemcpyWithStream", "pid": 1, "tid": 1, "ts": 14, "dur": 2,
     "args": {"cid": 49, "correlation": 9}},
    {"ph": "X", "cat": "cuda_runtime", "name": "hipDeviceSynchronize", "pid": 1, "tid": 1, "ts": 18, "dur": 2,
     "args": {"correlation": 10}},
    {"ph": "X", "cat": "kernel", "name": "k", "pid": 2, "tid": 0, "ts": 30, "dur": 1,
     "args": {"device": 2, "stream": 0, "correlation": 8, "kind": "Dispatch Kernel"}})j",
                                          R"j("deviceProperties": [{"id": 0, "name": "AMD Instinct MI300X",
    "numSms": 304, "maxSharedMemoryPerMultiProcessor": 65536}],)j"));
  EXPECT_TRUE(
      equals(values(trace->calls->kind), {CallKind::kKernelLaunch, CallKind::kBlockingCopy, CallKind::kDeviceSync}));
  EXPECT_EQ(trace->kernels->call[0], 0);
  EXPECT_TRUE(std::isnan(trace->kernels->occupancy[0]));
  EXPECT_EQ(trace->kernels->registers[0], kNone);
  EXPECT_TRUE(equals(values(trace->devices->id), {2})) << "the described device is the one that ran";
  EXPECT_EQ(trace->devices->sm_count[0], 304);
  EXPECT_EQ(trace->devices->max_shared_per_sm[0], 65536);
  EXPECT_TRUE(trace.issue("device_number").has_value());
}

TEST_F(Variant, IsReadForTheHostAlone) {
  const LoadedTrace trace = load(document(R"j(
    {"ph": "X", "cat": "user_annotation", "name": "gloo:all_reduce", "pid": 4, "tid": 5, "ts": 10, "dur": 20},
    {"ph": "X", "cat": "cpu_op", "name": "aten::empty", "pid": 4, "tid": 4, "ts": 40.5, "dur": 2})j"));
  EXPECT_EQ(trace->kernels, nullptr);
  EXPECT_EQ(trace->calls, nullptr);
  EXPECT_EQ(trace->allocations, nullptr);
  EXPECT_EQ(trace->devices->rows, 0U);
  EXPECT_EQ(trace->ops->rows, 2U);
  EXPECT_EQ(trace->window->end, 32500) << "the capture is that of the host";
  EXPECT_TRUE(trace.issue("no_kernel_table").has_value());
}

TEST_F(Variant, KernelsOfOneGraphLaunchShareItsCall) {
  const LoadedTrace trace = load(document(R"j(
    {"ph": "X", "cat": "cuda_runtime", "name": "cudaGraphLaunch", "pid": 1, "tid": 1, "ts": 10, "dur": 2,
     "args": {"correlation": 8}},
    {"ph": "X", "cat": "kernel", "name": "b", "pid": 0, "tid": 7, "ts": 30, "dur": 1,
     "args": {"device": 0, "stream": 7, "correlation": 8, "graph node id": 12}},
    {"ph": "X", "cat": "kernel", "name": "a", "pid": 0, "tid": 7, "ts": 20, "dur": 1,
     "args": {"device": 0, "stream": 7, "correlation": 8, "graph node id": 0}},
    {"ph": "X", "cat": "kernel", "name": "c", "pid": 0, "tid": 7, "ts": 40, "dur": 1,
     "args": {"device": 0, "stream": 7, "correlation": 99}})j"));
  EXPECT_TRUE(equals(values(trace->kernels->start), {10000, 20000, 30000})) << "sorted, from the first event on";
  EXPECT_TRUE(equals(values(trace->kernels->call), {0, 0, kNone}));
  EXPECT_TRUE(equals(values(trace->kernels->graph_node), {kNone, 12, kNone}));
  EXPECT_EQ(trace->calls->kind[0], CallKind::kGraphLaunch);
  EXPECT_EQ(trace.issue("unlinked"), 1);
}

TEST_F(Variant, SynchronisationsAndOverhead) {
  const LoadedTrace trace = load(document(R"j(
    {"ph": "X", "cat": "cuda_sync", "name": "Stream Wait Event", "pid": 0, "tid": 7, "ts": 10, "dur": 2,
     "args": {"device": 0, "stream": 7, "correlation": 8}},
    {"ph": "X", "cat": "cuda_sync", "name": "Context Sync", "pid": 0, "tid": -1, "ts": 11, "dur": 2,
     "args": {"device": 0, "stream": 4294967295, "correlation": 9}},
    {"ph": "X", "cat": "overhead", "name": "CUPTI Buffer Flush", "pid": -1, "tid": 0, "ts": 12, "dur": 4})j"));
  EXPECT_TRUE(equals(values(trace->syncs->type), {2, 4}));
  EXPECT_TRUE(equals(values(trace->syncs->stream), {7, kNone}));
  ASSERT_NE(trace->overheads, nullptr);
  EXPECT_EQ(trace->overheads->end[0] - trace->overheads->start[0], 4000);
}

TEST_F(Variant, PythonFunctionsAndModules) {
  const LoadedTrace trace = load(document(R"j(
    {"ph": "X", "cat": "python_function", "name": "train.py(3): main", "pid": 1, "tid": 1, "ts": 10, "dur": 90,
     "args": {"Python parent id": null, "Python id": 1, "Ev Idx": 0}},
    {"ph": "X", "cat": "python_function", "name": "nn.Module: Linear_0", "pid": 1, "tid": 1, "ts": 20, "dur": 50,
     "args": {"Python parent id": 1, "Python module id": 0, "Python id": 2}},
    {"ph": "X", "cat": "cpu_op", "name": "aten::linear", "pid": 1, "tid": 1, "ts": 22, "dur": 30,
     "args": {"External id": 6}},
    {"ph": "X", "cat": "python_function", "name": "<built-in function>", "pid": 1, "tid": 1, "ts": 23, "dur": 20,
     "args": {"Python parent id": 2, "Python id": 3}},
    {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 25, "dur": 5,
     "args": {"correlation": 8}})j"));
  EXPECT_TRUE(equals(values(trace->ops->python_id), {1, 2, kNone, 3}));
  EXPECT_TRUE(equals(values(trace->ops->python_parent), {kNone, 1, kNone, 2}));
  EXPECT_TRUE(equals(values(trace->ops->python_module), {kNone, 0, kNone, kNone}));
  EXPECT_TRUE(equals(values(trace->ops->depth), {0, 1, 2, 3}));
  EXPECT_EQ(trace->calls->op[0], 2) << "the operator, not the python function inside it";
  EXPECT_EQ(trace.issue("no_kernel_table"), 1) << "a launch and no kernel";
}

TEST_F(Variant, ExternalIdsThatMeanSomethingElseAreNotBelieved) {
  const LoadedTrace trace = load(document(R"j(
    {"ph": "X", "cat": "cpu_op", "name": "right", "pid": 1, "tid": 1, "ts": 20, "dur": 30, "args": {"External id": 3}},
    {"ph": "X", "cat": "cpu_op", "name": "wrong", "pid": 1, "tid": 1, "ts": 60, "dur": 30, "args": {"External id": 8}},
    {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 25, "dur": 5,
     "args": {"External id": 8, "correlation": 8}},
    {"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 95, "dur": 1,
     "args": {"External id": 8, "device": 0, "stream": 7, "correlation": 8}},
    {"ph": "X", "cat": "kernel", "name": "no call", "pid": 0, "tid": 7, "ts": 97, "dur": 1,
     "args": {"External id": 3, "device": 0, "stream": 7, "correlation": 100}})j"));
  EXPECT_TRUE(equals(values(trace->kernels->op), {0, 0}));
}

TEST_F(Variant, TwoProcessesInOneTrace) {
  const LoadedTrace trace = load(document(R"j(
    {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 10, "dur": 5,
     "args": {"correlation": 8}},
    {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 20, "dur": 5,
     "args": {"correlation": 9}},
    {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 2, "tid": 140737488355328, "ts": 30, "dur": 5,
     "args": {"correlation": 50}},
    {"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 40, "dur": 1, "args": {"correlation": 9}},
    {"ph": "X", "cat": "kernel", "name": "k", "pid": 1, "tid": 7, "ts": 50, "dur": 1, "args": {"correlation": 50}})j"));
  EXPECT_TRUE(equals(values(trace->kernels->call), {1, 2}));
  EXPECT_TRUE(equals(values(trace->kernels->process), {0, 1}));
  EXPECT_TRUE(equals(values(trace->kernels->device), {0, 1})) << "from the row when args do not say";
  EXPECT_TRUE(equals(values(trace->threads->id), {1, 140737488355328}));
}

TEST_F(Variant, AnIdOfTwoProcessesIsLinkedToNeither) {
  const LoadedTrace trace = load(document(R"j(
    {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 10, "dur": 5,
     "args": {"correlation": 8}},
    {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 20, "dur": 5,
     "args": {"correlation": 9}},
    {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 2, "tid": 2, "ts": 30, "dur": 5,
     "args": {"correlation": 8}},
    {"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 40, "dur": 1, "args": {"correlation": 8}},
    {"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 50, "dur": 1, "args": {"correlation": 9}})j"));
  EXPECT_TRUE(equals(values(trace->kernels->call), {kNone, 1}));
  EXPECT_EQ(trace.issue("ambiguous_ids"), 1);
}

TEST_F(Variant, KeysInAnyOrderAndEscapedNames) {
  const LoadedTrace trace = load(R"j({"traceEvents": [
    {"args": {"grid": [2, 3], "correlation": 4, "stream": 7, "device": 0}, "cat": "kernel", "dur": 1.25,
     "name": "a \"quoted\" \u00fc\ud83d\ude00 \\ \q name", "ph": "X", "pid": 0, "tid": 7, "ts": 5},
    {"args": {}, "cat": "kernel", "dur": 1, "name": "a \"quoted\" \u00fc\ud83d\ude00 \\ \q name", "ph": "X",
     "pid": 0, "tid": 7, "ts": 7}, 17, null, "text", []],
    "metadata": {"a": [{"b": 1}, {"c": 2}]}, "baseTimeNanoseconds": 1000})j");
  ASSERT_EQ(trace->kernels->rows, 2U);
  EXPECT_EQ(trace.name(trace->kernels->name[0]), "a \"quoted\" \xC3\xBC\xF0\x9F\x98\x80 \\ \\q name");
  EXPECT_EQ(trace->kernels->name[0], trace->kernels->name[1]);
  EXPECT_EQ(trace->kernels->grid_y[0], 3);
  EXPECT_EQ(trace->kernels->grid_z[0], 1);
  EXPECT_EQ(trace->kernels->end[0], 1250);
  EXPECT_EQ(trace.property("origin_ns"), "6000") << "the base may stand behind the events";
}

TEST_F(Variant, OnlyWhatIsWantedIsBuilt) {
  const std::filesystem::path file = folder_.write(document(kToday));
  const LoadedTrace kernels(file, {col::kernels});
  EXPECT_EQ(kernels->ops, nullptr);
  EXPECT_EQ(kernels->copies, nullptr);
  EXPECT_EQ(kernels->allocations, nullptr);
  EXPECT_FALSE(kernels->kernels->name.present());
  EXPECT_FALSE(kernels->kernels->grid_x.present());
  EXPECT_FALSE(kernels->kernels->op.present());
  EXPECT_EQ(kernels->kernels->call[0], 0) << "core";
  EXPECT_EQ(kernels->kernels->start[0], 20250) << "time 0 does not depend on what is wanted";
  const LoadedTrace ops(file, {col::ops});
  EXPECT_EQ(ops->kernels, nullptr);
  EXPECT_EQ(ops->calls, nullptr);
  EXPECT_FALSE(ops->ops->external_id.present());
}

TEST_F(Variant, InputsOfOperatorsAreReadWhereTheyAreAskedFor) {
  const auto op = [](const std::string& args) {
    return R"j({"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 9, "tid": 9, "ts": 1, "dur": 2, "args": )j" +
           args + "}";
  };
  const auto file = folder_.write(document(op(
      R"j({"External id": 4, "Input type": ["float", ""], "Input Strides": [[1, 16], []], "Input Dims": [[16, 4], []]})j")));
  const LoadedTrace trace(file, {col::ops, col::op_inputs, col::op_external_id});
  EXPECT_FALSE(trace->ops->concrete_inputs.present()) << "not asked for";
  ASSERT_TRUE(trace->ops->input_dims.present());
  EXPECT_EQ(trace.name(trace->ops->input_dims[0]), "[[16, 4], []]");
  EXPECT_EQ(trace.name(trace->ops->input_types[0]), R"(["float", ""])");
  EXPECT_EQ(trace.name(trace->ops->input_strides[0]), "[[1, 16], []]");
  EXPECT_EQ(trace->ops->external_id[0], 4);
  const LoadedTrace others(file, {col::ops, col::op_external_id});
  EXPECT_FALSE(others->ops->input_dims.present());
  EXPECT_EQ(others->ops->external_id[0], 4);
  const LoadedTrace without(folder_.write(document(op(R"({"External id": 4})"))), {col::ops, col::op_inputs});
  EXPECT_FALSE(without->ops->input_dims.present()) << "recorded without record_shapes";
}

TEST_F(Variant, ScalarsOfOperatorsAreReadWhereTheyAreAskedFor) {
  const auto op = [](const std::string& args) {
    return R"j({"ph": "X", "cat": "cpu_op", "name": "aten::sum", "pid": 9, "tid": 9, "ts": 1, "dur": 2, "args": )j" +
           args + "}";
  };
  const std::string scalars = R"j(["", "[-1, 0]", "say \"no\"", "False"])j";
  const auto file = folder_.write(document(
      op(R"({"External id": 4, "Concrete Inputs": )" + scalars + R"(, "Input Dims": [[16, 4], [], [], []]})")));
  const LoadedTrace trace(file, {col::ops, col::op_concrete_inputs});
  ASSERT_TRUE(trace->ops->concrete_inputs.present());
  EXPECT_EQ(trace.name(trace->ops->concrete_inputs[0]), scalars) << "JSON as it was written";
  EXPECT_FALSE(trace->ops->input_dims.present()) << "not asked for";
  const LoadedTrace before(folder_.write(document(op(R"({"External id": 4, "Input Dims": [[16, 4]]})"))),
                           {col::ops, col::op_inputs, col::op_concrete_inputs});
  EXPECT_TRUE(before->ops->input_dims.present());
  EXPECT_FALSE(before->ops->concrete_inputs.present()) << "older traces have shapes alone";
}

TEST_F(Variant, WindowsAreAnnotations) {
  const LoadedTrace trace(folder_.write(document(kToday)), every_column(), {"ProfilerStep#3"});
  EXPECT_EQ(trace->window->named, 1U);
  EXPECT_EQ(trace->window->host_end, 50500);
  EXPECT_EQ(trace->kernels->membership[0], Membership::kInside);
}

/// One half of a pair, on thread 9 unless said.
std::string half(char phase, const char* name, const char* ts, const char* category = "cpu_op", int tid = 9,
                 const char* args = "{}") {
  return std::string(R"({"ph": ")") + phase + R"(", "cat": ")" + category + R"(", "name": ")" + name +
         R"(", "pid": 9, "tid": )" + std::to_string(tid) + R"(, "ts": )" + ts + R"(, "args": )" + args + "}";
}

TEST_F(Variant, BeginAndEndAreOneEventOfTheirThread) {
  const LoadedTrace trace =
      load("[" + half('B', "ProfilerStep#1", "100", "user_annotation") + "," + half('B', "aten::linear", "110.5") +
           "," + half('B', "other", "111", "cpu_op", 7) + ",\n" + half('B', "aten::mm", "112") + "," +
           half('B', "cudaLaunchKernel", "113", "cuda_runtime", 9, R"({"correlation": 5})") + "," +
           R"({"ph": "E", "pid": 9, "tid": 9, "ts": 114.25},)" + half('E', "aten::mm", "115") + "," +
           R"({"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 120, "dur": 3,
                                     "args": {"device": 0, "stream": 7, "correlation": 5}},)" +
           half('E', "other", "130", "cpu_op", 7) + "," + half('E', "aten::linear", "116") + "," +
           half('E', "ProfilerStep#1", "140") + "]");
  EXPECT_EQ(trace.issue("unpaired"), std::nullopt);
  ASSERT_EQ(trace->ops->rows, 4U);
  EXPECT_TRUE(equals(values(trace->ops->start), {0, 10500, 11000, 12000}));
  EXPECT_TRUE(equals(values(trace->ops->end), {40000, 16000, 30000, 15000}));
  EXPECT_EQ(trace.name(trace->ops->name[3]), "aten::mm");
  EXPECT_EQ(trace->ops->parent[3], 1);
  EXPECT_EQ(trace->ops->parent[2], kNone) << "another thread's";
  ASSERT_EQ(trace->calls->rows, 1U);
  EXPECT_EQ(trace->calls->end[0] - trace->calls->start[0], 1250);
  EXPECT_EQ(trace->kernels->call[0], 0) << "the args of the begin count";
  ASSERT_NE(trace->iterations, nullptr);
  EXPECT_EQ(trace->iterations->number[0], 1);
}

TEST_F(Variant, HalvesWithoutTheOtherAreSaid) {
  const LoadedTrace trace = load("[" + half('E', "aten::a", "90") + "," + half('B', "aten::b", "100") + "," +
                                 half('B', "aten::c", "101") + "," + half('E', "aten::c", "102") + "," +
                                 half('B', "aten::d", "103") + "," + half('E', "aten::d", "99") + "]");
  ASSERT_EQ(trace->ops->rows, 1U);
  EXPECT_EQ(trace.name(trace->ops->name[0]), "aten::c");
  EXPECT_EQ(trace.issue("unpaired"), 3);
}

TEST_F(Variant, IsReadForTheProfilerBeforeKineto) {
  const LoadedTrace trace = load(
      R"([{"name": "mm", "ph": "X", "ts": 12.5, "dur": 8.0, "tid": 1, "pid": "CPU functions", "args": {}},
          {"name": "mm", "ph": "s", "ts": 12.5, "tid": 1, "pid": "CPU functions", "id": 0, "cat": "cpu_to_cuda"},
          {"name": "mm", "ph": "X", "ts": 13, "dur": 4, "tid": 0, "pid": "CUDA functions", "args": {}},
          {"name": "softmax", "ph": "X", "ts": 30, "dur": 2, "tid": 1, "pid": "CPU functions", "args": {}}])");
  ASSERT_EQ(trace->ops->rows, 2U);
  EXPECT_TRUE(equals(values(trace->ops->start), {0, 17500}));
  EXPECT_EQ(trace->kernels, nullptr) << "what it gives of the device is the time of operators, not of kernels";
}

// The event is known by the id of the call that recorded it; traces of before 2023 have only the stream, or nothing.
TEST_F(Variant, AWaitKnowsTheRecordingOfItsEvent) {
  const LoadedTrace trace = load(document(R"j(
  {"ph": "X", "cat": "cuda_runtime", "name": "cudaEventRecord", "pid": 9, "tid": 9, "ts": 10, "dur": 1,
   "args": {"correlation": 5169}},
  {"ph": "X", "cat": "cuda_runtime", "name": "cudaStreamWaitEvent", "pid": 9, "tid": 9, "ts": 12, "dur": 1,
   "args": {"correlation": 5170}},
  {"ph": "X", "cat": "cuda_sync", "name": "Stream Wait Event", "pid": 0, "tid": 20, "ts": 12, "dur": 1,
   "args": {"wait_on_stream": 7, "wait_on_cuda_event_record_corr_id": 5169, "stream": 20, "correlation": 5170}},
  {"ph": "X", "cat": "cuda_sync", "name": "Stream Wait Event", "pid": 0, "tid": 20, "ts": 13, "dur": 1,
   "args": {"wait_on_stream": 7, "stream": 20, "correlation": 5170}})j"));
  const SyncTable& syncs = *trace->syncs;
  ASSERT_EQ(syncs.rows, 2U);
  EXPECT_EQ(trace->calls->start[syncs.record[0]], 0) << "times count from the first";
  EXPECT_EQ(syncs.record_stream[0], 7);
  EXPECT_EQ(syncs.stream[0], 20);
  EXPECT_EQ(syncs.record[1], kNone);
  EXPECT_EQ(syncs.record_stream[1], 7);
}

// Only where it is asked for: the numbers stand behind long descriptions of inputs in some versions.
TEST_F(Variant, AnOperatorKnowsItsBackward) {
  const LoadedTrace trace = load(document(R"j(
  {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 9, "tid": 9, "ts": 10, "dur": 1,
   "args": {"External id": 1, "Input Dims": [[4, 4]], "Sequence number": 14597, "Fwd thread id": 0}},
  {"ph": "X", "cat": "cpu_op", "name": "MmBackward0", "pid": 9, "tid": 10, "ts": 20, "dur": 1,
   "args": {"External id": 2, "Fwd thread id": 1, "Sequence number": 14597}},
  {"ph": "X", "cat": "cpu_op", "name": "aten::empty", "pid": 9, "tid": 10, "ts": 22, "dur": 1,
   "args": {"External id": 3}})j"));
  const OpTable& ops = *trace->ops;
  EXPECT_TRUE(equals(ops.sequence.view(), {14597, 14597, kNone}));
  EXPECT_TRUE(equals(ops.forward_thread.view(), {0, 1, kNone}));
}

}  // namespace assay::trace_variants_test
