// The host of `gather`: which rows of which ranks it sees, what a failure costs, what is remembered, and how many
// reports are loaded at a time.
#include "conclude/gather.hpp"

#include <mutex>

#include "analyze/masked_report.hpp"
#include "analyze/result_cache.hpp"
#include "assay/job.hpp"
#include "cache/store.hpp"
#include "loader/fixtures.hpp"
#include "support/test.hpp"

namespace assay::gather_test {

/// An analyzer that hands on what the test says; `N` tells two apart.
template <int N>
struct Gatherer {
  static constexpr std::string_view kSummary = "Hands on and gathers what the test says.";
  static constexpr ColumnId kWants[] = {col::kernels};
  static constexpr MetricSpec kProduces[] = {
      {N == 0 ? "g.sum" : "h.sum", "1", Polarity::kNeutral, "Sum."},
      {N == 0 ? "g.kernels" : "h.kernels", "1", Polarity::kNeutral, "Kernels."},
  };
  static inline std::function<void(const Report&, ReportSink&)> on_analyze;
  static inline std::function<void(const Job&, JobSink&)> on_gather;

  explicit Gatherer(const Options&) {}
  void analyze(const Report& report, ReportSink& sink) const { on_analyze(report, sink); }
  void gather(const Job& job, JobSink& sink) const { on_gather(job, sink); }
};
using G = Gatherer<0>;
using H = Gatherer<1>;
constexpr Descriptor kG = detail::describe<G>("g", "1.0.0");
constexpr Descriptor kH = detail::describe<H>("h", "1.0.0");

/// A row with the kernels of the report.
void emit_kernels(const Report& report, ReportSink& sink) {
  Table table("kernels", "kernels");
  table.add("count", "1", std::vector<std::int64_t>{static_cast<std::int64_t>(report.kernels->rows)});
  sink.rank_rows(table);
}

/// "rank path count" of each rank of a job, as gather sees them.
std::vector<std::string> seen_of(const Job& job) {
  const JobView view(job);
  std::vector<std::string> out;
  for (std::size_t r = 0; r < view.rank_count(); ++r) {
    const auto counts = view.integers(r, "kernels", "count");
    out.push_back(std::to_string(view.rank(r).value_or(-1)) + " " + std::string(view.path(r)) + " " +
                  (counts.empty() ? "none" : std::to_string(counts[0])));
  }
  return out;
}

class Gathering : public ::testing::Test {
 protected:
  Gathering() {
    G::on_analyze = H::on_analyze = emit_kernels;
    G::on_gather = [this](const Job& job, JobSink& sink) {
      const std::lock_guard lock(mutex_);
      ++gathered_;
      seen_.push_back(seen_of(job));
      double sum = 0;
      for (std::size_t r = 0; r < JobView(job).rank_count(); ++r) {
        const auto counts = JobView(job).integers(r, "kernels", "count");
        if (!counts.empty()) {
          sum += static_cast<double>(counts[0]);
          sink.fact(static_cast<Row>(r), "g.kernels", sum);
        }
      }
      sink.fact(kNone, "g.sum", sum);
    };
    H::on_gather = [](const Job&, JobSink& sink) { sink.fact(kNone, "h.sum", 1); };
    world_.add_linked(kG);
  }

  /// A report of a rank with so many kernels.
  void add_rank(const std::string& name, std::int64_t rank, std::int64_t world, int kernels) {
    std::vector<std::pair<std::int64_t, std::int64_t>> spans;
    for (int k = 0; k < kernels; ++k) spans.emplace_back(100 * k + 10, 100 * k + 50);
    const auto file = folder_.path() / name;
    fixture::write_export(file, spans);
    world_.add_report(name, file);
    world_.catalog.questions.front().entries.back().labels.clear();  // equal in all that tells runs apart
    world_.catalog.files.back().environment = {{"rank", std::to_string(rank)}, {"world_size", std::to_string(world)}};
  }

  /// Both stages; what they gave, as text.
  std::string run(unsigned jobs = 1, const ResultCache* cache = nullptr) {
    std::vector<Analyzers> analyzers;
    analyzers.push_back(Analyzers::make(world_.plan.questions.front()));
    analysis_ = analyze(world_.plan, world_.catalog, analyzers, stop_, {.jobs = jobs});
    gather({world_.plan.questions.front(), world_.catalog, world_.catalog.questions.front(), reports()},
           analyzers.front(), {.jobs = jobs, .cache = cache});
    std::string text;
    for (const ReportResult& report : reports()) text += fixture::text_of_result(report) + "\n";
    return text;
  }
  std::vector<ReportResult>& reports() { return analysis_.questions.front(); }
  [[nodiscard]] std::optional<double> value(std::size_t report, std::string_view metric) {
    for (const Fact& fact : reports()[report].facts) {
      if (fact.metric == metric) return fact.value;
    }
    return std::nullopt;
  }

