// One analyzer on one report: needs, what the sink refuses, and what becomes of the text.
#include "analyze/one_report.hpp"

#include "files/utf8.hpp"
#include "load/columns.hpp"
#include "loader/fixtures.hpp"
#include "support/test.hpp"

namespace assay::one_report_test {

using fixture::A;
using fixture::TinyReport;

TEST(Utf8, ReplacesWhatIsNotWellFormed) {
  const std::string replacement = "\xEF\xBF\xBD";
  EXPECT_EQ(to_utf8("plain"), "plain");
  EXPECT_EQ(to_utf8("gr\xC3\xBC\xC3\x9F"), "gr\xC3\xBC\xC3\x9F");
  EXPECT_EQ(to_utf8("\xF0\x9F\x98\x80"), "\xF0\x9F\x98\x80");
  EXPECT_EQ(to_utf8("a\xFF"
                    "b"),
            "a" + replacement + "b");
  EXPECT_EQ(to_utf8("\xC3"), replacement) << "cut short";
  EXPECT_EQ(to_utf8("\xC0\x80"), replacement + replacement) << "overlong";
  EXPECT_EQ(to_utf8("\xE0\x80\x80"), replacement + replacement + replacement) << "overlong";
  EXPECT_EQ(to_utf8("\xED\xA0\x80"), replacement + replacement + replacement) << "a surrogate";
  EXPECT_EQ(to_utf8("\xF4\x90\x80\x80"), replacement + replacement + replacement + replacement) << "above U+10FFFF";
}

TEST(Utf8, SeesWhatStandsAnywhereInLongText) {
  const std::string plain = "twenty-four letters here";
  for (std::size_t place = 0; place <= plain.size(); ++place) {
    const std::string front = plain.substr(0, place), back = plain.substr(place);
    EXPECT_EQ(to_utf8(front + "\xFF" + back), front + "\xEF\xBF\xBD" + back);
    EXPECT_FALSE(is_utf8(front + "\xFF" + back)) << place;
    EXPECT_EQ(to_utf8(front + "\xC3\xBC" + back), front + "\xC3\xBC" + back);
    EXPECT_TRUE(is_utf8(front + "\xC3\xBC" + back)) << place;
  }
}

TEST(CanonicalDims, SortsByKeyAndEncodes) {
  const std::vector<Dim> dims = {{"to", "a;b=c%"}, {"from", "line\nbreak"}};
  EXPECT_EQ(canonical_dims(dims), "from=line%0Abreak;to=a%3Bb%3Dc%25");
  EXPECT_EQ(canonical_dims({}), "");
  EXPECT_EQ(canonical_dims(std::vector<Dim>{{"k", ""}}), "k=");
  EXPECT_EQ(canonical_dims(std::vector<Dim>{{"k", "\x7F\xFF"}}), "k=%7F\xEF\xBF\xBD");
}

TEST(CanonicalDims, RefusesEmptyAndRepeatedKeys) {
  EXPECT_FALSE(canonical_dims(std::vector<Dim>{{"", "x"}}));
  EXPECT_FALSE(canonical_dims(std::vector<Dim>{{"k", "x"}, {"j", "y"}, {"k", "z"}}));
}

TEST(Needs, AreNamedInTheReason) {
  TinyReport tiny({{0, 10}});
  EXPECT_EQ(missing_need(tiny.report, col::kernels), "");
  EXPECT_EQ(missing_need(tiny.report, col::kernel_registers),
            "needs kernels.registers: the kernel table of this profile has no column 'registers'");
  EXPECT_EQ(missing_need(tiny.report, col::copies), "needs copies: this profile has no copy table");
  EXPECT_EQ(missing_need(tiny.report, col::iterations),
            "needs iterations: this profile has no range that [iterations] names");
  tiny.kernels.process = {};
  EXPECT_EQ(missing_need(tiny.report, col::kernels),
            "needs kernels: the kernel table of this profile lacks one of its core columns");
  tiny.report.kernels = nullptr;
  EXPECT_EQ(missing_need(tiny.report, col::kernels), "needs kernels: this profile has no kernel table");
}

TEST(Needs, AnEmptyTableMeetsThem) {
  const TinyReport tiny({});
  EXPECT_EQ(missing_need(tiny.report, col::kernels), "");
}

TEST(Needs, EveryColumnOfTheSdkHasAName) {
  for (const ColumnId id :
       {col::kernels, col::kernel_graph_node, col::graphs, col::graph_id, col::copies, col::copy_bytes,
        col::copy_direction, col::sets, col::set_bytes, col::calls, col::call_return_value, col::ranges, col::spans,
        col::syncs, col::iterations, col::devices}) {
    ASSERT_NE(find_column(id), nullptr);
    EXPECT_EQ(find_column(id)->id, id);
  }
  EXPECT_EQ(find_column(col::make(200, 0)), nullptr);
}

/// Runs analyzer A with this body on a report of one kernel.
class ReportConversion : public ::testing::Test {
 protected:
  AnalyzerOutput run(std::function<void(const Report&, ReportSink&)> body) {
    A::on_analyze = std::move(body);
    const Analyzers made = Analyzers::make(world_.plan.questions[0]);
    return run_analyzer(fixture::kA, *made.at(0), tiny_.report);
  }
  /// The reason for which it failed; everything else must be gone.
  std::string failure(std::function<void(const Report&, ReportSink&)> body) {
    const AnalyzerOutput output = run([&](const Report& report, ReportSink& sink) {
      sink.fact("a.share", 0.5, {{"emitted", "before"}});
      body(report, sink);
    });
    EXPECT_TRUE(is_empty(output.facts));
    EXPECT_TRUE(is_empty(output.tables));
    if (output.skips.size() != 1) return "it did not fail";
    EXPECT_TRUE(output.skips[0].failed);
    EXPECT_FALSE(output.lacking);
    EXPECT_EQ(output.skips[0].report, "folder/tiny.sqlite");
    EXPECT_EQ(output.skips[0].analyzer, "a");
    return output.skips[0].reason;
  }
  void SetUp() override { world_.add_linked(fixture::kA); }
  void TearDown() override { A::reset(); }

