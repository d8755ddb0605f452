#include "assay/testing/report_builder.hpp"

#include "support/test.hpp"

namespace assay::testing::report_builder_test {

TEST(ReportBuilder, SortsByStartAndRenumbersCalls) {
  ReportBuilder b;
  const Row late = b.call(CallKind::kKernelLaunch, 50, 55);
  const Row early = b.call(CallKind::kKernelLaunch, 10, 15);
  b.kernel("second<int>(float*)", 60, 70, {.stream = 9, .call = late, .grid = {8, 2, 1}});
  b.kernel("first", 20, 30, {.call = early, .membership = Membership::kForeign});
  const Report& r = b.build();

  ASSERT_EQ(r.kernels->rows, 2U);
  EXPECT_EQ(r.string(r.kernels->name[0]), "first");
  EXPECT_EQ(r.string(r.kernels->short_name[1]), "second");
  EXPECT_EQ(r.kernels->call[0], 0);
  EXPECT_EQ(r.kernels->call[1], 1);
  EXPECT_EQ(b.row_of_call(late), 1);
  EXPECT_EQ(r.kernels->stream[1], 9);
  EXPECT_EQ(r.kernels->grid_x[1], 8);
  EXPECT_EQ(r.kernels->membership[0], Membership::kForeign);
  EXPECT_EQ(r.kernels->membership[1], Membership::kInside);
  EXPECT_EQ(r.calls->in_window[0], 1);
}

TEST(ReportBuilder, NullEmptyAndAbsentAreThreeThings) {
  ReportBuilder b;
  b.captured(col::copies).absent(col::kernel_registers).absent(col::call_range);
  b.kernel("k", 0, 1);
  b.call(CallKind::kOther, 0, 1);
  const Report& r = b.build();
  EXPECT_EQ(r.graphs, nullptr);
  ASSERT_NE(r.copies, nullptr);
  EXPECT_EQ(r.copies->rows, 0U);
  EXPECT_TRUE(r.copies->start.present());
  EXPECT_FALSE(r.kernels->registers.present());
  EXPECT_TRUE(r.kernels->grid_x.present());
  EXPECT_FALSE(r.calls->range.present());
  EXPECT_EQ(r.iterations, nullptr);
  EXPECT_NE(r.devices, nullptr);
  EXPECT_NE(r.issues, nullptr);
}

TEST(ReportBuilder, NestsRangesPerThread) {
  ReportBuilder b;
  b.thread(1);
  b.thread(2);
  const Row outer = b.range("outer", 0, 100), inner = b.range("inner", 10, 50), twin = b.range("twin", 10, 50);
  const Row other = b.range("other", 20, 40, {.thread = 1});
  const Row call = b.call(CallKind::kOther, 20, 30);
  const Report& r = b.build();
  const auto parent = [&](Row added) { return r.ranges->parent[static_cast<std::size_t>(b.row_of_range(added))]; };
  const auto depth = [&](Row added) { return r.ranges->depth[static_cast<std::size_t>(b.row_of_range(added))]; };
  EXPECT_EQ(parent(outer), kNone);
  EXPECT_EQ(parent(inner), b.row_of_range(outer));
  EXPECT_EQ(parent(twin), b.row_of_range(inner));  // of equal ranges the one added first is outside
  EXPECT_EQ(parent(other), kNone);
  EXPECT_EQ(depth(twin), 2);
  EXPECT_EQ(depth(other), 0);
  EXPECT_EQ(r.calls->range[static_cast<std::size_t>(b.row_of_call(call))], b.row_of_range(twin));
}

TEST(ReportBuilder, WindowIsTheWholeCaptureUnlessNamed) {
  ReportBuilder b;
  b.kernel("k", 20, 90);
  b.call(CallKind::kOther, 5, 10);
  b.range("long", 0, 500);  // ranges do not count
  const Report& whole = b.build();
  EXPECT_EQ(whole.window->start, 5);
  EXPECT_EQ(whole.window->end, 90);
  EXPECT_EQ(whole.window->named, 0U);
  b.window("test", {7, 80}, Interval{7, 60});
  const Report& named = b.build();
  EXPECT_EQ(named.window->start, 7);
  EXPECT_EQ(named.window->host_end, 60);
  EXPECT_EQ(named.window->named, 1U);
  EXPECT_EQ(named.window->name, "test");
}

TEST(ReportBuilder, MarksOverlappingIterations) {
  ReportBuilder b;
  b.iteration(0, 0, 10);
  b.iteration(1, 10, 20);  // touching is not overlapping
  b.iteration(2, 15, 30);
  const Report& r = b.build();
  EXPECT_EQ(r.iterations->overlapping[0], 0);
  EXPECT_EQ(r.iterations->overlapping[1], 1);
  EXPECT_EQ(r.iterations->overlapping[2], 1);
}

TEST(ReportBuilder, DevicesAreThoseNamedAndThoseUsed) {
  ReportBuilder b;
  b.device(0, {.name = "H200", .sm_count = 132});
  b.copy(CopyDirection::kDeviceToDevice, 4096, 0, 10, {.device = 3});
  b.issue("unlinked", Severity::kWarning, 2, "Two rows have no launch.");
  const Report& r = b.build();
  ASSERT_EQ(r.devices->rows, 2U);
  EXPECT_EQ(r.devices->name[0], "H200");
  EXPECT_EQ(r.devices->id[1], 3);
  EXPECT_EQ(r.devices->sm_count[1], kNone);
  EXPECT_EQ(r.copies->bytes[0], 4096);
  EXPECT_EQ(r.copies->kind[0], 8);
  EXPECT_EQ(r.issues->count[0], 2);
}

TEST(ReportBuilder, RefusesARowThatEndsBeforeItStarts) {
  ReportBuilder b;
  EXPECT_THROW(b.kernel("k", 10, 9), std::invalid_argument);
}

TEST(ReportBuilder, OperatorsNestAndCarryTheirLaunches) {
  ReportBuilder b;
  const Row mm = b.op(OpKind::kOperator, "aten::mm", 20, 40, {.external_id = 7});
  b.op(OpKind::kAnnotation, "ProfilerStep#1", 0, 100);
  b.op(OpKind::kPythonFunction, "<built-in>", 22, 38, {.python_id = 3});
  const Row launch = b.call(CallKind::kKernelLaunch, 25, 30);
  b.kernel("gemm", 50, 60, {.call = launch, .blocks_per_sm = 1.5});
  b.kernel("other", 70, 80, {.op = kNone});
  b.allocation(512, 21, {.allocated = 512});
  b.property("distributedInfo.rank", "3");
  const Report& r = b.build();

  ASSERT_EQ(r.ops->rows, 3U);
  EXPECT_EQ(r.ops->kind[0], OpKind::kAnnotation);
  EXPECT_EQ(r.ops->parent[1], 0);
  EXPECT_EQ(r.ops->parent[2], 1);
  EXPECT_EQ(r.ops->depth[2], 2);
  EXPECT_EQ(r.calls->op[0], b.row_of_op(mm)) << "not the python function";
  EXPECT_EQ(r.kernels->op[0], b.row_of_op(mm));
  EXPECT_EQ(r.kernels->op[1], kNone);
  EXPECT_EQ(r.kernels->blocks_per_sm[0], 1.5);
  EXPECT_EQ(r.allocations->allocated[0], 512);
  EXPECT_EQ(r.properties->value[0], "3");
}

TEST(ReportBuilder, HasNoFrameworkTablesWithoutAFramework) {
  ReportBuilder b;
  b.kernel("k", 0, 10);
  const Report& r = b.build();
  EXPECT_EQ(r.ops, nullptr);
  EXPECT_EQ(r.allocations, nullptr);
  EXPECT_EQ(r.properties, nullptr);
}

}  // namespace assay::testing::report_builder_test