  TempFolder folder_;
  fixture::World world_;
  Analysis analysis_;
  std::atomic<bool> stop_{false};
  std::mutex mutex_;
  int gathered_ = 0;
  std::vector<std::vector<std::string>> seen_;
};

TEST_F(Gathering, SeesTheRowsOfAllRanksByRankAndNotByName) {
  add_rank("a.sqlite", 2, 3, 5);
  add_rank("b.sqlite", 0, 3, 1);
  add_rank("c.sqlite", 1, 3, 2);
  run();
  ASSERT_EQ(seen_.size(), 1U);
  EXPECT_TRUE(equals(seen_[0], {"0 b.sqlite 1", "1 c.sqlite 2", "2 a.sqlite 5"}));
  EXPECT_EQ(value(1, "g.sum"), 8) << "what is of the job stands with its first rank";
  EXPECT_EQ(value(0, "g.sum"), std::nullopt);
  EXPECT_EQ(value(0, "g.kernels"), 8) << "what is of a rank, with that";
  EXPECT_TRUE(reports()[0].rank_rows.empty()) << "rows go when they have been gathered";
}

/// Of two profiles that are named rank 0 and 1: the names and texts of their issues by what each says of itself.
class GatheringNames : public Gathering {
 protected:
  std::vector<std::string> issues_of(const std::array<std::int64_t, 2>& own) {
    LabelSpec rank;
    rank.name = "rank";
    rank.type = LabelType::kInteger;
    rank.descriptive = true;
    rank.rank = true;
    world_.question.labels.labels.push_back(rank);
    const std::size_t label = world_.question.labels.labels.size() - 1;
    for (std::size_t named = 0; named < own.size(); ++named) {
      add_rank("a_rank" + std::to_string(named) + ".sqlite", own[named], 2, 1);
      world_.catalog.questions.front().entries.back().labels = {
          {label, std::to_string(named), static_cast<double>(named), LabelOrigin::kName}};
    }
    run();
    EXPECT_EQ(gathered_, 0);
    std::vector<std::string> issues;
    for (const ReportResult& report : reports()) {
      for (const OwnedIssue& issue : report.issues) issues.push_back(issue.name + ": " + issue.text);
    }
    return issues;
  }
};

TEST_F(GatheringNames, ReportOnlyContradictionsOfTheirFiles) {
  const std::vector<std::string> issues = issues_of({1, 0});
  EXPECT_TRUE(one_contains(issues, "rank_conflict: 'a_rank1.sqlite' is named rank 1 but records that it is rank 0"));
  EXPECT_TRUE(one_contains(issues, "'a_rank0.sqlite'"));
}

TEST_F(GatheringNames, ReportARankThatOccursTwice) {
  EXPECT_TRUE(one_contains(issues_of({0, 0}), "rank_conflict: 'a_rank1.sqlite'"));
}

TEST_F(Gathering, GivesTheSameForAnyNumberOfThreads) {
  for (std::int64_t rank = 0; rank < 8; ++rank)
    add_rank("r" + std::to_string(9 - rank) + ".sqlite", rank, 8, static_cast<int>(rank + 1));
  const std::string one = run(1);
  EXPECT_EQ(run(2), one);
  EXPECT_EQ(run(7), one);
}

TEST_F(Gathering, IsCalledOnceAJob) {
  add_rank("x_rank0.sqlite", 0, 2, 1);
  add_rank("x_rank1.sqlite", 1, 2, 2);
  add_rank("y_rank0.sqlite", 0, 2, 3);
  add_rank("y_rank1.sqlite", 1, 2, 4);
  add_rank("alone.sqlite", 0, 1, 5);
  run(3);
  EXPECT_EQ(gathered_, 2) << "a job of one is none";
  EXPECT_EQ(value(0, "g.sum"), 3);
  EXPECT_EQ(value(2, "g.sum"), 7);
}

TEST_F(Gathering, ContinuesWithoutARankWhoseAnalysisFailed) {
  add_rank("x_rank0.sqlite", 0, 3, 1);
  add_rank("x_rank1.sqlite", 1, 3, 2);
  add_rank("x_rank2.sqlite", 2, 3, 3);
  G::on_analyze = [](const Report& report, ReportSink& sink) {
    emit_kernels(report, sink);
    if (report.path == "x_rank1.sqlite") throw std::runtime_error("this rank is odd");
  };
  run();
  EXPECT_TRUE(equals(seen_.at(0), {"0 x_rank0.sqlite 1", "1 x_rank1.sqlite none", "2 x_rank2.sqlite 3"}));
  EXPECT_EQ(value(0, "g.sum"), 4);
  ASSERT_FALSE(reports()[1].skips.empty());
  EXPECT_TRUE(contains(reports()[1].skips[0].reason, "this rank is odd"));
}

TEST_F(Gathering, ContinuesWithoutAnUnreadableRank) {
  add_rank("x_rank0.sqlite", 0, 2, 1);
  add_rank("x_rank1.sqlite", 1, 2, 2);
  std::ofstream(folder_.path() / "x_rank1.sqlite", std::ios::trunc) << "no database";
  run();
  EXPECT_TRUE(equals(seen_.at(0), {"0 x_rank0.sqlite 1"}));
}

TEST_F(Gathering, LosesOnlyItsOwnOutputsIfItFails) {
  world_.add_linked(kH);
  add_rank("x_rank0.sqlite", 0, 2, 1);
  add_rank("x_rank1.sqlite", 1, 2, 2);
  add_rank("y_rank0.sqlite", 0, 2, 3);
  add_rank("y_rank1.sqlite", 1, 2, 4);
  const auto sum = G::on_gather;
  G::on_gather = [&](const Job& job, JobSink& sink) {
    sum(job, sink);
    if (job.name == "x_rank0.sqlite") throw std::runtime_error("not this job");
  };
  run(2);
  EXPECT_EQ(value(0, "g.sum"), std::nullopt) << "what it gave before it failed is gone";
  EXPECT_EQ(value(0, "h.sum"), 1);
  EXPECT_EQ(value(2, "g.sum"), 7);
  ASSERT_EQ(reports()[0].skips.size(), 1U);
  EXPECT_TRUE(reports()[0].skips[0].failed);
  EXPECT_TRUE(contains(reports()[0].skips[0].reason, "gather failed: not this job"));
}

TEST_F(Gathering, FailsForAFactThatAnalyzeEmitted) {
  add_rank("x_rank0.sqlite", 0, 2, 1);
  add_rank("x_rank1.sqlite", 1, 2, 2);
  G::on_analyze = [](const Report& report, ReportSink& sink) {
    emit_kernels(report, sink);
    sink.fact("g.sum", 99);
  };
  run();
  EXPECT_EQ(value(0, "g.sum"), 99);
  EXPECT_TRUE(contains(reports()[0].skips.at(0).reason, "was already given by analyze"));
}

TEST_F(Gathering, IsRememberedAsLongAsTheRowsAreTheSame) {
  add_rank("x_rank0.sqlite", 0, 2, 1);
  add_rank("x_rank1.sqlite", 1, 2, 2);
  cache::Store store(folder_.path() / "cache");
  const auto cache = ResultCache::make(store, world_.plan, Plugins{});
  ASSERT_TRUE(cache.has_value());
  const std::string first = run(1, &*cache);
  EXPECT_EQ(run(2, &*cache), first);
  EXPECT_EQ(gathered_, 1) << "the second time it is known";
  G::on_analyze = [](const Report& report, ReportSink& sink) {
    Table table("kernels", "kernels");
    table.add("count", "1", std::vector<std::int64_t>{100 * static_cast<std::int64_t>(report.kernels->rows)});
    sink.rank_rows(table);
  };
  run(1, &*cache);
  EXPECT_EQ(gathered_, 2) << "other rows";
  EXPECT_EQ(value(0, "g.sum"), 300);
}

TEST_F(Gathering, NeverHasMoreReportsLoadedThanWorkers) {
  // The first analysis spoils the files of all others. Who is read nonetheless was loaded before.
  for (const unsigned jobs : {1U, 2U, 3U}) {
    fixture::World fresh;
    std::swap(world_.catalog, fresh.catalog);
    for (std::int64_t rank = 0; rank < 5; ++rank) {
      const std::string name = std::to_string(jobs) + "_rank" + std::to_string(rank) + ".sqlite";
      add_rank(name, rank, 5, 1);
    }
    std::once_flag once;
    G::on_analyze = [&](const Report& report, ReportSink& sink) {
      std::call_once(once, [&] {
        for (const FoundFile& file : world_.catalog.files) {
          std::filesystem::remove(file.path);
          std::ofstream(file.path) << "no database";
        }
      });
      emit_kernels(report, sink);
    };
    seen_.clear();
    run(jobs);
    std::size_t loaded = 0;
    for (const ReportResult& report : reports()) loaded += report.loaded ? 1 : 0;
    EXPECT_GE(loaded, 1U);
    EXPECT_LE(loaded, jobs);
  }
}

TEST(Masks, HideCollectivesFromWhoDidNotDeclareThem) {
  fixture::TinyReport tiny({{0, 10}, {20, 30}});
  const Row kernel[] = {1};
  const CollectiveKind kind[] = {CollectiveKind::kAllReduce};
  const std::int64_t sent[] = {4096};
  CollectiveTable table;
  table.rows = 1;
  table.kernel = {kernel, 1};
  table.kind = {kind, 1};
  table.sent = {sent, 1};
  tiny.report.collectives = &table;
  EXPECT_EQ(MaskedReport(tiny.report, std::set<ColumnId>{col::kernels}).report().collectives, nullptr);
  const MaskedReport seen(tiny.report, std::set<ColumnId>{col::kernels, col::collectives});
  ASSERT_NE(seen.report().collectives, nullptr);
  EXPECT_EQ(seen.report().collectives->sent[0], 4096);
}

}  // namespace assay::gather_test
