// Levers of made-up runs whose costs are known, and the order in which they are said.
#include "algo/lever/gains.hpp"
#include "algo/lever/removal.hpp"
#include "algo/replay/path.hpp"
#include "support/test.hpp"

namespace assay::lever_test {

using namespace assay::testing;
using lever::Gain;
using lever::Lever;
using lever::LeverKind;

const NameRules& rules() {
  static const std::vector<std::string> texts{"matmul: gemm", "softmax: softmax", "elementwise: elementwise",
                                              "reduction: reduce"};
  static const std::vector<Str> views(texts.begin(), texts.end());
  static const NameRules all(views);
  return all;
}

/// The gains of all levers of a report, by their texts.
std::map<std::string, Gain> gains_in(const Report& given) {
  const replay::StepIterations steps(given);
  const Report report = steps.in(given);
  replay::Graph graph = replay::build(report);
  replay::ReplayTimes base = replay::run(graph);
  const lever::Program program(report, graph);
  const std::vector<std::int64_t> before = replay::steady_lengths(graph, base);
  const std::vector<replay::Edge> edges = graph.edges;
  std::map<std::string, Gain> out;
  for (const Gain& gain :
       lever::gains_of(lever::candidates(program, rules()), program, graph, before, std::move(base), rules()))
    out.emplace(lever::text_of(gain.lever), gain);
  for (std::size_t e = 0; e < edges.size(); ++e)
    EXPECT_EQ(graph.edges[e].lag, edges[e].lag) << "the graph was left changed";
  return out;
}

double share_of(const std::map<std::string, Gain>& gains, const std::string& text) {
  const auto at = gains.find(text);
  return at == gains.end() ? -1 : at->second.share;
}

/// Calls one after the other on a host, and their work on a stream.
class Writer {
 public:
  explicit Writer(ReportBuilder& to) : to_(to) {}
  std::int64_t now = 1'000'000;
  void code(std::int64_t ns) { now += ns; }
  void launch(const std::string& kernel, std::int64_t length, std::int64_t call = 2'000) {
    const Row row = to_.call(CallKind::kKernelLaunch, now, now + call);
    now += call;
    free_ = std::max(free_ + 1'000, now + 2'000);
    to_.kernel(kernel, free_, free_ + length, {.call = row});
    free_ += length;
  }
  void sync() {
    const std::int64_t start = now;
    now = std::max(now + 1'000, free_ + 4'000);  // no sooner, or the device's clock would be late
    const Row row = to_.call(CallKind::kDeviceSync, start, now);
    to_.sync(4, start, now, {.call = row});
  }
  /// Waits without a call.
  void poll() { now = free_ + 20'000; }

 private:
  ReportBuilder& to_;
  std::int64_t free_ = 0;
};

/// Steps of `step(writer)`, each in a range, with a wait at its end.
template <class Step>
std::map<std::string, Gain> gains_of_steps(const Step& step) {
  ReportBuilder b;
  Writer w(b);
  for (int i = 0; i < 6; ++i) {
    const std::int64_t start = w.now;
    step(b, w);
    b.range("step_" + std::to_string(i), start, w.now);
  }
  return gains_in(b.build());
}

TEST(Lever, TextsAreReadAsTheyAreWritten) {
  for (int kind = 0; kind <= static_cast<int>(LeverKind::kPointwise); ++kind) {
    for (const char* place : {"", "data", "Optimizer.step#Adam:1"}) {
      const Lever lever{static_cast<LeverKind>(kind), place};
      const auto read = lever::lever_of(lever::text_of(lever));
      ASSERT_TRUE(read.has_value()) << kind;
      EXPECT_EQ(read->kind, lever.kind) << kind;
      EXPECT_TRUE(read->place.empty() || read->place == place) << lever::text_of(lever);
    }
  }
  for (const char* text : {"", "host", "sync", "copy:h2d", "allocation:", "Host:data"})
    EXPECT_FALSE(lever::lever_of(text).has_value()) << text;
}

Gain gain(LeverKind kind, double share) { return {.lever = {kind, "x"}, .share = share}; }

TEST(Lever, WhatTheHostWaitsInComesBeforeLaunches) {
  std::vector<Gain> gains{gain(LeverKind::kSync, 0.5), gain(LeverKind::kAllLaunches, 0.9),
                          gain(LeverKind::kLaunches, 0.7)};
  lever::sort_levers(gains);
  ASSERT_EQ(lever::limiting(gains, 0.01).size(), 1U);
  EXPECT_EQ(lever::limiting(gains, 0.01).front().lever.kind, LeverKind::kSync);
  gains = {gain(LeverKind::kSync, 0.05), gain(LeverKind::kLaunches, 0.7)};
  lever::sort_levers(gains);
  EXPECT_EQ(lever::limiting(gains, 0.01).front().lever.kind, LeverKind::kLaunches) << "the wait does not stand out";
  gains = {gain(LeverKind::kSync, 0.5), gain(LeverKind::kHostCode, 0.7), gain(LeverKind::kLaunches, 0.6)};
  lever::sort_levers(gains);
  EXPECT_EQ(lever::limiting(gains, 0.01).front().lever.kind, LeverKind::kHostCode) << "launches are not the largest";
}

TEST(Lever, TwoWithinTheErrorAreBothNamedAndLittleStandsOut) {
  std::vector<Gain> gains{gain(LeverKind::kHostCode, 0.50), gain(LeverKind::kCopies, 0.49),
                          gain(LeverKind::kPointwise, 0.485)};
  EXPECT_EQ(lever::limiting(gains, 0.02).size(), 2U);
  EXPECT_EQ(lever::limiting(gains, 0.005).size(), 1U);
  EXPECT_TRUE(lever::limiting({gain(LeverKind::kHostCode, 0.099)}, 0).empty());
  EXPECT_TRUE(lever::limiting({gain(LeverKind::kAllLaunches, 0.9)}, 0).empty()) << "it is a bound";
}

// A step of 102 us: 60 of host code in 'data', then a kernel that is waited for.
TEST(Lever, HostCodeOfARangeGainsItsTime) {
  const auto gains = gains_of_steps([](ReportBuilder& b, Writer& w) {
    const std::int64_t start = w.now;
    w.code(60'000);
    w.launch("gemm", 34'000);
    b.range("data", start, w.now);
    w.sync();
  });
  EXPECT_NEAR(share_of(gains, "host:data"), 60.0 / 102.0, 0.001);
  EXPECT_EQ(share_of(gains, "range:data"), -1) << "a kernel comes of it";
}

// A step of 102 us: 40 of host code in read and 20 in tokenize, then a kernel that is waited for.
TEST(Lever, FunctionsStandForTheStepTheyAreIn) {
  const auto gains = gains_of_steps([](ReportBuilder& b, Writer& w) {
    const auto function = [&](const char* name, std::int64_t ns) {
      const std::int64_t start = w.now;
      w.code(ns);
      b.op(OpKind::kPythonFunction, name, start, w.now);
    };
    function("train.py(9): read", 40'000);
    function("train.py(8): tokenize", 20'000);
    w.launch("gemm", 34'000);
    w.sync();
  });
  EXPECT_NEAR(share_of(gains, "host:read (train.py:9)"), 40.0 / 102.0, 0.001);
  EXPECT_NEAR(share_of(gains, "host:tokenize (train.py:8)"), 20.0 / 102.0, 0.001);
  EXPECT_EQ(share_of(gains, "host:step_{}"), -1) << "its functions say more";
}

// 'hooks' launches nothing: it goes whole, with its wait.
TEST(Lever, ARangeWithoutKernelsGoesWhole) {
  const auto gains = gains_of_steps([](ReportBuilder& b, Writer& w) {
    w.launch("gemm", 10'000);
    w.sync();
    const std::int64_t start = w.now;
    w.code(40'000);
    w.sync();
    w.code(40'000);
    b.range("hooks", start, w.now);
  });
  EXPECT_NEAR(share_of(gains, "range:hooks"), 81.0 / 99.0, 0.01);
  EXPECT_EQ(share_of(gains, "host:hooks"), -1);
}

// 50 launches of 2 us with 8 us of code before each; kernels of 3 us.
TEST(Lever, ManyLaunchesAreALeverOfTheirRange) {
  const auto gains = gains_of_steps([](ReportBuilder& b, Writer& w) {
    const std::int64_t start = w.now;
    for (int k = 0; k < 50; ++k) {
      w.code(8'000);
      w.launch("elementwise", 3'000);
    }
    b.range("forward", start, w.now);
    w.sync();
  });
  // What remains: 50 kernels of 3 us, one behind the other, and the wait.
  EXPECT_NEAR(share_of(gains, "launches:forward"), 1 - 156.0 / 509.0, 0.01);
  EXPECT_EQ(share_of(gains, "launches"), -1) << "one range: all launches are the same";
}

// A softmax between two fp32 products; flash attention leaves the products at the peak of bf16.
TEST(Lever, AttentionSpelledOutIsKnownByItsKernels) {
  ReportBuilder b;
  b.device(0, {.name = "NVIDIA H200"});
  Writer w(b);
  for (int i = 0; i < 6; ++i) {
    const std::int64_t start = w.now;
    w.launch("gemm_f32f32", 400'000);
    w.launch("softmax_kernel", 100'000);
    w.launch("gemm_f32f32", 400'000);
    w.sync();
    b.range("step_" + std::to_string(i), start, w.now);
  }
  const auto gains = gains_in(b.build());
  EXPECT_GT(share_of(gains, "unfused-attention"), 0.85);
  EXPECT_LT(share_of(gains, "unfused-attention"), 0.99);
  EXPECT_GT(share_of(gains, "fp32-products"), 0.6);
  EXPECT_LT(share_of(gains, "fp32-products"), share_of(gains, "unfused-attention"));
}

// Four pointwise kernels of 20 us in a row become one; three of 2 us are a matter of launches.
TEST(Lever, ChainsOfPointwiseKernelsBecomeOne) {
  const auto gains = [](std::int64_t length) {
    return gains_of_steps([&](ReportBuilder&, Writer& w) {
      for (int k = 0; k < 4; ++k) w.launch("elementwise", length, 1'000);
      w.launch("gemm", 40'000);
      w.sync();
    });
  };
  EXPECT_NEAR(share_of(gains(20'000), "pointwise-chains"), 63.0 / 132.0, 0.01);
  EXPECT_EQ(share_of(gains(2'000), "pointwise-chains"), -1);
}

// The host polls for the end of a kernel of 5 ms, which no call shows; then its range ends, and it computes for 1 ms.
TEST(Lever, APauseThatEndsWithTheWorkIsNoHostCode) {
  const auto gains = [](bool polls) {
    return gains_of_steps([&](ReportBuilder& b, Writer& w) {
      const std::int64_t start = w.now;
      b.device(0, {.name = "NVIDIA H200"});
      w.launch("gemm_f32f32", 5'000'000);
      polls ? w.poll() : w.code(7'000'000);
      b.range("log", start, w.now);
      w.code(1'000'000);
    });
  };
  EXPECT_GT(share_of(gains(true), "fp32-products"), 0.6) << "a shorter kernel is waited for less";
  EXPECT_EQ(share_of(gains(true), "host:log"), -1);
  EXPECT_NEAR(share_of(gains(false), "fp32-products"), 0, 0.01) << "the kernel ended long before the pause";
}

}  // namespace assay::lever_test
