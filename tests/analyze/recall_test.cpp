// When analyzers are asked and when what they gave is remembered, told by counting how often they are called.
#include <fcntl.h>
#include <sys/stat.h>

#include "analyze/result_cache.hpp"
#include "loader/fixtures.hpp"
#include "support/test.hpp"

namespace assay::recall_test {

using namespace assay::testing;
using fixture::A;
using fixture::B;
using fixture::World;

class Recall : public ::testing::Test {
 protected:
  Recall() {
    A::reset();
    B::reset();
    A::on_analyze = [this](const Report& report, ReportSink& sink) {
      ++asked_;
      double time = 0;
      for (std::size_t i = 0; i < report.kernels->rows; ++i) {
        time += static_cast<double>(report.kernels->end[i] - report.kernels->start[i]);
      }
      sink.fact("a.time", time, std::vector<double>{time, 1.0});
      sink.attribute("a.print", report.path.view());
      sink.skip("a.share", "nobody knows");
      sink.emit_issue("odd", Severity::kWarning, 1, "Odd.");
      sink.note("a note");
    };
    B::on_analyze = [this](const Report&, ReportSink& sink) {
      ++asked_b_;
      sink.fact("b.time", 1);
    };
    fixture::write_export(report(), {{0, 10}, {20, 50}});
    world_.add_linked(fixture::kA);
    world_.add_report("one.sqlite", report());
  }
  ~Recall() override {
    A::reset();
    B::reset();
  }
  Recall(const Recall&) = delete;
  Recall& operator=(const Recall&) = delete;

  [[nodiscard]] fs::path report() const { return scratch_ / "one.sqlite"; }

  /// One run of the program over `world_`; how often A was asked in it.
  int run() {
    cache::Store store(scratch_ / "cache");
    const auto cache = ResultCache::make(store, world_.plan, Plugins{});
    EXPECT_TRUE(cache.has_value());
    std::vector<Analyzers> analyzers;
    for (const PlannedQuestion& question : world_.plan.questions) analyzers.push_back(Analyzers::make(question));
    const int before = asked_;
    analysis_ = analyze(world_.plan, world_.catalog, analyzers, stop_, {.jobs = 2, .cache = &*cache});
    return asked_ - before;
  }
  void set_options(const std::vector<OptionSet::Entry>& entries) {
    std::vector<PlannedAnalyzer>& analyzers = world_.plan.questions[0].analyzers;
    const Plugin* plugin = analyzers[0].plugin;
    analyzers.clear();
    analyzers.push_back({plugin, OptionSet(entries), {}});
  }
  [[nodiscard]] std::string text() const { return fixture::text_of_result(analysis_.questions[0][0]); }

  /// Other bytes in the report, of the same number and, as far as the system tells, of the same time.
  void change_report_unseen() const {
    const fs::path other = scratch_ / "other.sqlite";
    fixture::write_export(other, {{0, 10}, {20, 51}});
    ASSERT_EQ(fs::file_size(other), fs::file_size(report()));
    struct stat s{};
    ASSERT_EQ(stat(report().c_str(), &s), 0);
    std::ofstream(report(), std::ios::binary) << assay::testing::read_text(other);
    const timespec times[2] = {s.st_atim, s.st_mtim};
    ASSERT_EQ(utimensat(AT_FDCWD, report().c_str(), times, 0), 0);
  }

