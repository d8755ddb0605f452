// Rows that `analyze` hands on to `conclude`: who sees them, what is remembered, what is refused.
#include <gtest/gtest.h>

#include "analyze/result_cache.hpp"
#include "analyze/stored_output.hpp"
#include "cache/store.hpp"
#include "loader/fixtures.hpp"
#include "support/check.hpp"
#include "support/temp_folder.hpp"

namespace assay::study_rows_test {

using fixture::A;
using fixture::B;

/// The analyzer a hands on the starts and a text of each kernel; b concludes from them.
class StudyRows : public ::testing::Test {
 protected:
  StudyRows() {
    A::on_analyze = [](const Report& report, ReportSink& sink) {
      std::vector<std::int64_t> starts;
      for (const std::int64_t start : report.kernels->start) starts.push_back(start);
      Table table("starts", "Starts");
      table.add("start", "ns", starts);
      table.add("of", "", std::vector<std::string>(starts.size(), std::string(report.path.view())));
      sink.study_rows(table);
    };
    B::on_conclude = [this](const Study& study, StudySink& sink) {
      ++concluded_;
      const StudyView view(study);
      for (std::size_t r = 0; r < view.report_count(); ++r) {
        const RowsView rows = view.rows(r, "a", "starts");
        double sum = 0;
        for (const std::int64_t start : rows.integers("start")) sum += static_cast<double>(start);
        sink.report_fact(static_cast<Row>(r), "b.time", sum);
        for (const Str of : rows.texts("of")) EXPECT_EQ(of.view(), view.path(r));
        EXPECT_TRUE(rows.numbers("start").empty()) << "they are whole numbers";
        EXPECT_TRUE(rows.integers("end").empty());
        EXPECT_FALSE(view.rows(r, "a", "ends").present());
        EXPECT_FALSE(view.rows(r, "b", "starts").present());
      }
    };
    world_.add_linked(fixture::kA);
    world_.add_linked(fixture::kB);
    add("x.sqlite", {{10, 50}, {60, 90}});
    add("y.sqlite", {{500, 600}});
  }
  void TearDown() override {
    A::reset();
    B::reset();
  }

  void add(const std::string& name, const std::vector<std::pair<std::int64_t, std::int64_t>>& kernels) {
    fixture::write_export(folder_.path() / name, kernels);
    world_.add_report(name, folder_.path() / name);
  }

  /// Both stages; what b gave of each report.
  std::vector<double> run() {
    world_.analyze(2);
    return concluded();
  }
  std::vector<double> concluded(const ResultCache* cache = nullptr) {
    const PlannedQuestion& planned = world_.plan.questions.front();
    for (ReportResult& report : world_.results) report.facts.clear();
    conclude({planned, world_.catalog, world_.catalog.questions.front(), world_.results}, Analyzers::make(planned), {},
             {.cache = cache});
    std::vector<double> sums;
    for (const ReportResult& report : world_.results) {
      for (const Fact& fact : report.facts) sums.push_back(fact.value);
    }
    return sums;
  }

  TempFolder folder_;
  fixture::World world_;
  int concluded_ = 0;
};

TEST_F(StudyRows, ReachEveryAnalyzerThatConcludes) {
  EXPECT_EQ(run(), (std::vector<double>{70, 500}));
  EXPECT_TRUE(world_.results[0].tables.empty()) << "they stand in no output";
}

TEST_F(StudyRows, GoWithTheResultsOfTheirReport) {
  run();
  for (ReportResult& report : world_.results) {
    std::optional<ReportResult> read = result_from_bytes(to_bytes(report));
    ASSERT_TRUE(read.has_value());
    report = std::move(*read);
  }
  EXPECT_EQ(concluded(), (std::vector<double>{70, 500}));
}

TEST_F(StudyRows, AreConcludedFromOnce) {
  cache::Store store(folder_.path() / "cache");
  const auto cache = ResultCache::make(store, world_.plan, Plugins{});
  ASSERT_TRUE(cache.has_value());
  world_.analyze();
  EXPECT_EQ(concluded(&*cache), concluded(&*cache));
  EXPECT_EQ(concluded_, 1) << "the second time it is known";
  world_.results[0].study_rows.front().columns.front().integers.front() += 1;
  EXPECT_EQ(concluded(&*cache), (std::vector<double>{71, 500}));
  EXPECT_EQ(concluded_, 2) << "other rows";
}

TEST_F(StudyRows, TwiceUnderOneIdFailTheAnalyzerForThisReport) {
  const auto once = A::on_analyze;
  A::on_analyze = [once](const Report& report, ReportSink& sink) {
    once(report, sink);
    if (report.path == "y.sqlite") once(report, sink);
  };
  EXPECT_EQ(run(), (std::vector<double>{70, 0})) << "what it gave before it failed is gone";
  ASSERT_EQ(world_.results[1].skips.size(), 1U);
  EXPECT_TRUE(contains(world_.results[1].skips[0].reason, "'starts' was emitted twice"));
}

}  // namespace assay::study_rows_test
