// A query reads, for so long and no longer, and says where it is wrong.
#include <atomic>

#include "asking.hpp"
#include "assay/testing/report_builder.hpp"
#include "query/functions.hpp"
#include "support/test.hpp"

namespace assay::query::guard_test {

using testing::ReportBuilder;

constexpr const char* kEndless =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";

TEST(QueryGuard, RefusesWhatIsNotReading) {
  ReportBuilder b;
  b.kernel("k", 0, 1);
  const Report& report = b.build();
  Session session = session_over({&report});
  for (const char* sql : {"ATTACH 'x.sqlite' AS x", "DETACH main", "CREATE TABLE t(a)", "CREATE TEMP TABLE t(a)",
                          "DELETE FROM kernels", "INSERT INTO kernels(id) VALUES(1)", "UPDATE kernels SET start = 0",
                          "DROP TABLE kernels", "PRAGMA temp_store_directory = '/'", "PRAGMA writable_schema = 1",
                          "SELECT load_extension('x.so')", "BEGIN", "VACUUM INTO 'copy.sqlite'", "REINDEX",
                          "CREATE VIRTUAL TABLE t USING assay_report", "SELECT * FROM pragma_database_list"}) {
    const Answer answer = ask(session, sql);
    ASSERT_EQ(answer.size(), 1U) << sql;
    EXPECT_TRUE(starts_with(answer.front(), "error: ")) << sql;
  }
  EXPECT_TRUE(contains(ask(session, "ATTACH 'x' AS x").front(), "ATTACH and DETACH are not allowed"));
  EXPECT_EQ(ask(session, "SELECT count(*) FROM kernels"), Answer{"1"});
}

TEST(QueryGuard, EndsAStatementAtItsLimitOrWhenStopped) {
  ReportBuilder b;
  const Report& report = b.build();
  Session session = session_over({&report});
  EXPECT_TRUE(each_contains(ask(session, kEndless, {std::chrono::milliseconds(20)}), {"longer than its limit"}));
  EXPECT_TRUE(
      each_contains(ask(session, "SELECT length(printf('%.*c', 16000000, 'x'))", {std::chrono::milliseconds(1)}),
                    {"longer than its limit"}))
      << "one step that is longer than the limit";
  std::atomic<bool> stop{true};
  EXPECT_TRUE(each_contains(ask(session, kEndless, {.stop = &stop}), {"interrupted"}));
  EXPECT_EQ(ask(session, "SELECT 1"), Answer{"1"});
}

TEST(QueryGuard, RefusesAValueThatIsMadeInOneLongStep) {
  ReportBuilder b;
  const Report& report = b.build();
  for (const char* sql : {"SELECT zeroblob(1000000000)", "SELECT length(hex(zeroblob(1 << 23)))",
                          "SELECT length(replace(hex(zeroblob(1 << 20)), '0', 'abcdefghijklmnop'))"}) {
    EXPECT_TRUE(each_contains(ask(report, sql), {"longer than 16 MiB"})) << sql;
  }
  EXPECT_EQ(ask(report, "SELECT length(zeroblob(16000000))"), Answer{"16000000"});
  for (const char* sql : {"SELECT printf('%1000000000d', 1)", "SELECT length(format('%d %.*c', 7, 1000000000, 'x'))",
                          "SELECT printf('%-*d', -1000000000, 1)", "SELECT printf('%16777217s', '')"}) {
    EXPECT_TRUE(each_contains(ask(report, sql), {"longer than 16 MiB"})) << sql;
  }
  EXPECT_EQ(ask(report, "SELECT printf('%*d|%5.1f|%%|%s|%,d|%Q', 4, 7, 2.5, 'a', 20000000000, 'it''s')"),
            Answer{"   7|  2.5|%|a|20,000,000,000|'it''s'"});
  // SQLite's own take the product of both lengths: hours.
  EXPECT_EQ(ask(report, "SELECT instr(zeroblob(16000000), zeroblob(8000000) || x'01')"), Answer{"0"});
  EXPECT_EQ(ask(report, "SELECT length(replace(hex(zeroblob(8000000)), hex(zeroblob(4000000)) || '1', 'x'))"),
            Answer{"16000000"});
  EXPECT_TRUE(each_contains(ask(report, "SELECT hex(zeroblob(9)) LIKE replace(hex(zeroblob(999)), '00', '%0')"),
                            {"too complex"}));
}

/// What each function and SQLite itself would hold in memory, a million rows and more of it.
constexpr const char* kGreedy[] = {
    "SELECT count(*) FROM (SELECT i, randomblob(64) AS b FROM n ORDER BY b)",
    "SELECT median(i) FROM n",
    "SELECT union_ns(i * 7 % 1000003, i * 7 % 1000003 + 1) FROM n",
    "SELECT count(*) FROM interval_union('WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT "
    "1000000) "
    "SELECT 2 * i, 2 * i + 1 FROM n')",
    "SELECT count(*) FROM interval_union('WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 300000) "
    "SELECT i, i + 1, printf(''a key of some length, %d'', i) FROM n')",
    "SELECT count(*) FROM histogram('WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1000) "
    "SELECT i, i FROM n', 100000)"};

TEST(QueryGuard, EndsAStatementAtItsMemoryAndNoOther) {
  ReportBuilder b;
  const Report& report = b.build();
  Session session = session_over({&report}), other = session_over({&report});
  constexpr std::int64_t kLittle = 8 << 20;
  for (const char* sql : kGreedy) {
    const std::string greedy =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1000000) " + std::string(sql);
    EXPECT_TRUE(each_contains(ask(session, greedy, {.memory = kLittle}), {"more memory than its limit of 8 MiB"}))
        << sql;
    EXPECT_EQ(ask(session, "SELECT 1", {.memory = kLittle}), Answer{"1"}) << "what was held is given back: " << sql;
  }
  StatementError problem;
  std::optional<Query> little = session.prepare("SELECT 1", {.memory = 1 << 16}, problem);
  ASSERT_TRUE(little) << problem.sentence;
  EXPECT_EQ(ask(other, "SELECT length(hex(zeroblob(1 << 20)))"), Answer{"2097152"}) << "while the little one is alive";
  EXPECT_EQ(little->step(), Query::Step::kRow);
}