  TempFolder scratch_;
  World world_;
  Analysis analysis_;
  int asked_ = 0, asked_b_ = 0;
  const std::atomic<bool> stop_{false};
};

TEST_F(Recall, AnUnchangedReportIsNeitherReadNorAnalyzedAgain) {
  EXPECT_EQ(run(), 1);
  EXPECT_EQ(analysis_.recalled, 0U);
  const std::string first = text();
  EXPECT_TRUE(contains(first, "fact a.time"));
  EXPECT_EQ(run(), 0);
  EXPECT_EQ(analysis_.recalled, 1U);
  EXPECT_EQ(text(), first);
}

TEST_F(Recall, OtherBytesOfTheSameSizeAndTimeAreAnalyzed) {
  run();
  const std::string first = text();
  change_report_unseen();
  EXPECT_EQ(run(), 1);
  EXPECT_NE(text(), first);
}

TEST_F(Recall, AnotherNameIsAnotherReport) {
  run();
  world_.catalog.files[0].name = "renamed.sqlite";
  EXPECT_EQ(run(), 1) << "the analyzer saw the name";
  EXPECT_TRUE(contains(text(), "renamed.sqlite"));
}

TEST_F(Recall, AnotherOptionWindowOrIterationIsAnotherResult) {
  run();
  std::vector<OptionSet::Entry> entries;
  entries.push_back({"share", OptionType::kNumber, true, 0.5});
  set_options(entries);
  EXPECT_EQ(run(), 1) << "an option";
  entries[0].value = std::nextafter(0.5, 1.0);
  set_options(entries);
  EXPECT_EQ(run(), 1) << "the last bit of its value";
  entries[0].given = false;
  set_options(entries);
  EXPECT_EQ(run(), 1) << "whether it was given";
  world_.question.window = {"absent", WindowMode::kProjected, true};
  EXPECT_EQ(run(), 1) << "the window";
  world_.question.window.mode = WindowMode::kHost;
  EXPECT_EQ(run(), 1) << "its mode";
  world_.question.iterations = std::string("step_{i}");
  EXPECT_EQ(run(), 1) << "the iterations";
  EXPECT_EQ(run(), 0) << "and all of that is remembered";
}

TEST_F(Recall, OtherColumnsReadAreAnotherResult) {
  run();
  world_.plan.wanted.insert(col::calls);
  EXPECT_EQ(run(), 1) << "analyzers see all that was read";
}

TEST_F(Recall, OnlyTheAnalyzerThatIsNewIsAsked) {
  run();
  world_.add_linked(fixture::kB);
  EXPECT_EQ(run(), 0);
  EXPECT_EQ(asked_b_, 1);
  EXPECT_EQ(analysis_.recalled, 0U) << "the report was read for it";
  EXPECT_TRUE(contains_all(text(), {"fact a.time", "fact b.time"}));
}

TEST_F(Recall, AJoinedFileThatChangesChangesTheReport) {
  const std::vector<fs::path> joined = {scratch_ / "one.csv"};
  write_text(joined[0], "metrics");
  cache::Store store(scratch_ / "cache");
  const auto cache = ResultCache::make(store, world_.plan, Plugins{});
  const auto found = [&](std::span<const fs::path> files) {
    return RememberedReport(&*cache, world_.catalog.files[0], files).view(world_.question).has_value();
  };
  RememberedReport report(&*cache, world_.catalog.files[0], joined);
  report.remember(world_.question, ViewIssues{});
  report.keep();
  EXPECT_TRUE(found(joined));
  EXPECT_FALSE(found({})) << "without it";
  write_text(joined[0], "Metrics");
  EXPECT_FALSE(found(joined)) << "other bytes";
}

TEST_F(Recall, AReportThatChangesWhileItIsAnalyzedIsNotRemembered) {
  const auto ask = A::on_analyze;
  A::on_analyze = [&](const Report& seen, ReportSink& sink) {
    ask(seen, sink);
    change_report_unseen();
  };
  run();
  EXPECT_TRUE(!fs::exists(scratch_ / "cache") || files_below(scratch_ / "cache").empty());
  A::on_analyze = ask;
  EXPECT_EQ(run(), 1);
}

TEST_F(Recall, FailuresAreNotRemembered) {
  A::on_analyze = [this](const Report&, ReportSink&) {
    ++asked_;
    throw std::runtime_error("lost the thread");
  };
  EXPECT_EQ(run(), 1);
  EXPECT_EQ(run(), 1);
  EXPECT_TRUE(contains(text(), "lost the thread"));
}

TEST_F(Recall, AMissingWindowIsRemembered) {
  world_.question.window = {"absent", WindowMode::kProjected, false};
  EXPECT_EQ(run(), 0);
  const std::string first = text();
  EXPECT_EQ(run(), 0);
  EXPECT_EQ(analysis_.recalled, 1U);
  EXPECT_EQ(text(), first);
  EXPECT_FALSE(analysis_.questions[0][0].loaded);
}

TEST_F(Recall, AnUnreadableReportIsTriedEveryTime) {
  write_text(report(), "no database");
  EXPECT_EQ(run(), 0);
  const std::string first = text();
  EXPECT_EQ(run(), 0);
  EXPECT_EQ(analysis_.recalled, 0U);
  EXPECT_EQ(text(), first);
}

TEST_F(Recall, ADamagedEntryIsAnalyzedAgainAndReplaced) {
  run();
  const std::string first = text();
  const auto names = files_below(scratch_ / "cache");
  ASSERT_EQ(names.size(), 2U) << "the view and the analyzer";
  for (const std::string& name : names) {
    const std::string whole = assay::testing::read_text(scratch_ / "cache" / name);
    for (const std::string& damaged :
         {std::string(), whole.substr(0, whole.size() / 2), std::string(whole.size(), 'x')}) {
      write_text(scratch_ / "cache" / name, damaged);
      run();
      EXPECT_EQ(analysis_.recalled, 0U);
      EXPECT_EQ(text(), first);
      EXPECT_EQ(run(), 0) << "whole again";
      EXPECT_EQ(analysis_.recalled, 1U);
    }
  }
}

TEST_F(Recall, QuestionsThatShareWorkShareWhatIsRemembered) {
  Question other = world_.question;
  other.id = "other";
  world_.plan.questions.push_back({&other, {}, {}, nullptr});
  world_.plan.questions[1].analyzers.push_back({world_.plan.questions[0].analyzers[0].plugin, OptionSet({}), {}});
  world_.catalog.questions.push_back(world_.catalog.questions[0]);
  EXPECT_EQ(run(), 1);
  const std::string first = text();
  EXPECT_EQ(run(), 0);
  EXPECT_EQ(text(), first);
  EXPECT_EQ(fixture::text_of_result(analysis_.questions[1][0]), first);
}

}  // namespace assay::recall_test
