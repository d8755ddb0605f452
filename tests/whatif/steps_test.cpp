// The replay on recorded training steps of which one cost after the other was removed: how far off it is without a
// change, and what it predicts of variants that were recorded too. Every true value is computed from the variant's own
// files.
#include "steps.hpp"

#include "assay/algo/summary.hpp"
#include "support/test.hpp"
#include "whatif/predict.hpp"

namespace assay::whatif::steps_test {

constexpr double kMedianDrift = 0.02, kWorstDrift = 0.05;
constexpr double kShareOfGain = 0.1, kOrMs = 1.5;  // how far a predicted gain may be off on a quiet machine

#define NEEDS_STEPS()                                       \
  if (step_data().empty())                                  \
  GTEST_SKIP() << "ASSAY_DATA has no folder step: nothing " \
                  "is known of drift and predictions on real steps"

std::vector<ReplayedRun> blocks(const std::string& set, const std::string& variant) {
  std::vector<ReplayedRun> runs;
  for (int block = 1; block <= kBlocks; ++block) runs.push_back(read_step(step_file(set, variant, block)));
  return runs;
}

std::vector<double> measured_steps(const std::string& set, const std::string& variant) {
  std::vector<double> out;
  for (int block = 1; block <= kBlocks; ++block) out.push_back(measured_ms(read_step(step_file(set, variant, block))));
  return out;
}

/// Gain of each block against its own base, ms.
std::vector<double> gains(const std::vector<double>& before, const std::vector<double>& after) {
  std::vector<double> out;
  for (std::size_t b = 0; b < before.size(); ++b) out.push_back(before[b] - after[b]);
  return out;
}

std::vector<double> base_steps(const std::vector<ReplayedRun>& base) {
  std::vector<double> out;
  for (const Run& run : base) out.push_back(measured_ms(run));
  return out;
}

/// Steps that another one follows: the last one's range ends before its work where nothing waits for that.
std::vector<std::int64_t> followed(std::vector<std::int64_t> steps) {
  steps.pop_back();
  return steps;
}

/// Of each block: the median step as recorded less the one as replayed with the change, in ms.
template <class Change>
std::vector<double> predicted_gains(const std::vector<ReplayedRun>& base, Change&& change) {
  std::vector<double> out;
  for (std::size_t b = 0; b < base.size(); ++b) {
    const replay::Graph changed = change(base[b], b);
    out.push_back(median_ms(followed(base[b].replayed)) -
                  median_ms(followed(replay::lengths(changed, replay::run(changed).time))));
  }
  return out;
}

NameRules no_classes() { return NameRules(std::span<const Str>{}); }

replay::Selector of(replay::Target target, const char* pattern) {
  replay::Selector out;
  out.target = target;
  out.pattern = pattern;
  return out;
}

replay::Graph pinned(const Run& run, std::size_t) {
  const replay::Selector h2d = of(replay::Target::kCopy, "h2d");
  return replay::overlapped(run.graph, replay::select(run.report(), run.graph, h2d, no_classes()));
}

replay::Graph nosync(const Run& run, std::size_t) { return replay::without_waits(run.report(), run.graph); }

/// Attention's kernels as fast as flash attention's in the same block.
struct Flash {
  std::string set;
  replay::Graph operator()(const Run& run, std::size_t block) const {
    const KernelSwap attention = swapped_kernels(run, read_step(step_file(set, "flash", static_cast<int>(block) + 1)));
    EXPECT_GT(attention.what.work_count, 0U);
    return replay::scaled(run.graph, attention.what, attention.factor, false);
  }
};

/// Forward and backward with flash attention's calls, launches and device time, as --replace has them.
struct FlashCalls {
  replay::Graph operator()(const ReplayedRun& run, std::size_t block) const {
    const ReplayedRun flash = read_step(step_file("step", "flash", static_cast<int>(block) + 1));
    replay::Graph graph = run.graph;
    for (const char* range : {"forward", "backward"}) {
      const replay::Selector selector = of(replay::Target::kRange, range);
      const replay::Selection was = replay::select(run.report(), graph, selector, no_classes());
      const replay::Selection is = replay::select(flash.report(), flash.graph, selector, no_classes());
      const auto each = [&](auto sum) { return static_cast<double>(sum) / static_cast<double>(is.instances); };
      graph = replay::replaced(graph, was, {each(is.call_count), each(is.work_count), each(is.work_time)});
    }
    return graph;
  }
};

void expect_quiet_gain(const char* what, const std::vector<double>& predicted, const std::vector<double>& measured) {
  const Mean was = mean_of(measured), said = mean_of(predicted);
  std::printf("%-18s predicted %6.2f ms, measured %6.2f +- %.2f ms\n", what, said.value, was.value, was.error);
  EXPECT_NEAR(said.value, was.value, std::max(kShareOfGain * std::abs(was.value), kOrMs)) << what;
}

void expect_noisy_gain(const char* what, const std::vector<double>& predicted, const std::vector<double>& measured) {
  const Mean was = mean_of(measured), said = mean_of(predicted);
  std::printf("%-18s predicted %6.2f ms, measured %6.2f +- %.2f ms\n", what, said.value, was.value, was.error);
  EXPECT_NEAR(said.value, was.value, 2 * was.error) << what;
}

double host_share(const Run& run, const replay::Graph& graph) {
  const replay::ReplayTimes replayed = replay::run(graph);
  double host = 0, all = 0;
  for (const replay::Iteration& iteration : graph.iterations) {
    for (const replay::Piece& piece : replay::critical_path(graph, replayed, iteration)) {
      all += static_cast<double>(piece.end - piece.start);
      if (piece.part == replay::Part::kHost) host += static_cast<double>(piece.end - piece.start);
    }
  }
  EXPECT_GT(all, 0) << run.name;
  return host / all;
}

class Drifts : public ::testing::TestWithParam<std::string> {};

// A replay that copied waits would drift nowhere; that waits are computed is what the predictions below show.
TEST_P(Drifts, AreSmallForEveryRecordedStep) {
  NEEDS_STEPS();
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(step_data() + "/" + GetParam())) {
    const ReplayedRun run = read_step(GetParam() + "/" + entry.path().filename().string());
    ++files;
    ASSERT_GE(run.seen.size(), 4U) << run.name;
    std::vector<double> off;
    for (std::size_t i = 0; i < run.seen.size(); ++i) {
      const auto& iterations = *run.report().iterations;
      // The first begins no sooner than work from before it has ended, and the last ends with its work.
      const bool inner = i > 0 && i + 1 < iterations.rows;
      EXPECT_TRUE(!inner || run.seen[i] == iterations.start[i + 1] - iterations.start[i]) << run.name;
      off.push_back(std::abs(static_cast<double>(run.replayed[i]) / static_cast<double>(run.seen[i]) - 1));
    }
    const double worst = *std::max_element(off.begin(), off.end());
    std::printf("%-40s %2zu iterations, off by %.3f %% (median), %.3f %% (worst); with typical lags %.3f %%, %.3f %%\n",
                run.name.c_str(), run.seen.size(), 100 * median(off), 100 * worst, 100 * run.drift.median,
                100 * run.drift.worst);
    EXPECT_LE(median(off), kMedianDrift) << run.name;
    EXPECT_LE(worst, kWorstDrift) << run.name;
    EXPECT_LE(run.drift.median, kMedianDrift) << run.name;
    EXPECT_LE(run.drift.worst, kWorstDrift) << run.name;
    EXPECT_GE(run.drift.worst, run.drift.median);
  }
  EXPECT_EQ(files, GetParam() == "nsys" ? 40U : 8U);
}

