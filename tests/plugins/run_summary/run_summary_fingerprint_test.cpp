#include "algo/fnv1a128.hpp"
#include "plugins/analyzers.hpp"
#include "run_summary_fixture.hpp"
#include "support/test.hpp"

namespace assay::summary::run_summary_fingerprint_test {

using under_test::run_summary::analyzed;

using namespace testing;

std::string hashed(std::string_view text) {
  Fnv1a128 hash;
  hash.add(text);
  return hash.hex();
}

// Values published with the algorithm.
TEST(Fnv1a128, GivesThePublishedValues) {
  EXPECT_EQ(hashed(""), "6c62272e07bb014262b821756295c58d");
  EXPECT_EQ(hashed("a"), "d228cb696f1a8caf78912b704e4a8964");
  EXPECT_EQ(hashed("foobar"), "343e1662793c64bf6f0d3597ba446f18");
}

struct Program {
  int iterations = 3;
  int syncs_a_run = 0;
  std::string kernel = "gemm<float>";
  testing::Dim3 grid{4, 2, 1}, block{128, 1, 1};
  std::int64_t bytes = 4096;
  CallKind sync = CallKind::kStreamSync;
  int sets = 1;
  std::int64_t slow = 1;
};

/// An iteration is two kernels, a copy, sets and a waiting call.
std::string fingerprint_of(const Program& p, const std::function<void(ReportBuilder&)>& more = {}) {
  ReportBuilder b;
  std::int64_t t = 0;
  for (int i = 0; i < p.iterations; ++i, t += 1000 * p.slow) {
    b.iteration(i, t, t + 100 * p.slow);
    const auto call = [&](CallKind kind, std::int64_t at) { return b.call(kind, t + at, t + at + 1); };
    b.kernel("softmax", t + 200, t + 200 + 10 * p.slow, {.call = call(CallKind::kKernelLaunch, 1)});
    b.kernel(p.kernel, t + 220, t + 240, {.call = call(CallKind::kKernelLaunch, 4), .grid = p.grid, .block = p.block});
    b.copy(CopyDirection::kHostToDevice, p.bytes, t + 300, t + 310, {.call = call(CallKind::kCopy, 7)});
    for (int s = 0; s < p.sets; ++s) b.set(8, t + 320 + s, t + 321 + s, {.call = call(CallKind::kSet, 10 + s)});
    call(p.sync, 20);
  }
  for (int s = 0; s < p.syncs_a_run; ++s) b.call(CallKind::kStreamSync, t + s, t + s + 1);
  if (more) more(b);
  return analyzed(b).attribute_of("fingerprint").value_or("none");
}

TEST(RunSummaryFingerprint, ReadsAsDocumented) {
  const std::string text = fingerprint_of({.syncs_a_run = 2});
  EXPECT_TRUE(starts_with(text, "copies=h2d:4096*1;kernels=2/2:"));
  EXPECT_TRUE(contains(text, ";sets=1;syncs=stream:1+2;graph_launches=0;per=iteration"));
}

TEST(RunSummaryFingerprint, IsEqualHoweverLongItTookAndHowOftenItRan) {
  const std::string text = fingerprint_of({.syncs_a_run = 1});
  EXPECT_EQ(fingerprint_of({.syncs_a_run = 1, .slow = 7}), text);
  EXPECT_EQ(fingerprint_of({.iterations = 9, .syncs_a_run = 1}), text);
}

TEST(RunSummaryFingerprint, DiffersInWhateverTheDeviceWasAskedFor) {
  const std::string text = fingerprint_of({});
  EXPECT_NE(fingerprint_of({.kernel = "gemm<half>"}), text);
  EXPECT_NE(fingerprint_of({.grid = {2, 4, 1}}), text);
  EXPECT_NE(fingerprint_of({.block = {64, 1, 1}}), text);
  EXPECT_NE(fingerprint_of({.bytes = 2048}), text);
  EXPECT_NE(fingerprint_of({.sync = CallKind::kEventSync}), text);
  EXPECT_NE(fingerprint_of({.sets = 2}), text);
  EXPECT_NE(fingerprint_of({.syncs_a_run = 1}), text);
  const auto one_more_kernel = [](ReportBuilder& b) { b.kernel("softmax", 9000, 9001); };
  EXPECT_NE(fingerprint_of({}, one_more_kernel), text);
}

TEST(RunSummaryFingerprint, DoesNotDependOnTheOrderOfKernels) {
  const auto two = [](bool swapped) {
    ReportBuilder b;
    b.call(CallKind::kOther, 0, 1);
    b.kernel(swapped ? "b" : "a", 0, 10);
    b.kernel(swapped ? "a" : "b", 20, 30);
    return analyzed(b).attribute_of("fingerprint").value_or("none");
  };
  EXPECT_EQ(two(false), two(true));
  EXPECT_TRUE(contains(two(false), "per=window"));
}

TEST(RunSummaryFingerprint, OnlyTheWindowsWorkCounts) {
  const std::string text = fingerprint_of({});
  const auto outside = [](ReportBuilder& b) {
    b.kernel("warm_up", 9000, 9001, {.membership = Membership::kOutside});
    b.copy(CopyDirection::kDeviceToHost, 1, 9000, 9001, {.membership = Membership::kForeign});
    b.call(CallKind::kDeviceSync, 9000, 9001, 0, {.in_window = false});
  };
  EXPECT_EQ(fingerprint_of({}, outside), text);
}

TEST(RunSummaryFingerprint, ManyCopySizesAreHashed) {
  const auto many = [](std::int64_t last) {
    ReportBuilder b;
    for (std::int64_t size = 1; size <= 20; ++size) {
      b.copy(CopyDirection::kHostToDevice, size == 20 ? last : size, size * 10, size * 10 + 1,
             {.call = b.call(CallKind::kCopy, size * 10 - 5, size * 10 - 4)});
    }
    return analyzed(b).attribute_of("fingerprint").value_or("none");
  };
  EXPECT_TRUE(starts_with(many(20), "copies=20/20:"));
  EXPECT_NE(many(20), many(21));
}

TEST(RunSummaryFingerprint, NoneWithoutNamesOrWork) {
  EXPECT_EQ(fingerprint_of({}, [](ReportBuilder& b) { b.absent(col::kernel_name); }), "none");
  ReportBuilder idle;
  idle.call(CallKind::kStreamSync, 0, 1);
  idle.captured(col::kernels);
  EXPECT_FALSE(analyzed(idle).attribute_of("fingerprint").has_value()) << "idle reports would all be equal";
}

}  // namespace assay::summary::run_summary_fingerprint_test