TEST(QueryGuard, EndsWhatRunsWithinATableFunction) {
  ReportBuilder b;
  const Report& report = b.build();
  Session session = session_over({&report});
  const std::string within =
      "SELECT count(*) FROM interval_union('WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
      "SELECT 1, 2 FROM n WHERE i < 0')";
  EXPECT_TRUE(each_contains(ask(session, within, {std::chrono::milliseconds(20)}), {"longer than its limit"}));
  std::atomic<bool> stop{true};
  EXPECT_TRUE(each_contains(ask(session, within, {.stop = &stop}), {"interrupted"}));
}

TEST(QueryGuard, SortsOfOurOwnHearAStop) {
  std::atomic<bool> stop{true};
  sqlite::Budget budget;
  budget.start({.stop = &stop});
  const sqlite::Budget::Scope scope(budget);
  List<std::int64_t> values(1 << 20);
  std::iota(values.rbegin(), values.rend(), 0);
  std::swap(values[7], values[70000]);
  EXPECT_THROW(sort_within_limits(values, std::less<>()), std::runtime_error);
  EXPECT_EQ(budget.reason(), "interrupted");
}

TEST(QueryGuard, TakesOneStatementWithinATableFunctionToo) {
  ReportBuilder b;
  b.kernel("k", 0, 1);
  const Report& report = b.build();
  Session session = session_over({&report});
  EXPECT_EQ(ask(session, "SELECT start FROM interval_union('SELECT start, end FROM kernels; ')"), Answer{"0"});
  EXPECT_TRUE(each_contains(ask(session, "SELECT * FROM interval_union('SELECT start, end FROM kernels; SELECT 1, 2')"),
                            {"second statement"}));
  EXPECT_TRUE(starts_with(
      ask(session, "SELECT * FROM interval_subtract('SELECT 1, 2', 'SELECT 1, 2; DELETE FROM kernels')").at(0),
      "error: "));
  EXPECT_TRUE(each_contains(ask(session, "SELECT * FROM histogram('SELECT ?', 2)"), {"parameters"}));
  EXPECT_TRUE(each_contains(ask(session, "SELECT * FROM histogram('', 2)"), {"no statement"}));
}

TEST(QueryGuard, TakesOneStatementWithoutParameters) {
  ReportBuilder b;
  const Report& report = b.build();
  Session session = session_over({&report});
  EXPECT_EQ(ask(session, "SELECT 1; -- and no more"), Answer{"1"});
  EXPECT_TRUE(contains(ask(session, "SELECT 1; SELECT 2").front(), "second statement"));
  EXPECT_TRUE(contains(ask(session, " ").front(), "no statement"));
  EXPECT_TRUE(contains(ask(session, "SELECT ?").front(), "parameters"));
}

TEST(QueryGuard, TellsThePlaceOfAMistake) {
  ReportBuilder b;
  b.kernel("k", 0, 1);
  const Report& report = b.build();
  Session session = session_over({&report});
  const std::string sql = "SELECT start,\n  wrong FROM kernels";
  StatementError problem;
  EXPECT_FALSE(session.prepare(sql, {}, problem));
  ASSERT_TRUE(problem.offset);
  EXPECT_EQ(position_text(sql, *problem.offset), "line 2, column 3");
  EXPECT_FALSE(session.prepare("SELECT FROM kernels", {}, problem));
  ASSERT_TRUE(problem.offset);
  EXPECT_EQ(position_text("SELECT FROM kernels", *problem.offset), "line 1, column 8");
}

}  // namespace assay::query::guard_test
