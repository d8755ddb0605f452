// Broken plugins beside a good one, through analyze and conclude over real files; and what does not depend on threads.
#include <mutex>
#include <set>
#include <thread>

#include "load/load.hpp"
#include "loader/fixtures.hpp"
#include "support/test.hpp"

namespace assay::misbehaviour_test {

using fixture::A;
using fixture::World;

/// Three reports of one, two and three kernels.
class Company : public ::testing::Test {
 protected:
  void SetUp() override {
    for (std::int64_t n = 1; n <= 3; ++n) {
      std::vector<std::pair<std::int64_t, std::int64_t>> kernels;
      for (std::int64_t k = 0; k < n; ++k) kernels.emplace_back(1000 * k + 100, 1000 * k + 100 + 10 * n);
      fixture::write_export(file(n), kernels);
    }
  }
  [[nodiscard]] fs::path file(std::int64_t n) const { return folder_.path() / ("r" + std::to_string(n) + ".sqlite"); }
  void add_reports(World& world) const {
    for (std::int64_t n = 1; n <= 3; ++n) world.add_report("r" + std::to_string(n) + ".sqlite", file(n));
  }
  TempFolder folder_;
};

/// Facts of the good plugin, as text.
std::string good_facts(const World& world, const QuestionResult& result) {
  std::string text;
  const auto add = [&](const Fact& fact) {
    if (!fact.metric.starts_with("good.")) return;
    text += fact.metric + "[" + fact.dims + "]=" + std::to_string(fact.value) + " n=" + std::to_string(fact.n()) + "\n";
  };
  for (const ReportResult& report : world.results) {
    for (const Fact& fact : report.facts) add(fact);
    text += "--\n";
  }
  for (const Fact& fact : result.study_facts) add(fact);
  for (const OwnedFinding& finding : result.findings) {
    if (finding.analyzer == "good") text += finding.text + " " + std::to_string(finding.evidence.size()) + "\n";
  }
  return text;
}

TEST_F(Company, AGoodPluginAlone) {
  const auto good = require(Plugin::open(fixture::test_plugin("good")));
  World world;
  add_reports(world);
  world.enable(**good);
  EXPECT_FALSE(world.analyze().interrupted);
  const QuestionResult result = world.conclude();
  // 1 kernel of 10 ns, 2 of 20 ns, 3 of 30 ns.
  EXPECT_EQ(good_facts(world, result),
            "good.kernel_count[]=1.000000 n=1\ngood.kernel_time_ns[of=all]=10.000000 n=1\n--\n"
            "good.kernel_count[]=2.000000 n=1\ngood.kernel_time_ns[of=all]=40.000000 n=2\n--\n"
            "good.kernel_count[]=3.000000 n=1\ngood.kernel_time_ns[of=all]=90.000000 n=3\n--\n"
            "good.total_ns[]=140.000000 n=1\n"
            "The kernels of all reports take 140.000000 ns. 3\n");
  for (const Skip& skip : result.skips) ADD_FAILURE() << skip.analyzer << ": " << skip.reason;
}

struct Bad {
  const char* name;
  const char* reason;
  std::size_t skips;        ///< failed rows
  bool keeps_report_facts;  ///< a failed conclude does not take back what analyze gave
  friend void PrintTo(const Bad& bad, std::ostream* to) { *to << bad.name; }
};

class BadCompany : public Company, public ::testing::WithParamInterface<Bad> {};

TEST_P(BadCompany, ReportsItsProblemAndLeavesOthersUnchanged) {
  const auto good = Plugin::open(fixture::test_plugin("good"));
  const auto bad = Plugin::open(fixture::test_plugin(GetParam().name));
  ASSERT_TRUE(good.ok() && bad.ok());
  World alone;
  add_reports(alone);
  alone.enable(**good);
  alone.analyze();
  const std::string expected = good_facts(alone, alone.conclude());

  World together;
  add_reports(together);
  together.enable(**bad);  // before the good one, so that it has its chance to spoil
  together.enable(**good);
  together.analyze(2);
  const QuestionResult result = together.conclude();
  EXPECT_EQ(good_facts(together, result), expected);

  std::size_t failed = 0;
  for (const Skip& skip : result.skips) {
    if (skip.hint) continue;
    EXPECT_EQ(skip.analyzer, GetParam().name) << skip.reason;
    EXPECT_TRUE(contains(skip.reason, GetParam().reason));
    EXPECT_TRUE(skip.failed);
    ++failed;
  }
  EXPECT_EQ(failed, GetParam().skips);
  for (const ReportResult& report : together.results) {
    const bool has = std::any_of(report.facts.begin(), report.facts.end(), [](const Fact& fact) {
      return fact.metric == std::string(GetParam().name) + ".value";
    });
    EXPECT_EQ(has, GetParam().keeps_report_facts);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Plugins, BadCompany,
    ::testing::Values(
        Bad{"throwing_constructor", "its constructor failed: no licence", 1, false},
        Bad{"throwing_analyze", "analyze failed: lost the thread", 3, false},
        Bad{"throwing_int", "analyze failed: threw something that is not a std::exception", 3, false},
        Bad{"throwing_conclude", "conclude failed: no conclusion", 1, true},
        Bad{"undeclared_metric", "analyze failed: the fact 'never.declared' was not declared", 3, false},
        Bad{"nan_fact", "analyze failed: the fact 'nan_fact.study_value' has a value or sample that is not", 3, false},
        Bad{"duplicate_fact", "analyze failed: the fact 'duplicate_fact.value' was emitted twice", 3, false},
        Bad{"swallowing", "analyze failed: the fact 'never.declared' was not declared", 3, false},
        Bad{"duplicate_in_conclude",
            "conclude failed: the fact 'duplicate_in_conclude.value' was emitted twice for 'r1.sqlite'", 1, true}),
    [](const auto& named) { return std::string(named.param.name); });

TEST_F(Company, ResultsDoNotDependOnJobs) {
  const auto good = Plugin::open(fixture::test_plugin("good"));
  const auto bad = Plugin::open(fixture::test_plugin("throwing_analyze"));
  ASSERT_TRUE(good.ok() && bad.ok());
  std::string first;
  for (const unsigned jobs : {1U, 2U, 8U}) {
    World world;
    for (int copy = 0; copy < 8; ++copy) {
      for (std::int64_t n = 1; n <= 3; ++n) world.add_report(std::to_string(copy) + "_" + std::to_string(n), file(n));
    }
    world.enable(**good);
    world.enable(**bad);
    world.analyze(jobs);
    std::string text;
    for (const ReportResult& result : world.results) text += fixture::text_of_result(result);
    if (first.empty()) first = text;
    EXPECT_EQ(text, first) << "with " << jobs << " jobs";
  }
}

TEST_F(Company, AFileThatCannotBeReadIsARowAndTheOthersAreRead) {
  const auto good = require(Plugin::open(fixture::test_plugin("good")));
  const fs::path damaged = folder_.path() / "damaged.sqlite";
  fs::copy_file(file(3), damaged);
  fs::resize_file(damaged, 100);
  World world;
  world.add_report("a_damaged.sqlite", damaged);
  world.add_report("b_refused.sqlite", file(1));
  world.catalog.files[1].kind = FileKind::kUnreadable;
  world.catalog.files[1].problem = "is a directory";
  add_reports(world);
  world.enable(**good);
  world.analyze(2);
  for (std::size_t i : {0U, 1U}) {
    EXPECT_FALSE(world.results[i].loaded);
    ASSERT_EQ(world.results[i].skips.size(), 1U);
    EXPECT_TRUE(world.results[i].skips[0].failed);
    EXPECT_EQ(world.results[i].skips[0].analyzer, "");
    EXPECT_EQ(world.results[i].skips[0].report, world.catalog.files[i].name);
  }
  EXPECT_EQ(world.results[1].skips[0].reason, "is a directory");
  EXPECT_EQ(world.results[4].facts.at(0).value, 3);
  EXPECT_TRUE(equals(world.conclude().completeness.unreadable, {"a_damaged.sqlite", "b_refused.sqlite"}));
}

TEST_F(Company, AMissingWindowIsALackAndNotAFailure) {
  const auto good = require(Plugin::open(fixture::test_plugin("good")));
  World world;
  add_reports(world);
  world.enable(**good);
  world.question.window.nvtx = "no such range";
  world.plan.wanted.insert(col::ranges);
  world.analyze();
  for (const ReportResult& result : world.results) {
    EXPECT_FALSE(result.loaded);
    EXPECT_TRUE(result.lacking);
    ASSERT_EQ(result.skips.size(), 1U);
    EXPECT_TRUE(contains(result.skips[0].reason, "no such range"));
    EXPECT_FALSE(result.skips[0].failed);
  }
  const Completeness completeness = world.conclude().completeness;
  EXPECT_EQ(completeness.lacking.size(), 3U);
  EXPECT_TRUE(completeness.unreadable.empty());
}

TEST_F(Company, AnalyzersOfTheOnlyProfileRunAtOnceAndProgress) {
  const auto good = require(Plugin::open(fixture::test_plugin("good")));
  const auto thrower = require(Plugin::open(fixture::test_plugin("throwing_analyze")));
  std::string one_thread;
  for (const unsigned jobs : {1U, 8U}) {
    World world;
    world.add_report("r2.sqlite", file(2));
    world.enable(**thrower);
    world.enable(**good);
    std::vector<Analyzers> analyzers;
    analyzers.push_back(Analyzers::make(world.plan.questions[0]));
    const std::atomic<bool> stop{false};
    std::mutex mutex;
    std::multiset<std::pair<std::size_t, std::string>> seen;
    const Progress progress = [&](std::size_t done, std::size_t all, const std::string& what) {
      const std::scoped_lock lock(mutex);
      EXPECT_EQ(all, what == "analyzers" ? 2U : 1U);
      seen.emplace(done, what);
    };
    Analysis analysis = analyze(world.plan, world.catalog, analyzers, stop, {.jobs = jobs, .progress = progress});
    EXPECT_EQ(seen, (std::multiset<std::pair<std::size_t, std::string>>{
                        {1, "analyzers"}, {1, "profiles"}, {2, "analyzers"}}));
    std::string facts;
    for (const Fact& fact : analysis.questions[0][0].facts)
      facts += fact.metric + " " + std::to_string(fact.value) + "; ";
    EXPECT_TRUE(contains(facts, "good.kernel_time_ns 40.000000"));
    EXPECT_EQ(analysis.questions[0][0].skips.size(), 1U);
    if (jobs == 1) one_thread = facts;
    EXPECT_EQ(facts, one_thread);
  }
}

TEST_F(Company, AnInterruptedRunSaysWhatWasNotRead) {
  const auto good = require(Plugin::open(fixture::test_plugin("good")));
  World world;
  add_reports(world);
  world.enable(**good);
  std::vector<Analyzers> analyzers;
  analyzers.push_back(Analyzers::make(world.plan.questions[0]));
  std::atomic<bool> stop{false};
  const Progress stop_after_first = [&](std::size_t done, std::size_t all, const std::string& what) {
    EXPECT_EQ(what, "profiles");
    EXPECT_EQ(done, 1U);
    EXPECT_EQ(all, 3U);
    stop = true;
  };
  const Analysis analysis =
      analyze(world.plan, world.catalog, analyzers, stop, {.jobs = 1, .progress = stop_after_first});
  EXPECT_TRUE(analysis.interrupted);
  std::size_t loaded = 0;
  for (const ReportResult& result : analysis.questions[0]) {
    loaded += result.loaded ? 1 : 0;
    if (!result.loaded) {
      EXPECT_TRUE(contains(result.skips.at(0).reason, "interrupted"));
    }
  }
  EXPECT_EQ(loaded, 1U);
}

/// Two questions over the same files that differ in what the test says.
class TwoQuestions : public Company {
 protected:
  void SetUp() override {
    Company::SetUp();
    A::on_analyze = [this](const Report& report, ReportSink& sink) {
      {
        const std::lock_guard lock(mutex_);
        ++calls_[std::string(report.path)];
      }
      sink.fact("a.time", static_cast<double>(report.kernels->rows));
    };
    add_reports(world_);
    const Plugin& plugin = world_.add_linked(fixture::kA);
    second_ = world_.question;
    world_.plan.questions.push_back({&second_, {}, {}, nullptr});
    world_.plan.questions[1].analyzers.push_back({&plugin, OptionSet({}), {}});
    world_.catalog.questions.push_back(world_.catalog.questions[0]);
  }
  void TearDown() override { A::reset(); }
  Analysis run() {
    std::vector<Analyzers> analyzers;
    for (const PlannedQuestion& question : world_.plan.questions) analyzers.push_back(Analyzers::make(question));
    const std::atomic<bool> stop{false};
    return analyze(world_.plan, world_.catalog, analyzers, stop, {.jobs = 2});
  }
  World world_;
  Question second_;
  std::mutex mutex_;
  std::map<std::string, int> calls_;
};

TEST_F(TwoQuestions, ShareEqualWork) {
  const Analysis analysis = run();
  ASSERT_EQ(calls_.size(), 3U);
  for (const auto& [path, calls] : calls_) EXPECT_EQ(calls, 1) << path;
  for (std::size_t e = 0; e < 3; ++e) {
    EXPECT_EQ(fixture::text_of_result(analysis.questions[0][e]), fixture::text_of_result(analysis.questions[1][e]));
    EXPECT_EQ(analysis.questions[1][e].facts.at(0).value, static_cast<double>(e + 1));
  }
}

TEST_F(TwoQuestions, DoNotShareOverAnotherWindow) {
  second_.window.mode = WindowMode::kHost;
  run();
  for (const auto& [path, calls] : calls_) EXPECT_EQ(calls, 2) << path;
}

TEST_F(TwoQuestions, DoNotShareOverOtherOptions) {
  std::vector<OptionSet::Entry> entries;
  entries.push_back({"axis", OptionType::kText, false, std::string("dim")});
  const Plugin* plugin = world_.plan.questions[1].analyzers[0].plugin;
  world_.plan.questions[1].analyzers.clear();
  world_.plan.questions[1].analyzers.push_back({plugin, OptionSet(std::move(entries)), {}});
  run();
  for (const auto& [path, calls] : calls_) EXPECT_EQ(calls, 2) << path;
}

TEST_F(TwoQuestions, AFileOfOneQuestionOnlyIsLeftAloneByTheOther) {
  world_.catalog.questions[1].entries.erase(world_.catalog.questions[1].entries.begin());
  const Analysis analysis = run();
  ASSERT_EQ(analysis.questions[1].size(), 2U);
  EXPECT_EQ(analysis.questions[1][0].facts.at(0).value, 2);
}

TEST_F(Company, NoMoreReportsAreInMemoryThanJobs) {
  std::atomic<int> now{0}, most{0};
  std::set<std::thread::id> threads;
  std::mutex mutex;
  A::on_analyze = [&](const Report&, ReportSink&) {
    const int inside = ++now;
    int seen = most.load();
    while (inside > seen && !most.compare_exchange_weak(seen, inside)) {
    }
    {
      const std::lock_guard lock(mutex);
      threads.insert(std::this_thread::get_id());
    }
    --now;
  };
  World world;
  for (int i = 0; i < 40; ++i) world.add_report(std::to_string(i), file(1 + i % 3));
  world.add_linked(fixture::kA);
  world.analyze(3);
  A::reset();
  EXPECT_LE(most.load(), 3);
  EXPECT_LE(threads.size(), 3U);
}

TEST(Examples, TheGoodPluginCountsKernelsOfRealReports) {
  ASSAY_REAL_FOLDER(examples, "examples");
  const auto good = require(Plugin::open(fixture::test_plugin("good")));
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(fs::path(examples) / "rq1_model_architecture_impact")) {
    if (entry.path().extension() == ".sqlite") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  ASSERT_FALSE(files.empty());
  World world;
  for (const fs::path& file : files) world.add_report(file.filename().string(), file);
  world.enable(**good);
  world.analyze(2);
  for (const ReportResult& result : world.results) {
    ASSERT_TRUE(result.loaded);
    ASSERT_EQ(result.facts.size(), 2U);
    EXPECT_GT(result.facts[0].value, 0);
    EXPECT_EQ(result.facts[0].value, static_cast<double>(result.facts[1].n()));
  }
}

}  // namespace assay::misbehaviour_test