  fixture::World world_;
  TinyReport tiny_{{{0, 10}}};
};

TEST_F(ReportConversion, WantedColumnsThatItLacksAreNoted) {
  Descriptor wanting = fixture::kA;
  const ColumnId wants[] = {col::kernels, col::kernel_registers, col::copies, col::copy_bytes};
  wanting.wants = wants;
  A::on_analyze = [](const Report& report, ReportSink&) { static_cast<void>(report.kernels->registers[0]); };
  const Analyzers made = Analyzers::make(world_.plan.questions[0]);
  const AnalyzerOutput output = run_analyzer(wanting, *made.at(0), tiny_.report);
  EXPECT_TRUE(equals(output.absent, {AbsentWant{"a", "kernels.registers"}, AbsentWant{"a", "copies.bytes"}}))
      << "that nothing was captured of a table is another fact";
  ASSERT_EQ(output.skips.size(), 1U);
  EXPECT_TRUE(
      contains(output.skips[0].reason, "a value was asked of the column 'kernels.registers', which this profile"));
}

TEST_F(ReportConversion, KeepsWhatIsSound) {
  const std::vector<double> samples = {1, 2, 4};
  const AnalyzerOutput output = run([&](const Report&, ReportSink& sink) {
    sink.fact("a.time", 2, std::span<const double>(samples), {{"z", "1"}, {"b", "2"}});
    sink.attribute("a.print", "kernel \xFF name");
    Table table("t", "A table");
    table.add("name", "", std::vector<std::string>{"x\xFE", "y"});
    table.add("n", "1", std::vector<std::int64_t>{1, 2});
    sink.table(table);
    sink.ratio("a.share", 1, 0, "the number of copies");
    sink.emit_issue("odd", Severity::kWarning, 3, "Three are odd.");
    sink.note("seen");
  });
  ASSERT_EQ(output.facts.size(), 1U);
  EXPECT_EQ(output.facts[0].dims, "b=2;z=1");
  EXPECT_EQ(output.facts[0].samples, samples);
  EXPECT_EQ(output.facts[0].n(), 3U);
  EXPECT_EQ(output.attributes.at(0).value, "kernel \xEF\xBF\xBD name");
  EXPECT_EQ(output.tables.at(0).rows(), 2U);
  EXPECT_EQ(output.tables.at(0).analyzer, "a");
  EXPECT_EQ(output.tables.at(0).columns.at(0).texts.at(0), "x\xEF\xBF\xBD");
  EXPECT_EQ(output.skips.at(0).reason, "a.share: the number of copies is 0");
  EXPECT_FALSE(output.skips.at(0).failed);
  EXPECT_EQ(output.issues.at(0).count, 3);
  EXPECT_TRUE(equals(output.notes, {"a: seen"}));
}

TEST_F(ReportConversion, RefusesUnsoundFacts) {
  EXPECT_TRUE(
      contains(failure([](const Report&, ReportSink& s) { s.fact("b.time", 1); }), "'b.time' was not declared"));
  EXPECT_TRUE(contains(failure([](const Report&, ReportSink& s) { s.fact("a.time", kNan); }), "not a finite number"));
  EXPECT_TRUE(
      contains(failure([](const Report&, ReportSink& s) { s.fact("a.time", -kInfinity); }), "not a finite number"));
  EXPECT_TRUE(contains(failure([](const Report&, ReportSink& s) {
                         const std::vector<double> samples = {1, kNan};
                         s.fact("a.time", 1, std::span<const double>(samples));
                       }),
                       "not a finite number"));
  EXPECT_TRUE(contains(failure([](const Report&, ReportSink& s) {
                         s.fact("a.time", 1, {{"k", "v"}, {"j", "w"}});
                         s.fact("a.time", 1, {{"j", "w"}, {"k", "v"}});
                       }),
                       "'a.time' [j=w;k=v] was emitted twice"));
  EXPECT_TRUE(contains(failure([](const Report&, ReportSink& s) { s.fact("a.time", 1, {{"", "v"}}); }), "dim key"));
  EXPECT_TRUE(
      contains(failure([](const Report&, ReportSink& s) { s.emit_fact("a.time", Span<Dim>(nullptr, 3), 1, {}); }),
               "cannot be read"));
}

TEST_F(ReportConversion, TheSameMetricWithOtherDimsIsAnotherFact) {
  const AnalyzerOutput output = run([](const Report&, ReportSink& sink) {
    sink.fact("a.time", 1);
    sink.fact("a.time", 1, {{"k", "v"}});
    sink.fact("a.time", 1, {{"k", "w"}});
  });
  EXPECT_EQ(output.facts.size(), 3U);
}

TEST_F(ReportConversion, RefusesUnsoundAttributesAndTables) {
  EXPECT_TRUE(contains(failure([](const Report&, ReportSink& s) { s.attribute("b.print", "x"); }), "'b.print'"));
  EXPECT_TRUE(contains(failure([](const Report&, ReportSink& s) {
                         s.attribute("a.print", "x");
                         s.attribute("a.print", "y");
                       }),
                       "was emitted twice"));
  const auto table = [](auto... columns) {
    Table t("t", "T");
    (t.add(columns.first, "", columns.second), ...);
    return t;
  };
  using Texts = std::pair<std::string, std::vector<std::string>>;
  EXPECT_TRUE(contains(failure([&](const Report&, ReportSink& s) { s.table(table()); }), "has no columns"));
  EXPECT_TRUE(contains(
      failure([&](const Report&, ReportSink& s) { s.table(table(Texts{"a", {"1", "2"}}, Texts{"b", {"1"}})); }),
      "is ragged"));
  EXPECT_TRUE(contains(failure([&](const Report&, ReportSink& s) { s.table(table(Texts{"a", {}}, Texts{"a", {}})); }),
                       "has two columns named 'a'"));
  EXPECT_TRUE(contains(failure([&](const Report&, ReportSink& s) {
                         s.table(table(Texts{"a", {}}));
                         s.table(table(Texts{"a", {}}));
                       }),
                       "emitted twice"));
  EXPECT_TRUE(contains(failure([](const Report&, ReportSink& s) {
                         const std::vector<std::int64_t> cells = {1};
                         ColumnView column;
                         column.name = "a";
                         column.integers = cells;  // but its type says text
                         TableView view;
                         view.id = "t";
                         view.columns = Span<ColumnView>(&column, 1);
                         s.emit_table(&view);
                       }),
                       "do not fit its type"));
}

TEST_F(ReportConversion, ViewsAreReadNoFurtherThanTheirSize) {
  EXPECT_TRUE(contains(failure([](const Report&, ReportSink& s) {
                         TableView view;
                         view.struct_size = 16;
                         s.emit_table(&view);
                       }),
                       "smaller than the first version"));
  EXPECT_TRUE(contains(failure([](const Report&, ReportSink& s) { s.emit_table(nullptr); }), "smaller"));
  struct Newer {  // what a plugin of a later minor version would pass: more than this host knows
    TableView view;
    std::uint64_t appended = ~0ULL;
  };
  const AnalyzerOutput output = run([](const Report&, ReportSink& sink) {
    const std::vector<Str> cells = {"x"};
    ColumnView column;
    column.name = "c";
    column.texts = cells;
    Newer newer;
    newer.view.struct_size = sizeof(Newer);
    newer.view.id = "newer";
    newer.view.columns = Span<ColumnView>(&column, 1);
    EXPECT_EQ(sink.emit_table(&newer.view), Emit::kOk);
  });
  EXPECT_EQ(output.tables.at(0).id, "newer");
}

TEST_F(ReportConversion, ColumnsAreWalkedByTheSizeThatThePluginGivesThem) {
  struct NewerColumn {
    ColumnView known;
    std::uint64_t appended = ~0ULL;
  };
  const AnalyzerOutput output = run([](const Report&, ReportSink& sink) {
    const std::vector<Str> cells = {"x"};
    NewerColumn columns[2];
    columns[0].known.name = "first";
    columns[1].known.name = "second";
    for (NewerColumn& column : columns) column.known.texts = cells;
    TableView view;
    view.id = "t";
    view.column_size = sizeof(NewerColumn);
    view.columns = Span<ColumnView>(&columns[0].known, 2);
    EXPECT_EQ(sink.emit_table(&view), Emit::kOk);
  });
  ASSERT_EQ(output.tables.at(0).columns.size(), 2U);
  EXPECT_EQ(output.tables.at(0).columns[1].name, "second");
  EXPECT_TRUE(contains(failure([](const Report&, ReportSink& s) {
                         TableView view;
                         view.id = "t";
                         view.column_size = 8;
                         s.emit_table(&view);
                       }),
                       "columns smaller"));
}

TEST_F(ReportConversion, ReportsExceptionsOfTheAuthor) {
  EXPECT_EQ(failure([](const Report&, ReportSink&) { throw std::runtime_error("no \xFF idea"); }),
            "analyze failed: no \xEF\xBF\xBD idea");
  EXPECT_TRUE(contains(failure([](const Report&, ReportSink&) { throw 42; }), "not a std::exception"));
  EXPECT_TRUE(contains(failure([](const Report&, ReportSink&) { throw std::bad_alloc(); }), "out of memory"));
  EXPECT_TRUE(contains(failure([](const Report&, ReportSink& s) {
                         s.emit_fact("a.time", {}, kNan, {});
                         s.emit_fact("b.time", {}, 1, {});
                       }),
                       "'a.time' has a value"))
      << "the first refusal is the one that is told";
}

TEST_F(ReportConversion, AnUnmetNeedIsASkipAndNoFailure) {
  static constexpr ColumnId needs[] = {col::kernels, col::sets};
  Descriptor needy = fixture::kA;
  needy.needs = needs;
  bool called = false;
  A::on_analyze = [&](const Report&, ReportSink&) { called = true; };
  const Analyzers made = Analyzers::make(world_.plan.questions[0]);
  const AnalyzerOutput output = run_analyzer(needy, *made.at(0), tiny_.report);
  EXPECT_FALSE(called);
  EXPECT_TRUE(output.lacking);
  ASSERT_EQ(output.skips.size(), 1U);
  EXPECT_FALSE(output.skips[0].failed);
  EXPECT_TRUE(starts_with(output.skips[0].reason, "needs sets: "));
}

TEST_F(ReportConversion, AConstructorThatThrowsIsASkipWithoutReport) {
  A::on_construct = [] { throw std::runtime_error("no axis"); };
  const Analyzers made = Analyzers::make(world_.plan.questions[0]);
  EXPECT_EQ(made.at(0), nullptr);
  ASSERT_EQ(made.failures().size(), 1U);
  EXPECT_EQ(made.failures()[0].report, "");
  EXPECT_TRUE(ends_with(made.failures()[0].reason, ": no axis"));
  EXPECT_TRUE(made.failures()[0].failed);
}

TEST(SortResult, OrdersAndDropsRepeatedIssues) {
  ReportResult result;
  result.facts = {{"b", "", 1, {}}, {"a", "k=2", 1, {}}, {"a", "k=1", 1, {}}};
  result.issues = {{"z", Severity::kInfo, 1, "t"}, {"a", Severity::kInfo, 0, "t"}, {"z", Severity::kInfo, 1, "t"}};
  result.attributes = {{"y", ""}, {"x", ""}};
  sort_result(result);
  EXPECT_EQ(result.facts[0].dims, "k=1");
  EXPECT_EQ(result.facts[2].metric, "b");
  ASSERT_EQ(result.issues.size(), 2U);
  EXPECT_EQ(result.issues[0].name, "a");
  EXPECT_EQ(result.attributes[0].name, "x");
}

}  // namespace assay::one_report_test