INSTANTIATE_TEST_SUITE_P(Files, Drifts, ::testing::Values("nsys", "torch"),
                         [](const auto& files) { return files.param; });

TEST(Predictions, AreRightIfTheGpuDecidesTheStep) {
  NEEDS_STEPS();
  const std::vector<ReplayedRun> base = blocks("gpubound", "base");
  const std::vector<double> before = base_steps(base);
  const auto measured = [&](const char* variant) { return gains(before, measured_steps("gpubound", variant)); };
  expect_quiet_gain("gpubound pinned", predicted_gains(base, pinned), measured("pinned"));
  expect_quiet_gain("gpubound nosync", predicted_gains(base, nosync), measured("nosync"));
  expect_quiet_gain("gpubound flash", predicted_gains(base, Flash{"gpubound"}), measured("flash"));
}

TEST(Predictions, AreRightIfTheHostDecidesTheStep) {
  NEEDS_STEPS();
  const std::vector<ReplayedRun> base = blocks("step", "base");
  const std::vector<double> before = base_steps(base);
  const auto measured = [&](const char* variant) { return gains(before, measured_steps("step", variant)); };
  expect_noisy_gain("step pinned", predicted_gains(base, pinned), measured("pinned"));
  expect_noisy_gain("step nosync", predicted_gains(base, nosync), measured("nosync"));

  // Faster kernels alone gain nothing there: the host is on the path. That flash gains all the same is its fewer
  // launches.
  const Mean flash = mean_of(predicted_gains(base, Flash{"step"})), measured_flash = mean_of(measured("flash"));
  std::printf("%-18s predicted %6.2f ms, measured %6.2f +- %.2f ms\n", "step flash", flash.value, measured_flash.value,
              measured_flash.error);
  EXPECT_LT(std::abs(flash.value), 0.02 * mean(before)) << "of the step";
  expect_noisy_gain("step flash's calls", predicted_gains(base, FlashCalls{}), measured("flash"));
  for (std::size_t b = 0; b < base.size(); ++b) {
    EXPECT_GT(host_share(base[b], base[b].graph), 0.5) << base[b].name;
    EXPECT_GT(host_share(base[b], Flash{"step"}(base[b], b)), 0.5) << base[b].name;
  }
}

// A trace of PyTorch names the backward of an operator: scaled to the time that flash attention and its backward take.
TEST(Predictions, IncludeTheBackwardOfAnOperator) {
  NEEDS_STEPS();
  const ReplayedRun base = read_step("torch/gpubound_base.pt.trace.json.gz"),
                    flash = read_step("torch/gpubound_flash.pt.trace.json.gz");
  const replay::Selector attention = of(replay::Target::kOperator, "aten::scaled_dot_product_attention");
  const auto in = [&](const ReplayedRun& run, bool backward) {
    replay::Selector selector = attention;
    selector.backward = backward;
    return replay::select(run.report(), run.graph, selector, no_classes());
  };
  const replay::Selection was = in(base, true), is = in(flash, true);
  EXPECT_EQ(was.instances, in(base, false).instances);
  EXPECT_GT(2 * was.work_time, 3 * in(base, false).work_time) << "the backward takes about as long as the forward";
  const double factor = static_cast<double>(is.work_time) / static_cast<double>(was.work_time);
  const replay::Graph changed = replay::scaled(base.graph, was, factor, false);
  const double predicted = median_ms(base.replayed) - median_ms(replay::lengths(changed, replay::run(changed).time));
  expect_quiet_gain("torch operator", {predicted, predicted},
                    {measured_ms(base) - measured_ms(flash), measured_ms(base) - measured_ms(flash)});
}

}  // namespace assay::whatif::steps_test
