// serving: names of steps, latencies worked out by hand, and those of real servers as SQL and Python gave them.
#include "plugins/analyzers.hpp"
#include "plugins/real_report.hpp"
#include "plugins/serving/requests.hpp"
#include "support/test.hpp"

namespace assay::serving {
namespace serving_test {

using under_test::serving::analyzed;
using under_test::serving::concluded;
using under_test::serving::descriptor;

using testing::data_file;
using testing::OptionInputs;
using testing::RealReport;
using testing::Recorder;
using testing::ReportBuilder;

const std::vector<std::string> kRules = {
    "vllm counts: execute_{tokens}_context_{prefills}(*)_generation_{decodes}(*)",
    "vllm counts: execute_context_{prefills}({prefill_tokens})_generation_{decodes}({decode_tokens})",
    "sglang decode: step[DECODE bs={batch}*]",
    "sglang prefill: step[EXTEND bs={batch} toks={tokens}*]",
    "trtllm counts: [Executor] _forward_step*: {prefills} ctx reqs, {decodes} gen reqs*",
};

std::string batch_text(const std::string& name) {
  std::vector<Str> views(kRules.begin(), kRules.end());
  const auto step = StepNames(views).read(name);
  if (!step) return "none";
  const auto number = [](std::optional<std::int64_t> n) { return n ? std::to_string(*n) : std::string("-"); };
  return std::string(kKindNames[static_cast<std::size_t>(step->kind)]) + " " + number(step->batch) + " " +
         number(step->decodes) + " " + number(step->tokens);
}

TEST(Serving, NamesOfStepsSayKindBatchDecodesAndTokens) {
  EXPECT_EQ(batch_text("execute_8192_context_9(sq8155sk8430sqsq1sqsk2)_generation_37(sq37sk1sqsq1sqsk1)"),
            "mixed 46 37 8192");
  EXPECT_EQ(batch_text("execute_32_context_0(sq0sk0sqsq0sqsk0)_generation_32(sq32sk5sqsq3sqsk5)"), "decode 32 32 32");
  EXPECT_EQ(batch_text("execute_context_2(700)_generation_0(0)"), "prefill 2 - 700");
  EXPECT_EQ(batch_text("execute_context_0(0)_generation_0(0)"), "none") << "a step of nobody";
  EXPECT_EQ(batch_text("step[DECODE bs=32]"), "decode 32 32 32");
  EXPECT_EQ(batch_text("step[EXTEND bs=15 toks=15360]"), "prefill 15 - 15360");
  EXPECT_EQ(batch_text("[Executor] _forward_step 12587: 1 ctx reqs, 32 gen reqs"), "mixed 33 32 -");
  EXPECT_EQ(batch_text("[Executor] _forward_step: 0 ctx reqs, 4 gen reqs"), "decode 4 4 4");
  EXPECT_EQ(batch_text("decode_17"), "none");
}

TEST(Serving, RejectsInvalidRules) {
  for (const char* text : {"decode", "mine: a{batch}", "mine fast: a{batch}"}) {
    EXPECT_THROW(StepRule{text}, std::invalid_argument) << text;
  }
}

double of(const Recorder& r, const std::string& metric, const std::string& dims) {
  return r.value("serving." + metric, dims).value_or(std::nan(""));
}

/// A request with one prefill of 10 to 40 (its last kernel ends at 60) and decodes of 20 each, 30 apart.
void add_request(ReportBuilder& b, int number, std::int64_t at, int decodes, const char* prefill = "prefill") {
  b.range("request_" + std::to_string(number), at, at + 100 + 30 * decodes);
  if (prefill != nullptr) {
    b.range(prefill, at + 10, at + 40);
    b.kernel("k", at + 30, at + 60, {.call = b.call(CallKind::kKernelLaunch, at + 20, at + 25)});
  }
  for (int d = 0; d < decodes; ++d) b.range("decode_" + std::to_string(d), at + 70 + 30 * d, at + 90 + 30 * d);
}

TEST(Serving, TheFirstTokenIsThereWhenTheDeviceIsDone) {
  ReportBuilder b;
  add_request(b, 0, 0, 4);
  add_request(b, 1, 1000, 2);
  const Recorder r = analyzed(b.build());
  EXPECT_EQ(of(r, "ttft_ns", "quantile=p50"), 60);
  EXPECT_EQ(of(r, "tpot_ns", "quantile=max"), 30) << "(180 - 60) / 4 and (120 - 60) / 2";
  EXPECT_EQ(of(r, "token_gap_ns", "quantile=p50"), 30);
  EXPECT_EQ(of(r, "tokens", ""), 8);
  EXPECT_EQ(of(r, "span_ns", ""), 1160);
  EXPECT_EQ(of(r, "request_count", ""), 2);
  EXPECT_EQ(of(r, "step_ns", "kind=prefill;quantile=p50"), 50);
  EXPECT_EQ(of(r, "step_ns", "kind=decode;quantile=p50"), 20);
  EXPECT_EQ(of(r, "step_gpu_ns", "kind=prefill"), 30);
  EXPECT_NEAR(of(r, "time_ratio", "kind=prefill"), 100.0 / 220, 1e-12);
}

TEST(Serving, CountsAndLeavesOutRequestsWithoutLatency) {
  ReportBuilder b;
  add_request(b, 0, 0, 3);
  add_request(b, 1, 1000, 0);
  add_request(b, 2, 2000, 2, nullptr);
  b.range("request_3", 3000, 3500, {.open = true});
  const Recorder r = analyzed(b.build());
  EXPECT_EQ(of(r, "left_out_count", "why=unfinished"), 1);
  EXPECT_EQ(of(r, "left_out_count", "why=one_token"), 1);
  EXPECT_EQ(of(r, "left_out_count", "why=no_prefill"), 1);
  EXPECT_EQ(of(r, "left_out_count", "why=overlapping"), 0);
  EXPECT_EQ(of(r, "request_count", ""), 3);
  EXPECT_EQ(of(r, "tokens", ""), 4 + 1 + 2);
  EXPECT_EQ(of(r, "tpot_ns", "quantile=max"), 30) << "from the first decode where there is no prefill";
  EXPECT_EQ(r.issues.size(), 3U);
}

TEST(Serving, SpeculativeDecodesAndTokensByRequestCountTheirTokens) {
  ReportBuilder b;
  add_request(b, 0, 0, 4);
  const Report& report = b.build();
  EXPECT_EQ(of(analyzed(report, {{"tokens_per_range", "3"}}), "tpot_ns", "quantile=p50"), 10) << "120 for 12 tokens";
  EXPECT_EQ(of(analyzed(report, {{"tokens_per_request", "11"}}), "tpot_ns", "quantile=p50"), 12) << "120 for 10";
}

TEST(Serving, OverlappingRequestsHaveATtftWhereNumbersTell) {
  for (const bool numbered : {true, false}) {
    ReportBuilder b;
    b.thread(1);
    const std::uint32_t engine = b.thread(2);
    b.span("request_0", 0, 500);
    b.span("request_1", 100, 600);
    b.range(numbered ? "prefill_0" : "prefill", 20, 60, {.thread = engine});
    b.range(numbered ? "prefill_1" : "prefill", 120, 180, {.thread = engine});
    for (std::int64_t d = 0; d < 5; ++d)
      b.range("decode_" + std::to_string(d), 200 + 50 * d, 240 + 50 * d, {.thread = engine});
    const Recorder r = analyzed(b.build());
    EXPECT_EQ(r.value("serving.ttft_ns", "quantile=max"), numbered ? std::optional(80.0) : std::nullopt);
    EXPECT_EQ(of(r, "left_out_count", "why=overlapping"), numbered ? 0 : 2);
    EXPECT_EQ(of(r, "token_gap_ns", "quantile=p50"), 50) << "of the steps";
    EXPECT_EQ(of(r, "tokens", ""), 5);
  }
}

TEST(Serving, RequestsOfThreadsOfTheirOwnAreToldByThread) {
  ReportBuilder b;
  b.thread(1);
  const std::uint32_t other = b.thread(2);
  add_request(b, 0, 0, 4);
  b.range("request_1", 50, 400, {.thread = other});
  b.range("prefill", 60, 100, {.thread = other});
  b.range("decode_0", 110, 140, {.thread = other});
  b.range("decode_1", 150, 180, {.thread = other});
  const Recorder r = analyzed(b.build());
  EXPECT_EQ(of(r, "ttft_ns", "quantile=max"), 60);
  EXPECT_EQ(of(r, "ttft_ns", "quantile=p50"), 55) << "60 and 50";
  EXPECT_EQ(of(r, "tpot_ns", "quantile=max"), 40);
}

TEST(Serving, StepsOfAServerGiveEverySequenceAToken) {
  ReportBuilder b;
  for (std::int64_t s = 0; s < 4; ++s)
    b.range(s == 1 ? "step[EXTEND bs=2 toks=100]" : "step[DECODE bs=" + std::to_string(8 + s) + "]", 100 * s,
            100 * s + 50);
  const Recorder r = analyzed(b.build(), {{"steps", kRules}});
  EXPECT_EQ(of(r, "tokens", ""), 8 + 10 + 11);
  EXPECT_EQ(of(r, "span_ns", ""), 350);
  EXPECT_EQ(of(r, "token_gap_ns", "quantile=max"), 200) << "the prefill is in between";
  EXPECT_EQ(of(r, "step_batch", "kind=prefill"), 2);
  EXPECT_EQ(of(r, "step_tokens", "kind=prefill"), 100);
  EXPECT_NEAR(of(r, "step_batch", "kind=decode"), 29.0 / 3, 1e-12);
}

TEST(Serving, OwnRulesOfStepsGoFirst) {
  ReportBuilder b;
  for (std::int64_t s = 0; s < 3; ++s) b.range("step[DECODE bs=8]", 100 * s, 100 * s + 50);
  const OptionInputs own = {{"steps", kRules}, {"own_steps", "mine prefill: step[DECODE bs={batch}]"}};
  EXPECT_EQ(of(analyzed(b.build(), own), "step_batch", "kind=prefill"), 8);
  EXPECT_TRUE(std::isnan(of(analyzed(b.build(), own), "step_batch", "kind=decode")));
}

TEST(Serving, QuantilesNeedTheirNumberOfValues) {
  for (const auto& [requests, p95, p99] :
       {std::tuple(19, false, false), {20, true, false}, {99, true, false}, {100, true, true}}) {
    ReportBuilder b;
    for (int i = 0; i < requests; ++i) add_request(b, i, 1000 * i, 1);
    const Recorder r = analyzed(b.build());
    EXPECT_EQ(std::isnan(of(r, "ttft_ns", "quantile=p95")), !p95) << requests;
    EXPECT_EQ(std::isnan(of(r, "ttft_ns", "quantile=p99")), !p99) << requests;
    EXPECT_EQ(of(r, "ttft_ns", "quantile=max"), 60);
    EXPECT_TRUE(r.fact_of("serving.ttft_ns", "quantile=p50")->samples.empty()) << "the run is the unit";
  }
}

TEST(Serving, IgnoresOtherProgramsThatDecode) {
  ReportBuilder b;
  for (std::int64_t i = 0; i < 5; ++i) b.range("decode_" + std::to_string(i), 100 * i, 100 * i + 50);
  const Report& report = b.build();
  EXPECT_TRUE(analyzed(report).skip_of("serving.*").has_value());
  EXPECT_EQ(of(analyzed(report, {{"decode", std::vector<std::string>{"decode_{i}"}}}), "tokens", ""), 5) << "asked for";
}

TEST(Serving, ANameThatNoRangeHasIsSaidWithTheNearest) {
  ReportBuilder b;
  add_request(b, 0, 0, 2);
  const Recorder r = analyzed(b.build(), {{"decode", std::vector<std::string>{"decodes_{i}"}}});
  ASSERT_FALSE(r.issues.empty());
  EXPECT_EQ(r.issues[0].name, "no_such_range");
  EXPECT_TRUE(contains(r.issues[0].text, "decode_"));
}

TEST(Serving, RatesAreOfTheBatchOfTheLabel) {
  testing::StudyBuilder study;
  study.label("bs");
  for (const char* batch : {"1", "16"}) {
    study.report("bs" + std::string(batch), {{"bs", batch}})
        .fact("serving.tokens", 150)
        .fact("serving.span_ns", 3e9)
        .fact("serving.request_count", 6)
        .fact("serving.tpot_ns", 5e6, "quantile=p50");
  }
  const Recorder r = concluded(study.build(), {{"batch_label", "bs"}});
  EXPECT_EQ(r.value("serving.tokens_per_s", "", 0), 50);
  EXPECT_EQ(r.value("serving.tokens_per_s", "", 1), 800);
  EXPECT_EQ(r.value("serving.requests_per_s", "", 1), 32);
  EXPECT_EQ(r.findings.size(), 2U);
}

// Numbers: SQL and Python over the same files.

TEST(ServingReal, EagerAndGraph) {
  struct ExpectedRun {
    const char* file;
    double ttft, tpot, gap_p99, span, prefill;
  };
  for (const ExpectedRun& e :
       {ExpectedRun{"node_level/eager_bs1.sqlite", 8893230.5, 5903466.6875, 17495510.31, 1078863756,
                    0.09226096295955329},
        {"node_level/graph_bs1.sqlite", 11631665.0, 1220766.0416666665, 1619106.61, 245529437, 0.29637552921780397},
        {"graph_level/graph_bs1.sqlite", 6151314.5, 771261.5208333333, 954416.62, 150550006, 0.26487530738426085}}) {
    const auto file = data_file("serve", e.file);
    if (!file) GTEST_SKIP() << "ASSAY_DATA has no folder serve";
    const RealReport real(descriptor, *file, "", "");
    const Recorder r = analyzed(real.report());
    EXPECT_EQ(of(r, "ttft_ns", "quantile=p50"), e.ttft) << e.file;
    EXPECT_NEAR(of(r, "tpot_ns", "quantile=p50"), e.tpot, 1e-3);
    EXPECT_NEAR(of(r, "token_gap_ns", "quantile=p99"), e.gap_p99, 1e-2);
    EXPECT_EQ(of(r, "span_ns", ""), e.span);
    EXPECT_EQ(of(r, "tokens", ""), 150);
    EXPECT_NEAR(of(r, "time_ratio", "kind=prefill"), e.prefill, 1e-12);
    EXPECT_TRUE(std::isnan(of(r, "ttft_ns", "quantile=p95"))) << "six requests";
  }
}

}  // namespace serving_test
}  // namespace assay::serving
