// What `assay compare` of profiles says: accounts that add up, things found again, changes told from noise.
#include "algo/account/device_time.hpp"
#include "algo/idle/idle.hpp"
#include "assay/detail/random.hpp"
#include "assay/testing/recorder.hpp"
#include "assay/testing/report_builder.hpp"
#include "made_program.hpp"
#include "plugins/step_difference/answer.hpp"
#include "plugins/step_difference/comparison.hpp"
#include "plugins/step_difference/launch_diff.hpp"
#include "plugins/step_difference/run_design.hpp"
#include "plugins/step_difference/tables.hpp"
#include "support/test.hpp"

namespace assay::difference::test::difference_test {

std::int64_t wall_of(const RunMeasure& run) {
  std::int64_t sum = 0;
  for (const Item& item : run.items) sum += item.sums.wall;
  return sum;
}

/// What is written of one comparison.
testing::Recorder written(const Comparison& c) {
  testing::Recorder out;
  emit_tables({c}, {}, out);
  return out;
}

struct ItemWork {
  std::int64_t start, end;
  std::uint32_t item;
};

void add(account::DeviceTime& time, const std::vector<ItemWork>& work, std::vector<std::int64_t>& wall) {
  time.add(std::span(work), [&](std::size_t, std::size_t w, std::int64_t ns) { wall[work[w].item] += ns; });
}

TEST(DeviceTime, GivesEachInstantToWhatBeganFirst) {
  account::DeviceTime time({{0, 100}, {120, 200}});
  std::vector<std::int64_t> wall(3, 0);
  const std::vector<ItemWork> kernels{{10, 50, 0}, {30, 70, 1}, {90, 130, 0}}, copies{{40, 80, 2}, {110, 140, 2}};
  add(time, kernels, wall);
  EXPECT_EQ(wall, (std::vector<std::int64_t>{40 + 10 + 10, 20, 0})) << "100..120 is in no step";
  add(time, copies, wall);
  EXPECT_EQ(wall[2], 10 + 10);
  std::int64_t idle = 0;
  time.each_idle([&](std::size_t, const Interval& gap, const Interval&) { idle += gap.end - gap.start; });
  EXPECT_EQ(std::accumulate(wall.begin(), wall.end(), idle), 180);
}

/// Against the owner of every instant: of the first class that has any work then, the piece that began first.
TEST(DeviceTime, EqualsTheSumOverInstantsForRandomWork) {
  Random random(33);
  constexpr std::int64_t kEnd = 300;
  for (int round = 0; round < 200; ++round) {
    std::vector<Interval> steps;
    for (std::int64_t at = 0; at + 40 < kEnd;) {
      const auto start = at + static_cast<std::int64_t>(random.index(10));
      at = start + static_cast<std::int64_t>(random.index(80));
      steps.push_back({start, at});
    }
    std::vector<std::vector<ItemWork>> classes(3);
    std::uint32_t items = 0;
    for (std::vector<ItemWork>& work : classes) {
      const std::uint64_t pieces = random.index(25);
      for (std::uint64_t w = 0; w < pieces; ++w) {
        const auto start = static_cast<std::int64_t>(random.index(kEnd));
        work.push_back({start, start + static_cast<std::int64_t>(random.index(30)), items++});
      }
      std::ranges::stable_sort(work, [](const auto& a, const auto& b) { return a.start < b.start; });
    }
    constexpr std::size_t kNobody = 1000;
    std::vector<std::int64_t> expected(items, 0), wall(items, 0);
    std::vector<std::uint8_t> idle_expected(kEnd + 100, 0), idle(kEnd + 100, 0);
    for (const Interval& step : steps) {
      for (std::int64_t t = step.start; t < step.end; ++t) {
        std::size_t owner = kNobody;
        for (const std::vector<ItemWork>& work : classes) {
          for (auto w = work.begin(); owner == kNobody && w != work.end(); ++w) {
            if (w->start <= t && t < w->end) owner = w->item;
          }
        }
        owner == kNobody ? ++idle_expected[static_cast<std::size_t>(t)] : ++expected[owner];
      }
    }
    account::DeviceTime time(steps);
    for (const std::vector<ItemWork>& work : classes) add(time, work, wall);
    time.each_idle([&](std::size_t, const Interval& gap, const Interval&) {
      ASSERT_LT(gap.start, gap.end);
      for (std::int64_t t = gap.start; t < gap.end; ++t) ++idle[static_cast<std::size_t>(t)];
    });
    ASSERT_EQ(wall, expected) << "round " << round;
    ASSERT_EQ(idle, idle_expected) << "round " << round;
  }
}

TEST(WaitingCalls, ACopyAndTheSynchronisationRightBehindItAreOneWait) {
  testing::ReportBuilder b;
  const Row copy = b.call(CallKind::kCopy, 1000, 101'000, 0, {.name = "cudaMemcpyAsync"});
  b.call(CallKind::kStreamSync, 107'000, 120'000, 0, {.name = "cudaStreamSynchronize"});
  b.call(CallKind::kStreamSync, 900'000, 901'000, 0, {.name = "cudaStreamSynchronize"});
  const Row launch = b.call(CallKind::kKernelLaunch, 950'000, 960'000, 0, {.name = "cudaLaunchKernel"});
  b.copy(CopyDirection::kHostToDevice, 1 << 20, 2000, 100'500,
         {.call = copy, .source_kind = MemoryKind::kPageable, .target_kind = MemoryKind::kDevice});
  b.kernel("gemm", 961'000, 970'000, {.call = launch});
  const Report& report = b.build();
  const idle::ThreadCalls threads(report, idle::waits_of_calls(report));
  for (const std::int64_t end_of_copy : {100'500, 103'000, 110'000})
    EXPECT_EQ(threads.waiting_at(launch, end_of_copy), 1);
  EXPECT_EQ(threads.waiting_at(launch, 200'000), kNone) << "the third call waits for nothing";
  EXPECT_EQ(threads.waiting_at(launch, 900'500), 2);
}

/// Six kernels of Inductor, each of a grid of its own, numbered from `first`.
Side generated(int first) {
  Side side;
  side.steps = 4;
  for (std::uint32_t i = 0; i < 6; ++i) {
    Item item;
    item.key.op = "CompiledFxGraph";
    item.key.name = item.traits.base = "triton_poi_fused_add_gelu_" + std::to_string(first + static_cast<int>(i));
    item.key.shape = std::to_string(100 + i) + "x1x1 of 128x1x1";
    item.sums.count = 4;
    item.sums.device = 4 * (100 + 20 * static_cast<std::int64_t>(i));
    side.items.push_back(item);
    side.launches.push_back(i);
  }
  return side;
}

TEST(Alignment, FindsGeneratedKernelsWhoseNumbersShifted) {
  const Side before = generated(0), after = generated(2);
  const Alignment alignment = align(before, after);
  ASSERT_EQ(alignment.rows.size(), 6U) << "none is new or gone";
  for (const AlignedItem& row : alignment.rows) {
    EXPECT_EQ(row.match, Match::kSame);
    EXPECT_EQ(row.before, row.after) << "of the same grid and place";
  }
}

TEST(LaunchGaps, AreBetweenWhatStayed) {
  const std::vector<std::uint32_t> before{1, 2, 3, 4, 5, 1, 2, 3, 4, 5}, after{1, 9, 5, 1, 9, 5};
  const std::vector<LaunchGap> gaps = launch_gaps(before, after);
  ASSERT_EQ(gaps.size(), 2U);
  EXPECT_EQ(gaps[0].before_from, 1);
  EXPECT_EQ(gaps[0].before_to, 4);
  EXPECT_EQ(gaps[0].after_from, 1);
  EXPECT_EQ(gaps[0].after_to, 2);
  EXPECT_TRUE(launch_gaps(before, before).empty());
}

TEST(Measure, PartsOfTheStepsAddUp) {
  for (const bool streams : {false, true}) {
    const SideRun run = measured(MadeProgram{.other_streams = streams});
    EXPECT_EQ(run.steps(), 4U);
    EXPECT_EQ(wall_of(run), run.time);
    EXPECT_EQ(std::accumulate(run.step_times.begin(), run.step_times.end(), std::int64_t{0}), run.time);
  }
}

TEST(Align, OtherStreamsAndOtherTemplatesChangeNothing) {
  const Side base = side_of({});
  for (const MadeProgram& other : {MadeProgram{.other_streams = true}, MadeProgram{.template_argument = "half, 8"}}) {
    const Comparison c = compare(base, side_of(other));
    EXPECT_EQ(c.alignment.aligned(), 1);
    EXPECT_EQ(c.accounts.step.difference, 0);
    for (const AlignedItem& row : c.alignment.rows) {
      ASSERT_NE(row.before, kNoItem);
      ASSERT_NE(row.after, kNoItem);
      EXPECT_EQ(c.before.items[row.before].traits.base, c.after.items[row.after].traits.base);
    }
  }
}

TEST(Compare, NamesWhatStandsAtThePlaceOfWhatIsGone) {
  const Comparison c = compare(side_of({}), side_of({.flash = true}));
  ASSERT_FALSE(c.findings.empty());
  const Finding& first = c.findings.front();
  EXPECT_EQ(first.certainty, "replaced");
  EXPECT_TRUE(contains(first.title, "3 kernels are now flash_fwd_kernel"));
  EXPECT_EQ(first.place, "forward");
  EXPECT_LT(c.alignment.aligned(), 0.9);
  EXPECT_TRUE(is_empty(cautions(c))) << "all kernels are matched with those that replace them";
  const std::int64_t lines =
      std::accumulate(std::begin(c.accounts.lines), std::end(c.accounts.lines), c.accounts.rounding);
  EXPECT_EQ(lines, c.accounts.step.difference);
}

TEST(Align, KernelsOfAnotherVendorByTheirOperator) {
  const Comparison c = compare(side_of({.operators = true}), side_of({.operators = true, .vendor = "Cijk_"}));
  EXPECT_EQ(c.alignment.aligned(), 0);
  EXPECT_EQ(c.alignment.before.place, 1);
  EXPECT_EQ(c.alignment.after.place, 1);
  for (const Change& change : c.alignment.changes) {
    std::set<std::string> operators;
    for (const std::uint32_t r : change.rows) {
      const AlignedItem& row = c.alignment.rows[r];
      const Item& item = row.before != kNoItem ? c.before.items[row.before] : c.after.items[row.after];
      if (item.key.kind == ItemKind::kKernel) operators.insert(item.key.op);
    }
    EXPECT_LE(operators.size(), 1U) << "what one operator launches does not stand for another";
  }
  EXPECT_TRUE(is_empty(cautions(c))) << "all kernels are matched with those that replace them";
}

TEST(Align, GraphsByTheOrderOfTheirLaunch) {
  const Comparison c = compare(side_of({.graphs = {17, 4}}), side_of({.graphs = {3, 99}}));
  EXPECT_EQ(c.alignment.aligned(), 1);
  std::size_t graphs = 0;
  for (const AlignedItem& row : c.alignment.rows) {
    const Item& item = c.before.items[row.before];
    if (item.key.kind != ItemKind::kGraph) continue;
    ++graphs;
    EXPECT_EQ(row.match, Match::kSame);
    EXPECT_EQ(item.key.name, c.after.items[row.after].key.name);
  }
  EXPECT_EQ(graphs, 2U);
}

TEST(Compare, SaysWhatOnlyOneSideRecorded) {
  const Comparison c = compare(side_of({.operators = true}), side_of({}));
  EXPECT_TRUE(c.comparable);
  EXPECT_EQ(c.alignment.aligned(), 1) << "kernels are found by range and name";
  EXPECT_TRUE(one_contains(c.unlike, "has operators and operator inputs, so these are not compared"));
}

TEST(Compare, NamesTheKernelsThatMakeMostOfIt) {
  const std::string said = answer(compare(side_of({}), side_of({.flash = true})));
  EXPECT_TRUE(contains_all(said, {"replaced kernels", "3 kernels are now flash_fwd_kernel in forward"}));
  EXPECT_LE(said.size(), 180U);
}

TEST(Compare, AGraphInThePlaceOfLaunchesIsACause) {
  const Comparison c = compare(side_of({}), side_of({.layers = 0, .graphs = {3}}));
  EXPECT_TRUE(contains(answer(c), "CUDA graph: 2 launches instead of 16"));
  EXPECT_EQ(launches_of(c.after).graphs, 4);
}

TEST(Compare, TellsTheWaitThatIsGone) {
  const Comparison c = compare(side_of({}), side_of({.wait = false}));
  ASSERT_EQ(c.waits.size(), 1U);
  EXPECT_EQ(c.waits[0].before, 1);
  EXPECT_EQ(c.waits[0].after, 0);
  const auto idle =
      std::ranges::find_if(c.findings, [](const Finding& f) { return f.title == "idle after cudaStreamSynchronize"; });
  ASSERT_NE(idle, c.findings.end());
  ASSERT_FALSE(idle->why.empty());
  EXPECT_TRUE(contains(idle->why.front(), "cudaStreamSynchronize is gone (1 per step)"));
}

TEST(Compare, SaysFirstThatTheBatchIsAnother) {
  const Comparison c = compare(side_of({}), side_of({.matmul = 1500, .batch = 2}));
  EXPECT_FALSE(c.comparable);
  EXPECT_TRUE(starts_with(answer(c), "Not comparable: "));
  EXPECT_TRUE(contains(c.unlike.front(), "4.00 times fewer blocks"));
}

TEST(Compare, ProgramsThatShareOneKernelAndNoRangeAreNotComparable) {
  SideRun other = measured(MadeProgram{.vendor = "other_"});
  for (Item& item : other.items) {
    if (starts_with(item.traits.base, "other_adam")) item.traits.base = item.traits.base.substr(6);
  }
  EXPECT_TRUE(compare(side_of({}), side_of("ranges alike", {other})).comparable) << "all kernels may be replaced";
  for (Phase& phase : other.phases) phase.path = "other_" + phase.path;
  const Comparison c = compare(side_of({}), side_of("other", {other}));
  EXPECT_FALSE(c.comparable);
  EXPECT_TRUE(starts_with(c.unlike.front(), "no range in common"));
}

TEST(Compare, AnswersFitOneLine) {
  SideRun before = measured(MadeProgram{}), after = before;
  before.setup = {{"device", std::string(90, 'b')}};
  after.setup = {{"device", std::string(90, 'a')}};
  const std::string said = answer(compare(side_of("before", {before}), side_of("after", {after})));
  EXPECT_TRUE(starts_with(said, "Not comparable: other device: bbb"));
  EXPECT_EQ(said.size(), 180U);
}

TEST(Compare, OneRunASideSaysWhatItLacks) {
  const Comparison c = compare(side_of({}), side_of({.attention = 8000}));
  EXPECT_FALSE(c.step.half);
  EXPECT_TRUE(contains(answer(c), "one run a side"));
  EXPECT_TRUE(contains(lacks(c).front(), "at least 3 runs"));
}

// One slow first step moves the mean and not the step.
TEST(Compare, TheSpeedUpIsThatOfMedianSteps) {
  SideRun before = measured(MadeProgram{}), after = measured(MadeProgram{});
  before.step_times = {1000, 100, 100, 100};
  after.step_times = {50, 50, 900, 50};
  SideRun again = after;
  again.step_times = {200, 200, 200, 200};
  EXPECT_NEAR(compare(side_of("a", {before}), side_of("b", {after})).ratio, 0.5, 1e-12);
  const Comparison two = compare(side_of("a", {before, before}), side_of("b", {after, again}));
  EXPECT_NEAR(two.ratio, 1, 1e-12) << "the geometric mean of a half and of twice";
  EXPECT_DOUBLE_EQ(two.median_after, 100);
}

TEST(Compare, TellsRunsOfASideThatAreNotOfOneProgram) {
  const Side base = side_of("base", {measured(MadeProgram{}), measured(MadeProgram{})});
  const Side mixed = side_of("mixed", {measured(MadeProgram{}), measured(MadeProgram{.flash = true})});
  const std::string unlike = "not of one program";
  EXPECT_TRUE(one_contains(cautions(compare(base, mixed)), "The runs of mixed are " + unlike));
  EXPECT_FALSE(one_contains(cautions(compare(base, base)), unlike));
}

/// What is said of the cause of a slower optimizer, three runs a side.
std::string why_of_adam(const MadeProgram& before, const MadeProgram& after) {
  const auto three = [](const std::string& name, const MadeProgram& p) {
    return side_of(name, {measured(p), measured(p), measured(p)});
  };
  const Comparison c = compare(three("before", before), three("after", after));
  for (const Finding& f : c.findings) {
    if (f.title.starts_with("adam")) return f.why.empty() ? f.unknown : f.why.front();
  }
  return "no finding";
}

TEST(Why, BytesByCountersWhereBothSidesHaveThem) {
  EXPECT_EQ(why_of_adam({.adam_bytes = 1.5e6}, {.adam = 9000, .adam_bytes = 2.25e6}),
            "more bytes of DRAM per launch by counters: 1.500 MB to 2.250 MB");
  EXPECT_TRUE(contains(why_of_adam({.adam_bytes = 1.5e6}, {.adam = 9000, .adam_bytes = 1.51e6}), "counters are alike"));
  EXPECT_TRUE(contains(why_of_adam({.adam_bytes = 1.5e6}, {.adam = 9000}), "or counters with Nsight Compute"));
}

TEST(RunDesign, BlocksOfOneNameInTwoRecordingsAreNotOne) {
  const auto side = [](const std::string& recording) {
    std::vector<SideRun> runs{measured(MadeProgram{}), measured(MadeProgram{}), measured(MadeProgram{})};
    for (std::size_t r = 0; r < runs.size(); ++r) {
      runs[r].recording = recording;
      runs[r].block = "block_00" + std::to_string(r + 1);
    }
    return side_of(recording, std::move(runs));
  };
  const std::vector<double> values{1, 2, 3};
  EXPECT_TRUE(RunDesign(side("monday"), side("monday")).values_of(values, values).paired);
  EXPECT_FALSE(RunDesign(side("monday"), side("tuesday")).values_of(values, values).paired);
}

TEST(Page, HasEachTitleOnce) {
  const testing::Recorder out = written(compare(side_of({}), side_of({.flash = true})));
  const std::vector<std::string>& titles = out.table_of("sections")->column("title")->texts;
  for (const std::string title : {"Where the time went", "Largest differences of a step", "What to try"}) {
    const auto first = std::ranges::find(titles, title);
    ASSERT_NE(first, titles.end()) << title;
    const auto rest = std::find_if(first, titles.end(), [&](const std::string& t) { return t != title; });
    EXPECT_EQ(std::find(rest, titles.end(), title), titles.end()) << title;
  }
}

TEST(Tables, SumToTheDifference) {
  const Comparison c = compare(side_of({}), side_of({.flash = true, .wait = false}));
  const testing::Recorder out = written(c);
  const auto& rows = out.table_of("items")->column("difference_ns")->integers;
  EXPECT_EQ(std::accumulate(rows.begin(), rows.end(), c.accounts.rounding), c.accounts.step.difference);
  const auto& accounts = out.table_of("accounts")->column("a step")->numbers;
  EXPECT_EQ(std::accumulate(accounts.begin(), accounts.end() - 1, 0.0), accounts.back());
  EXPECT_EQ(accounts.back(), static_cast<double>(c.accounts.step.difference));
  EXPECT_EQ(out.plots.size(), 1U);
}

TEST(Accounts, RoundingIsARow) {
  const Side base =
      side_of("base", {measured(MadeProgram{.steps = 3}), measured(MadeProgram{.steps = 4, .attention = 4001})});
  const Side other =
      side_of("other", {measured(MadeProgram{.steps = 5, .attention = 4003}), measured(MadeProgram{.steps = 7})});
  const Comparison c = compare(base, other);
  std::int64_t rows = c.accounts.rounding;
  for (const StepAmount& row : c.accounts.rows) rows += row.difference;
  EXPECT_EQ(rows, c.accounts.step.difference);
  EXPECT_GE(c.accounts.rounding, 0);
}

TEST(Holm, SharesTheErrorAmongWhatIsStillOpen) {
  const std::vector<double> p{0.02, 0.001, 0.03, 0.9};
  EXPECT_EQ(significant_by_holm(p, 0.05), (std::vector<bool>{false, true, false, false}));
  const std::vector<double> q{0.01, 0.02, 0.03, 0.04};
  EXPECT_EQ(significant_by_holm(q, 0.05), (std::vector<bool>{true, false, false, false}));
}

TEST(Comparison, SaysWhatAStepIsOnEachSide) {
  SideRun before = measured(MadeProgram{}), after = before;
  before.step_source = "ranges";
  after.step_source = "whole capture";
  const Comparison c = compare(side_of("a", {before}), side_of("b", {after}));
  EXPECT_TRUE(one_contains(c.unlike, "a step is one of the ranges before and the whole capture after"));
}

TEST(Comparison, NamesFilesOnBothSidesAndFindsNoDifference) {
  SideRun run = measured(MadeProgram{});
  run.name = "a.sqlite";
  const Comparison c = compare(side_of("before", {run}), side_of("after", {run}));
  EXPECT_TRUE(starts_with(answer(c), "No difference ("));
  EXPECT_FALSE(contains_regex(answer(c), "nan|faster|slower|%"));
  EXPECT_TRUE(includes(cautions(c), "On both sides is a.sqlite: a profile does not differ from itself"));
  const testing::Recorder page = written(c);
  EXPECT_FALSE(one_contains(page.table_of("sections")->column("sentence")->texts, "nan"));
  EXPECT_TRUE(page.table_of("differences")->column("difference")->numbers.empty()) << "nothing is listed";
}

/// Requests of a server: a prefill and decodes, without a usual name for steps; host code of `data` ns in each decode.
SideRun served(std::int64_t requests, std::int64_t decodes, std::int64_t data) {
  testing::ReportBuilder b;
  std::int64_t host = 1000;
  const auto launch = [&] {
    const Row call = b.call(CallKind::kKernelLaunch, host, host + 100, 0, {.name = "cudaLaunchKernel"});
    b.kernel("gemm", host + 110, host + 610, {.call = call});
    host += 700;
  };
  for (std::int64_t r = 0; r < requests; ++r) {
    const std::int64_t begin = host;
    launch();
    b.range("prefill", begin, host);
    for (std::int64_t d = 0; d < decodes; ++d) {
      const std::int64_t decode = host;
      b.range("data", host, host + data);
      host += data;
      const std::int64_t log = host;
      launch();
      b.range("log", log, host);
      b.range("decode_" + std::to_string(d), decode, host);
    }
    b.range("job_" + std::to_string(r), begin, host);
    host += 50;
  }
  return measured(b.build());
}

TEST(Places, AreFoldedAndStepsAreThoseThatAreFound) {
  const SideRun run = served(4, 5, 3000);
  EXPECT_EQ(run.steps(), 4U);
  EXPECT_EQ(run.step_word, "job");
  EXPECT_EQ(wall_of(run), run.time);
  std::vector<std::string> phases;
  for (const Phase& phase : run.phases) phases.push_back(phase.path);
  ASSERT_EQ(phases, (std::vector<std::string>{"decode_{i}", "decode_{i}/data", "decode_{i}/log", "prefill"}));
  EXPECT_EQ(run.phases[0].times, std::vector<std::int64_t>(20, 3700));
  EXPECT_EQ(run.phases[0].gpu, 500);
  EXPECT_EQ(run.phases[1].launches, 0);
  std::set<std::string> paths;
  for (const Item& item : run.items) paths.insert(item.key.path);
  EXPECT_EQ(paths, (std::set<std::string>{"", "decode_{i}/data", "decode_{i}/log", "prefill"}));
}

TEST(Compare, RefusesCapturesOfUnequalLength) {
  const Comparison c = compare(side_of("before", {served(1, 2, 3000)}), side_of("after", {served(2, 1, 3000)}));
  EXPECT_FALSE(c.comparable);
  EXPECT_TRUE(starts_with(answer(c), "Not comparable: the captures hold 1 job_{i} before and 2 after ("));
  EXPECT_TRUE(compare(side_of("before", {served(2, 1, 3000)}), side_of("after", {served(2, 1, 300)})).comparable);
}

TEST(Phases, SayWhichOfThemChangedByAnotherFactorThanTheStep) {
  Comparison c = compare(side_of("before", {served(4, 5, 3000)}), side_of("after", {served(4, 5, 200)}));
  EXPECT_TRUE(c.phases[0].path == "decode_{i}" && c.phases[0].both());
  EXPECT_NEAR(c.phases[0].ratio(), 900.0 / 3700, 1e-9);
  EXPECT_NEAR(c.phases[0].before.share, 20 * 3700 / static_cast<double>(c.before.time), 1e-9);
  EXPECT_FALSE(c.phases[0].told) << "one run a side";
  const auto of_share = [&](double share) {
    for (PhaseChange& phase : c.phases) {
      if (phase.path == "prefill") phase.before.share = phase.after.share = share;
    }
    return phase_text(c.phases, c.ratio);
  };
  EXPECT_EQ(of_share(0.09), "") << "prefill takes less than a tenth";
  EXPECT_EQ(of_share(0.2), "decode_{i} 4.11x faster, prefill unchanged");
  for (PhaseChange& phase : c.phases) {
    phase.before.gpu = phase.is_outer() ? 600 : 0;
    phase.after.gpu = phase.path == "prefill" ? 600 : phase.is_outer() ? 300 : 0;
  }
  EXPECT_EQ(device_phase_text(c.phases, c.ratio), "on the GPU decode_{i} 2.00x faster, prefill 1.00x faster");
  for (PhaseChange& phase : c.phases) {
    if (!phase.is_outer()) continue;
    phase.before.plain = 200;
    phase.after.plain = 100;
    phase.before.plain_bounds = {150, 250};
    phase.after.plain_bounds = {90, phase.path == "prefill" ? 160.0 : 110.0};
  }
  EXPECT_EQ(phase_text(c.phases, c.ratio), "without a profiler decode_{i} 2.00x faster, prefill unchanged");
}

TEST(Phases, AreToldByTheRunsOfBothSidesAndOnlyWhereTheStepIs) {
  const auto runs = [](std::int64_t data) {
    std::vector<SideRun> all;
    for (const std::int64_t noise : {0, 10, 20}) all.push_back(served(4, 5, data + noise));
    return all;
  };
  const Comparison c = compare(side_of("before", runs(3000)), side_of("after", runs(200)));
  ASSERT_TRUE(c.step_told);
  for (const PhaseChange& phase : c.phases)
    EXPECT_EQ(phase.told, phase.path == "decode_{i}" || phase.path == "decode_{i}/data") << phase.path;
  const Comparison same = compare(side_of("before", runs(3000)), side_of("after", runs(3005)));
  EXPECT_FALSE(same.step_told);
  for (const PhaseChange& phase : same.phases) EXPECT_FALSE(phase.told) << phase.path;
}

// Host code that is gone is reported where it ran, not where the launch after it is.
TEST(Places, NameTheRangeAroundHostCode) {
  const Comparison c = compare(side_of("before", {served(4, 5, 3000)}), side_of("after", {served(4, 5, 200)}));
  ASSERT_FALSE(c.findings.empty());
  EXPECT_EQ(c.findings.front().place, "decode_{i}/data");
  EXPECT_EQ(c.findings.front().amount.difference, -5 * 2800);
  EXPECT_TRUE(contains(answer(c), " us a job; "));
}

/// One kernel launched in ranges that lie in each other, as deep as a hostile file likes.
SideRun nested(std::size_t ranges, const std::string& name) {
  testing::ReportBuilder b;
  const auto depth = static_cast<std::int64_t>(ranges);
  for (std::int64_t d = 0; d < depth; ++d) b.range(name + static_cast<char>('a' + d % 26), d, 3 * depth - d);
  const Row call = b.call(CallKind::kKernelLaunch, depth + 1, depth + 2, 0, {.name = "cudaLaunchKernel"});
  b.kernel("k", depth + 3, depth + 4, {.call = call});
  return measured(b.build());
}

TEST(LaunchPlaces, NameTheEndsOfAPathOfAnyDepth) {
  constexpr std::size_t kDeep = 20'000;  // the builder looks for each range's parent among all
  const SideRun run = nested(kDeep, "r");
  ASSERT_FALSE(run.items.empty());
  const auto kernel = std::ranges::find(run.items, ItemKind::kKernel, [](const Item& i) { return i.key.kind; });
  ASSERT_NE(kernel, run.items.end());
  EXPECT_TRUE(starts_with(kernel->key.path, "ra/rb/rc/"));
  EXPECT_TRUE(contains(kernel->key.path, "/rf/(19936 more)/ra/"));
  EXPECT_TRUE(ends_with(kernel->key.path, "/re/rf"));
  const auto out = written(compare(side_of("a", {run}), side_of("b", {run})));
  for (const std::string& path : out.table_of("items")->column("path")->texts) EXPECT_LT(path.size(), 1000U);
}

}  // namespace assay::difference::test::difference_test
