// The report model as tables: what is there, what is not, how rows find each other.
#include "query/model.hpp"

#include "asking.hpp"
#include "assay/detail/communication.hpp"
#include "assay/testing/report_builder.hpp"
#include "query/column_text.hpp"
#include "support/test.hpp"

namespace assay::query::model_test {

using testing::ReportBuilder;

/// Two launches and their kernels, and a kernel that nobody launched.
void fill(ReportBuilder& b) {
  b.range("step", 0, 100);
  b.range("forward", 5, 60);
  const Row first = b.call(CallKind::kKernelLaunch, 10, 20, 0, {.name = "cudaLaunchKernel", .correlation = 7});
  const Row second = b.call(CallKind::kKernelLaunch, 70, 75, 0, {.name = "cuLaunchKernelEx", .correlation = 8});
  b.kernel("gemm<int>(float*)", 30, 90, {.stream = 7, .call = first});
  b.kernel("relu", 95, 99, {.stream = 9, .call = second});
  b.kernel("relu", 200, 250, {.stream = 9});
}

TEST(QueryModel, KernelsFindTheirCallsAndRangesByRowNumber) {
  ReportBuilder b;
  fill(b);
  const Report& report = b.build();
  EXPECT_EQ(ask(report,
                "SELECT k.short_name, c.name, r.name, range_path(c.range) FROM kernels k "
                "JOIN calls c ON k.call = c.id JOIN ranges r ON c.range = r.id ORDER BY k.start"),
            (Answer{"gemm|cudaLaunchKernel|forward|step/forward", "relu|cuLaunchKernelEx|step|step"}));
  EXPECT_EQ(ask(report, "SELECT c.id, k.id FROM calls c LEFT JOIN kernels k ON k.call = c.id ORDER BY 1, 2"),
            (Answer{"0|0", "1|1"}));
  EXPECT_EQ(ask(report, "SELECT id, call, duration FROM kernels"), (Answer{"0|0|60", "1|1|4", "2|-|50"}));
}

TEST(QueryModel, RangePathsAreFoldedAndComputedWithoutBeingStored) {
  ReportBuilder b;
  b.range("step_0", 0, 100);
  b.range("forward", 5, 60);
  b.range("step_1", 100, 200);
  b.range("forward", 110, 150);
  const Row first = b.call(CallKind::kKernelLaunch, 10, 20), second = b.call(CallKind::kKernelLaunch, 120, 125);
  b.kernel("gemm", 30, 70, {.call = first});
  b.kernel("gemm", 130, 140, {.call = second});
  const Report& report = b.build();
  EXPECT_EQ(ask(report, "SELECT path, depth, count, median, max, p95, gpu_time, idle, kernels FROM range_paths"),
            (Answer{"step_{i}|0|2|100.0|100.0|-|25.0|75.0|1.0", "step_{i}/forward|1|2|47.5|55.0|-|25.0|27.5|1.0"}));
  EXPECT_EQ(ask(report, "SELECT name FROM range_paths WHERE depth = 1 AND total > 90 ORDER BY median DESC"),
            Answer{"forward"});
  EXPECT_EQ(ask(report, "SELECT a.path FROM range_paths a JOIN range_paths b ON a.path = b.path || '/' || a.name"),
            Answer{"step_{i}/forward"});
  ReportBuilder other("b.sqlite");
  other.range("step_7", 0, 30);
  const Report& second_report = other.build();
  Session session = session_over({&report, &second_report});
  EXPECT_EQ(ask(session, "SELECT report, count FROM range_paths WHERE depth = 0 ORDER BY count"),
            (Answer{"b.sqlite|1", std::string(report.path.view()) + "|2"}));
  EXPECT_EQ(
      ask(session, "SELECT gpu_time, busy_share, idle, kernels, launches FROM range_paths WHERE report = 'b.sqlite'"),
      Answer{"-|-|-|-|-"})
      << "no device work and no calls were captured";
  ReportBuilder none;
  none.kernel("k", 0, 1);
  EXPECT_TRUE(contains(ask(none.build(), "SELECT * FROM range_paths").front(), "has no range table"));
}

TEST(QueryModel, ShowsAbsentDataAsNoTableNoColumnOrNull) {
  ReportBuilder b;
  b.kernel("k", 0, 1);
  b.captured(col::copies).absent(col::kernel_registers);
  const Report& report = b.build();
  EXPECT_EQ(ask(report, "SELECT count(*) FROM copies"), Answer{"0"});
  EXPECT_TRUE(contains(ask(report, "SELECT * FROM graphs").front(), "this profile has no graph launch table"));
  EXPECT_TRUE(contains(ask(report, "SELECT registers FROM kernels").front(), "no such column: registers"));
  EXPECT_EQ(ask(report, "SELECT call, occupancy, graph_node FROM kernels"), Answer{"-|-|-"});
  EXPECT_TRUE(contains(ask(report, "SELECT count(*) FROM kernel").front(), "'kernels'?"));
  EXPECT_TRUE(contains(ask(report, "SELECT strem FROM kernels").front(), "'stream'?"));
}

TEST(QueryModel, WordsStandForKindsAndNegativeTimesStay) {
  ReportBuilder b;
  b.call(CallKind::kStreamSync, -1, 5);
  b.copy(CopyDirection::kHostToDevice, 64, 10, 20, {.membership = Membership::kForeign});
  b.issue("unlinked", Severity::kWarning, 0, "A sentence.");
  b.property("origin_ns", "");
  b.window("step", {5, 50});
  const Report& report = b.build();
  EXPECT_EQ(ask(report, "SELECT kind, start, in_window FROM calls"), Answer{"stream_sync|-1|1"});
  EXPECT_EQ(ask(report, "SELECT direction, bytes, membership FROM copies"), Answer{"h2d|64|foreign"});
  EXPECT_EQ(ask(report, "SELECT name, severity, count, text FROM issues"), Answer{"unlinked|warning|0|A sentence."});
  EXPECT_EQ(ask(report, "SELECT name, value FROM properties"), Answer{"origin_ns|"});
  EXPECT_EQ(ask(report, "SELECT start, end, duration, named, name FROM windows"), Answer{"5|50|45|1|step"});
}

/// Every way to narrow a scan gives what a scan of all rows gives: the same condition with a '+' before the column,
/// which keeps SQLite from handing it to the table.
TEST(QueryModel, PushedDownConditionsGiveWhatAFullScanGives) {
  ReportBuilder b;
  std::vector<Row> calls;
  for (int i = 0; i < 40; ++i)
    calls.push_back(b.call(CallKind::kKernelLaunch, i * 10, i * 10 + 7, 0, {.correlation = i % 5}));
  for (int i = 0; i < 40; ++i) {
    const Row call = i % 3 == 0 ? kNone : calls[static_cast<std::size_t>((i * 7) % 40)];
    b.kernel("k", i * 11 % 97, i * 11 % 97 + i, {.stream = i % 4, .call = call, .correlation = i % 6});
  }
  const Report& report = b.build();
  Session session = session_over({&report});
  for (const std::string column : {"id", "start", "end", "call", "correlation"}) {
    for (const std::string op : {"=", "<", "<=", ">", ">=", "IS"}) {
      for (const std::string value : {"17", "33.5", "-1", "NULL", "1e300", "96", "0"}) {
        const std::string wanted = "SELECT id FROM kernels WHERE ";
        EXPECT_EQ(ask(session, wanted + column + " " + op + " " + value + " ORDER BY id"),
                  ask(session, wanted + "+" + column + " " + op + " " + value + " ORDER BY +id"))
            << column << op << value;
      }
    }
  }
  EXPECT_EQ(ask(session, "SELECT id FROM kernels WHERE start >= 20 AND end < 80 AND id > 3"),
            ask(session, "SELECT id FROM kernels WHERE +start >= 20 AND +end < 80 AND +id > 3"));
  EXPECT_EQ(ask(session, "SELECT id FROM kernels WHERE call IN (3, 14, 21) ORDER BY 1"),
            ask(session, "SELECT id FROM kernels WHERE +call IN (3, 14, 21) ORDER BY 1"));
  EXPECT_FALSE(ask(session, "SELECT id FROM kernels WHERE call = 14").empty());
}

/// Conditions that the table looks at itself: the rows are those that SQLite leaves of a subquery with a limit, which
/// no condition enters.
TEST(QueryModel, FilteredRowsAreThoseThatSqliteLeaves) {
  constexpr const char* kNames[] = {"", "a", "A", "5", "c"};
  ReportBuilder b, other;
  for (int i = 0; i < 60; ++i) {
    b.call(static_cast<CallKind>(i * 5 % 9), i, i + 1, static_cast<std::uint32_t>(i % 3), {.name = kNames[i % 5]});
    b.kernel("k", i, i + 1, {.stream = i % 4, .membership = static_cast<Membership>(i % 3)});
  }
  other.call(CallKind::kCopy, 3, 9, 0, {.name = "a"});
  Session one = session_over({&b.build()});
  Session two = session_over({&b.build(), &other.build()});
  for (Session* session : {&one, &two}) {
    for (const std::string column : {"kind", "name", "in_window", "thread", "start"}) {
      for (const std::string condition :
           {"= 'copy'", "= 'a'", "IN ('a', 'c', 'kernel_launch', 'event_sync')", "IN ('c', NULL, 'a', 5, 'a')",
            "= NULL", "= 5", "= 1", "= 1.0", "= '1'", "= x'61'", "= -9223372036854775808",
            "IN (SELECT name FROM calls WHERE id < 4)", "= 'A' COLLATE NOCASE", "IN ()", "= (SELECT 'copy')", "IS 'a'",
            "IS NULL"}) {
        for (const std::string rest : {"", " AND kind = 'copy'", " AND id > 20", " AND start >= 10 AND start < 40",
                                       " ORDER BY thread, id", " ORDER BY kind"}) {
          const auto sql = [&](const std::string& from) {
            return "SELECT report, id FROM " + from + " WHERE " + column + " " + condition + rest;
          };
          EXPECT_EQ(ask(*session, sql("calls")), ask(*session, sql("(SELECT report, * FROM calls LIMIT -1)")))
              << column << " " << condition << rest;
        }
      }
    }
  }
  EXPECT_EQ(
      ask(one, "SELECT count(*) FROM calls WHERE name = 5 UNION ALL SELECT count(*) FROM calls WHERE in_window = '1'"),
      (Answer{"12", "60"}));
  EXPECT_EQ(ask(one, "SELECT kind, count(*) FROM calls WHERE kind IN ('set', 'copy', 'copy') GROUP BY kind"),
            (Answer{"copy|6", "set|6"}));
  EXPECT_EQ(ask(one,
                "SELECT (SELECT count(*) FROM kernels k WHERE k.membership = m.w) FROM "
                "(SELECT 'inside' AS w UNION ALL SELECT 'foreign' UNION ALL SELECT 'else') m"),
            (Answer{"20", "20", "0"}));
  EXPECT_TRUE(one_contains_regex(
      ask(one, "EXPLAIN QUERY PLAN SELECT 1 FROM calls WHERE kind IN ('set', 'copy') AND in_window = 1"),
      "VIRTUAL TABLE INDEX 0:[0-9]+[*][0-9]+=$"));
}

/// Rows that the table hands over by name, and rows that SQLite sorts by a text that is the same.
TEST(QueryModel, RowsByNameAreThoseThatSqliteSorts) {
  constexpr const char* kNames[] = {"b", "a", "Z", "a b", "\xC3\xA9", "", "ab", "a"};
  ReportBuilder b;
  for (int i = 0; i < 100; ++i) b.kernel(kNames[i * 7 % 8], i, i + 1 + i % 7);
  const Report& report = b.build();
  Session session = session_over({&report});
  for (const std::string statement : {
           "SELECT NAME, count(*), sum(duration), group_concat(id) FROM kernels GROUP BY NAME",
           "SELECT NAME, count(*) FROM kernels WHERE duration > 3 GROUP BY NAME",
           "SELECT NAME, count(*) FROM kernels WHERE start >= 40 GROUP BY NAME",
           "SELECT DISTINCT NAME FROM kernels ORDER BY NAME",
           "SELECT NAME, id FROM kernels ORDER BY NAME",
           "SELECT NAME, id FROM kernels ORDER BY NAME DESC, id",
           "SELECT NAME, id FROM kernels ORDER BY NAME LIMIT 7 OFFSET 60",
       }) {
    const auto with = [&](const std::string& name) {
      std::string sql = statement;
      for (std::size_t at = sql.find("NAME"); at != std::string::npos; at = sql.find("NAME")) sql.replace(at, 4, name);
      return ask(session, sql);
    };
    EXPECT_EQ(with("name"), with("(name || '')")) << statement;
  }
  EXPECT_EQ(ask(session, "SELECT count(DISTINCT name) FROM kernels"), Answer{"6"});
}

/// The same of words, numbers near each other and far apart, rows of other tables, and of several columns; a plus
/// before a column keeps its table from giving the order.
TEST(QueryModel, RowsInTheOrderOfColumnsAreThoseThatSqliteSorts) {
  ReportBuilder b;
  for (int i = 0; i < 200; ++i) {
    const Row call =
        b.call(static_cast<CallKind>(i * 5 % 9), i, i + 1, static_cast<std::uint32_t>(i % 3),
               {.name = i % 4 == 0 ? "" : "call", .correlation = i * 7919LL % 101 * (i % 2 == 0 ? -1 : 1) << 40});
    b.kernel(i % 3 == 0 ? "a" : "b", i, i + 2, {.stream = i * 3 % 5, .call = i % 7 == 0 ? Row{kNone} : call});
  }
  const Report& report = b.build();
  Session session = session_over({&report});
  const std::vector<std::pair<std::string, std::vector<std::string>>> tables = {
      {"calls", {"kind", "correlation", "thread", "name", "report", "id"}},
      {"kernels", {"stream", "call", "name", "membership", "id"}}};
  for (const auto& [table, columns] : tables) {
    for (const std::string& first : columns) {
      for (const std::string& second : columns) {
        const auto sql = [&](const std::string& one, const std::string& two) {
          return "SELECT group_concat(id), " + first + " FROM " + table + " WHERE id % 5 > 0 GROUP BY " + one +
                 (first == second ? "" : ", " + two);
        };
        EXPECT_EQ(ask(session, sql(first, second)), ask(session, sql("+" + first, "+" + second))) << first << second;
      }
    }
    EXPECT_EQ(ask(session, "SELECT id FROM " + table + " ORDER BY " + columns[0] + " LIMIT 9"),
              ask(session, "SELECT id FROM " + table + " ORDER BY +" + columns[0] + " LIMIT 9"));
  }
  EXPECT_TRUE(one_contains_regex(ask(session, "EXPLAIN QUERY PLAN SELECT 1 FROM calls GROUP BY kind, correlation"),
                                 "VIRTUAL TABLE INDEX 0:[0-9]+,[0-9]+,$"));
  EXPECT_TRUE(one_contains_regex(ask(session, "EXPLAIN QUERY PLAN SELECT 1 FROM calls ORDER BY kind DESC"),
                                 "VIRTUAL TABLE INDEX 0:$"));
}

/// Over several reports SQLite sorts.
TEST(QueryModel, GroupsOverSeveralReportsAreOfAll) {
  ReportBuilder a, b;
  fill(a);
  fill(b);
  const Report &one = a.build(), &other = b.build();
  Session session = session_over({&one, &other});
  EXPECT_EQ(ask(session, "SELECT stream, count(*) FROM kernels GROUP BY stream"), (Answer{"7|2", "9|4"}));
}

TEST(QueryModel, JoinsByRowNumberAreLookups) {
  ReportBuilder b;
  fill(b);
  const Report& report = b.build();
  Session session = session_over({&report});
  // idxNum: 1 by row number, 32 by the value of a column, 8 and 16 from and to a start.
  EXPECT_TRUE(one_contains(ask(session, "EXPLAIN QUERY PLAN SELECT 1 FROM kernels k JOIN calls c ON k.call = c.id"),
                           "VIRTUAL TABLE INDEX 1:"));
  EXPECT_TRUE(one_contains(ask(session, "EXPLAIN QUERY PLAN SELECT 1 FROM kernels WHERE start >= 5 AND end < 9"),
                           "VIRTUAL TABLE INDEX 24:"));
}

TEST(QueryModel, RefersToRowsInRowColumns) {
  const auto role = [](std::string_view table, std::string_view name) {
    const SqlTable* found = find_table(table);
    const auto at = std::ranges::find(found->columns, name, &SqlColumn::name);
    return at == found->columns.end() ? Role::kReport : at->role;
  };
  // Row, and rows of processes and threads, which C++ cannot tell from names.
  for (const auto& [table, name] :
       std::vector<std::pair<std::string_view, std::string_view>>{{"kernels", "call"},
                                                                  {"kernels", "process"},
                                                                  {"calls", "thread"},
                                                                  {"calls", "twin"},
                                                                  {"ranges", "end_thread"},
                                                                  {"ops", "parent"},
                                                                  {"counters", "profiled"},
                                                                  {"collectives", "kernel"},
                                                                  {"threads", "process"},
                                                                  {"profiled", "launch_group"}})
    EXPECT_EQ(role(table, name), Role::kReference) << table << "." << name;
  for (const auto& [table, name] : std::vector<std::pair<std::string_view, std::string_view>>{
           {"kernels", "name"}, {"kernels", "grid_x"}, {"profiled", "pid"}, {"processes", "pid"}, {"calls", "name"}})
    EXPECT_EQ(role(table, name), Role::kPlain) << table << "." << name;
}

TEST(QueryModel, RowNumbersOfSeveralReportsDoNotMeet) {
  ReportBuilder a("a.sqlite"), b("b.sqlite");
  fill(a);
  fill(b);
  b.copy(CopyDirection::kHostToDevice, 8, 1, 2);
  const Report &first = a.build(), &second = b.build();
  Session session = session_over({&first, &second});
  EXPECT_EQ(ask(session, "SELECT k.report, count(*) FROM kernels k JOIN calls c ON k.call = c.id GROUP BY 1"),
            (Answer{"a.sqlite|2", "b.sqlite|2"}));
  EXPECT_EQ(ask(session, "SELECT count(*) FROM kernels k JOIN calls c ON k.call = c.id WHERE k.report <> c.report"),
            Answer{"0"});
  EXPECT_EQ(ask(session, "SELECT count(*), sum(duration) FROM kernels WHERE report = 'b.sqlite'"), Answer{"3|114"});
  EXPECT_EQ(ask(session, "SELECT count(*) FROM kernels WHERE report = 'c.sqlite'"), Answer{"0"});
  EXPECT_EQ(ask(session, "SELECT report, bytes FROM copies"), Answer{"b.sqlite|8"});
  EXPECT_EQ(ask(session, "SELECT DISTINCT range_path(range) FROM calls WHERE report = 'b.sqlite' ORDER BY 1"),
            (Answer{"step", "step/forward"}));
}

TEST(QueryModel, OnlyWhatAStatementNamesIsAskedFor) {
  StatementError problem;
  const auto needs = referred_to("SELECT registers, sum(duration) FROM kernels WHERE start > 5", {}, problem);
  ASSERT_TRUE(needs) << problem.sentence;
  EXPECT_EQ(needs->columns, (std::set<ColumnId>{col::kernels, col::kernel_registers}));
  const auto inner = referred_to(
      "SELECT range_path(c.range), i.duration FROM interval_union('SELECT start, end, stream FROM copies') i, calls c",
      {}, problem);
  ASSERT_TRUE(inner) << problem.sentence;
  EXPECT_EQ(inner->columns, (std::set<ColumnId>{col::copies, col::calls, col::call_range, col::ranges}));
  const auto linked = referred_to("SELECT count(*) FROM kernels WHERE call IS NULL", {}, problem);
  ASSERT_TRUE(linked) << problem.sentence;
  EXPECT_EQ(linked->columns, (std::set<ColumnId>{col::kernels, col::calls})) << "who asks for the call of a kernel";
  const auto whole = referred_to("SELECT w.start FROM windows w, copies", {}, problem);
  ASSERT_TRUE(whole) << problem.sentence;
  EXPECT_EQ(whole->columns, (std::set<ColumnId>{col::copies, col::calls})) << "calls belong to the window too";
  const auto paths = referred_to("SELECT path FROM range_paths", {}, problem);
  ASSERT_TRUE(paths) << problem.sentence;
  EXPECT_EQ(paths->columns, (std::set<ColumnId>{col::ranges, col::spans, col::calls, col::kernels, col::graphs,
                                                col::copies, col::sets, col::steps}));
  EXPECT_FALSE(referred_to("SELECT 1 FROM nobody", {}, problem));
  EXPECT_TRUE(contains(problem.sentence, "no such table: nobody"));
}

/// Each table of the report model that people are told of, and its columns by their names in the model.
TEST(QueryModel, HasTheTablesOfTheReportModel) {
  for (const char* name :
       {"kernels",   "graphs",     "copies",    "sets",        "calls",   "ranges",      "spans",      "syncs",
        "overheads", "iterations", "devices",   "collectives", "ops",     "allocations", "profiled",   "counters",
        "issues",    "properties", "processes", "threads",     "windows", "os_calls",    "mpi_events", "range_paths"}) {
    const SqlTable* table = find_table(name);
    ASSERT_NE(table, nullptr) << name;
    EXPECT_EQ(table->columns.front().name, "report");
  }
}

TEST(QueryModel, EveryColumnHasAMeaningAndSomethingThatFillsIt) {
  for (const SqlTable& table : sql_tables()) {
    for (const SqlColumn& column : table.columns) {
      const ColumnText text = column_text(table.name, column.name);
      EXPECT_NE(text.meaning, "") << table.name << "." << column.name;
      EXPECT_NE(text.filled_by, "") << table.name << "." << column.name;
    }
  }
  EXPECT_EQ(column_text("kernels", "occupancy").filled_by, "torch");
  EXPECT_EQ(column_text("kernels", "mangled_name").filled_by, "nsys, rocpd");
  EXPECT_EQ(column_text("threads", "priority").filled_by, "nsys");
  EXPECT_EQ(column_text("copies", "bytes").unit, "bytes");
  EXPECT_EQ(column_text("nobody", "nothing").meaning, "");
}

TEST(QueryModel, CountersFindTheirLaunches) {
  ReportBuilder b;
  const Row launch = b.profiled("gemm");
  b.counter(launch, "sm__throughput", 42.5);
  const Report& report = b.build();
  EXPECT_EQ(ask(report, "SELECT p.short_name, c.name, c.value FROM counters c JOIN profiled p ON c.profiled = p.id"),
            Answer{"gemm|sm__throughput|42.5"});
}

TEST(QueryModel, CollectivesFindTheirKernels) {
  ReportBuilder b;
  b.kernel("gemm", 0, 5);
  const Row kernel = b.kernel("ncclDevKernel_AllReduce_Sum_f32", 10, 20);
  b.collective(kernel, CollectiveKind::kAllReduce, {.group = "default", .sent = 64});
  const Report& report = b.build();
  EXPECT_EQ(ask(report,
                "SELECT k.start, c.kind, c.group_name, c.sent, c.received FROM collectives c "
                "JOIN kernels k ON c.kernel = k.id"),
            Answer{"10|" + std::string(collective_name(CollectiveKind::kAllReduce)) + "|default|64|-"});
}

TEST(QueryModel, ACellOfRunsThatIsNotKnownIsNullAfterARowThatKnowsIt) {
  ReportBuilder b;
  fill(b);
  SessionData data;
  data.has_labels = true;
  const std::optional<std::string> none;
  for (const std::optional<std::string>& host : {std::optional<std::string>("a"), none})
    data.runs.push_back({"p", "1", none, none, none, none, none, none, none, "1", host, none, none});
  Session session = session_over({&b.build()}, std::move(data));
  EXPECT_EQ(ask(session, "SELECT run, host, start FROM runs"), (Answer{"1|a|-", "1|-|-"}));
}

}  // namespace assay::query::model_test
