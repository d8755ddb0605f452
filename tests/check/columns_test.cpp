// What follows from the one list of columns at the end of report.hpp, and that the checks of it can fail.
#include "assay/detail/columns.hpp"

#include "analyze/masked_report.hpp"
#include "assay/plugin.hpp"
#include "assay/testing/report_builder.hpp"
#include "check/checks.hpp"
#include "check/large_report.hpp"
#include "check/small_reports.hpp"
#include "load/columns.hpp"
#include "load/store.hpp"
#include "support/test.hpp"

namespace assay::columns_test {

/// "KernelTable.green_context" of the listed columns that a table has not.
template <class Table>
std::vector<std::string> lacking(const Table* table) {
  std::vector<std::string> names;
  if (table == nullptr) return {"the table"};
  each_column(*table, [&](const ListedColumn& listed, const auto& column) {
    if (!column.present()) names.emplace_back(listed.name);
  });
  return names;
}

TEST(Columns, AReportWithEveryTableHasEveryColumn) {
  testing::ReportBuilder builder;
  check::fill_every_table(builder, 1);
  const Report& report = builder.build();
  EXPECT_TRUE(is_empty(lacking(report.kernels)));
  EXPECT_TRUE(is_empty(lacking(report.graphs)));
  EXPECT_TRUE(is_empty(lacking(report.copies)));
  EXPECT_TRUE(is_empty(lacking(report.sets)));
  EXPECT_TRUE(is_empty(lacking(report.syncs)));
  EXPECT_TRUE(is_empty(lacking(report.overheads)));
  EXPECT_TRUE(is_empty(lacking(report.calls)));
  EXPECT_TRUE(is_empty(lacking(report.ranges)));
  EXPECT_TRUE(is_empty(lacking(report.spans)));
  EXPECT_TRUE(is_empty(lacking(report.ops)));
  EXPECT_TRUE(is_empty(lacking(report.allocations)));
  EXPECT_TRUE(is_empty(lacking(report.profiled)));
  EXPECT_TRUE(is_empty(lacking(report.counters)));
  EXPECT_TRUE(is_empty(lacking(report.iterations)));
}

TEST(Columns, ALargeReportHasEveryColumnThatIsAskedFor) {
  std::set<ColumnId> wanted;
  for (const ColumnInfo& info : column_infos()) wanted.insert(info.id);
  const check::LargeReport large(100, wanted);
  EXPECT_TRUE(is_empty(lacking(large.report().kernels)));
  EXPECT_TRUE(is_empty(lacking(large.report().copies)));
  EXPECT_TRUE(is_empty(lacking(large.report().calls)));
  EXPECT_TRUE(is_empty(lacking(large.report().ops)));
}

TEST(Columns, ABuilderGivesCellsToAnyColumn) {
  testing::ReportBuilder builder;
  builder.kernel("late", 30, 40);
  builder.kernel("early", 10, 20);
  builder.kernel("last", 50, 60);
  builder.cells(&KernelTable::green_context, {7, 8});
  const Report& report = builder.build();
  EXPECT_TRUE(equals(report.kernels->green_context.view(), {8, 7, kNone}));
}

TEST(Columns, StayOutIfLeftOut) {
  testing::ReportBuilder builder;
  builder.range("r", 10, 20);
  builder.span("s", 10, 20);
  builder.absent(col::span_row_id).every_column();
  const Report& report = builder.build();
  EXPECT_TRUE(report.ranges->row_id.present());
  EXPECT_FALSE(report.spans->row_id.present());
}

TEST(Columns, EachHasAnIdWithAName) {
  std::set<std::string_view> names;
  for (const ColumnInfo& info : column_infos()) EXPECT_TRUE(names.insert(info.name).second) << info.name;
  const auto name_of = [](ColumnId id) { return find_column(id) == nullptr ? "" : find_column(id)->name; };
  EXPECT_EQ(name_of(col::kernels), "kernels");
  EXPECT_EQ(name_of(col::kernel_grid), "kernels.grid_x") << "the first of three columns with one id";
  EXPECT_EQ(name_of(col::kernel_shared), "kernels.static_shared");
  EXPECT_EQ(name_of(col::kernel_green_context), "kernels.green_context");
  EXPECT_EQ(name_of(col::graph_id), "graphs.graph");
  EXPECT_EQ(name_of(col::copy_direction), "copies.direction") << "kind comes with it and is not needed";
  EXPECT_EQ(name_of(col::copy_memory_kinds), "copies.source_kind");
  EXPECT_EQ(name_of(col::op_python_ids), "ops.python_id");
  EXPECT_EQ(name_of(col::range_row_id), "ranges.row_id");
  EXPECT_EQ(name_of(col::span_row_id), "spans.row_id") << "of the second table of the struct";
  EXPECT_EQ(name_of(col::thread_names), "thread_names");
  KernelTable table;
  each_column(table, [&](const ListedColumn& listed, const auto&) {
    EXPECT_NE(find_column(listed.id), nullptr) << listed.name;
  });
}

TEST(Columns, CellsThatSayNothingAreOfTheirKind) {
  EXPECT_EQ(no_value<std::int64_t>(), kNone);
  EXPECT_EQ(no_value<StringId>(), 0U);
  EXPECT_EQ(no_value<Membership>(), Membership::kOutside);
  EXPECT_TRUE(std::isnan(no_value<double>()));
}

// What the static assertions are worth.

TEST(ColumnChecks, AListWithAGapOrAnotherOrderIsRefused) {
  constexpr std::size_t kWhole[] = {8, 24, 40}, kGap[] = {8, 40}, kSwapped[] = {24, 8, 40};
  EXPECT_TRUE(detail::lists_all(kWhole, 56));
  EXPECT_FALSE(detail::lists_all(kWhole, 72)) << "the table has one more";
  EXPECT_FALSE(detail::lists_all(kGap, 56));
  EXPECT_FALSE(detail::lists_all(kSwapped, 56));
}

struct Forgetful {
  load::OwnedColumn<Row> a, b;
  template <class Use>
  constexpr void each(Use&& use) {
    use(a);
  }
};

TEST(ColumnChecks, RowsThatForgetAColumnAreRefused) {
  EXPECT_FALSE(load::each_uses_all<Forgetful>());
  EXPECT_TRUE(load::each_uses_all<load::KernelRows>());
}

TEST(Columns, AnAnalyzerSeesWhatItDeclaredAndNoMore) {
  testing::ReportBuilder builder;
  check::fill_every_table(builder, 1);
  const Report& report = builder.build();
  const MaskedReport nothing(report, std::set<ColumnId>{});
  EXPECT_EQ(nothing.report().kernels, nullptr);
  EXPECT_EQ(nothing.report().counters, nullptr);
  EXPECT_EQ(nothing.report().iterations, nullptr);
  EXPECT_EQ(nothing.report().mpi, nullptr);
  EXPECT_NE(nothing.report().devices, nullptr);
  EXPECT_NE(nothing.report().issues, nullptr);
  EXPECT_EQ(nothing.report().window, report.window);
  const MaskedReport names(report, {col::kernel_name, col::spans});
  ASSERT_NE(names.report().kernels, nullptr);
  EXPECT_TRUE(names.report().kernels->start.present());
  EXPECT_TRUE(names.report().kernels->name.present());
  EXPECT_FALSE(names.report().kernels->registers.present());
  EXPECT_EQ(names.report().ranges, nullptr);
  ASSERT_NE(names.report().spans, nullptr);
  EXPECT_TRUE(names.report().spans->reach.present());
  EXPECT_FALSE(names.report().spans->row_id.present());
  std::set<ColumnId> all;
  for (const ColumnInfo& info : column_infos()) all.insert(info.id);
  const MaskedReport whole(report, all);
  for (const ColumnInfo& info : column_infos()) {
    EXPECT_EQ(info.has_column(whole.report()), info.has_column(report)) << info.name;
    EXPECT_FALSE(info.id != col::devices && info.has_column(nothing.report())) << info.name;
  }
}

/// Reads registers, and calls where there are some, without having said so.
struct Undeclaring {
  static constexpr std::string_view kSummary = "Forgets what it reads.";
  static constexpr ColumnId kNeeds[] = {col::kernels};
  static constexpr MetricSpec kProduces[] = {{"undeclaring.count", "1", Polarity::kNeutral, "A count."}};
  explicit Undeclaring(const Options&) {}
  void analyze(const Report& report, ReportSink& sink) const {
    const double calls = report.calls != nullptr ? static_cast<double>(report.calls->rows) : 0;
    sink.fact("undeclaring.count", calls + report.kernels->registers[0]);
  }
};

TEST(Columns, CheckNamesWhatIsReadWithoutBeingDeclared) {
  static constexpr Descriptor kUndeclaring = detail::describe<Undeclaring>("undeclaring", "1.0.0");
  const std::vector<check::Check> checks = check::checks_of(kUndeclaring, {}, {});
  const auto at = std::ranges::find(checks, "undeclared columns", &check::Check::name);
  ASSERT_NE(at, checks.end());
  const check::CaseReply reply = at->cases.front().body();
  EXPECT_EQ(reply.answer, check::CaseStatus::kFailed);
  EXPECT_EQ(reply.detail, "reads without declaring it in kNeeds or kWants: kernels.registers");
}

}  // namespace assay::columns_test
