// Functions of SQL against the SDK's algorithms and against counting by hand.
#include "asking.hpp"
#include "assay/testing/report_builder.hpp"
#include "support/test.hpp"

namespace assay::query::functions_test {

using testing::ReportBuilder;

TEST(QueryFunctions, UnionCountsEachInstantOnce) {
  ReportBuilder b;
  b.kernel("a", 0, 10, {.stream = 1});
  b.kernel("b", 5, 15, {.stream = 2});
  b.kernel("c", 30, 40, {.stream = 1});
  const Report& report = b.build();
  EXPECT_EQ(ask(report, "SELECT union_ns(start, end) FROM kernels"), Answer{"25"});
  EXPECT_EQ(ask(report, "SELECT stream, union_ns(start, end) FROM kernels GROUP BY 1"), (Answer{"1|20", "2|10"}));
  EXPECT_EQ(ask(report, "SELECT union_ns(start, end) FROM kernels WHERE start > 100"), Answer{"-"});
  EXPECT_TRUE(contains(ask(report, "SELECT union_ns(start, 'x') FROM kernels").front(), "whole nanoseconds"));
}

/// Each against SQLite's own, which a connection without our functions has.
TEST(QueryFunctions, InstrAndReplaceAreThoseOfSqlite) {
  ReportBuilder b;
  const Report& report = b.build();
  const Result<sqlite::Database> plain = require(sqlite::open(":memory:", SQLITE_OPEN_READWRITE));
  const char* const values[] = {"'abcabc'", "'bc'", "''",   "'\u00e9\u00e8x'", "'\u00e8'", "x'00ff00'",
                                "x'00'",    "x''",  "NULL", "12312",           "3.5",      "'c'"};
  std::size_t compared = 0;
  const auto same = [&](const std::string& call) {
    const std::string sql = "SELECT " + call + ", typeof(" + call + ")";
    sqlite::Statement own(plain->get(), sql);
    ASSERT_TRUE(own.step()) << sql;
    const bool null = sqlite3_column_type(own.handle(), 0) == SQLITE_NULL;
    const std::string expected =
        (null ? "-" : std::string(own.text(0).substr(0, own.text(0).find('\0')))) + "|" + std::string(own.text(1));
    EXPECT_EQ(ask(report, sql), Answer{expected}) << sql;
    ++compared;
  };
  for (const std::string a : values) {
    for (const std::string c : values) {
      same("instr(" + a + ", " + c + ")");
      for (const char* by : {"'yy'", "''", "NULL", "7"}) same("replace(" + a + ", " + c + ", " + by + ")");
    }
  }
  EXPECT_EQ(compared, 12U * 12 * 5);
}

TEST(QueryFunctions, IntervalsAreUnitedCutAndSubtractedByKey) {
  ReportBuilder b;
  b.kernel("a", 0, 10, {.stream = 1});
  b.kernel("b", 5, 15, {.stream = 2});
  b.kernel("c", 9, 40, {.stream = 1});
  b.copy(CopyDirection::kHostToDevice, 1, 8, 12, {.stream = 1});
  b.copy(CopyDirection::kHostToDevice, 1, 20, 50, {.stream = 3});
  b.window("w", {0, 60});
  const Report& report = b.build();
  EXPECT_EQ(
      ask(report, "SELECT start, end, duration, key FROM interval_union('SELECT start, end, stream FROM kernels')"),
      (Answer{"0|40|40|1", "5|15|10|2"}));
  EXPECT_EQ(ask(report,
                "SELECT start, end, key FROM interval_intersect('SELECT start, end, stream FROM kernels', "
                "'SELECT start, end, stream FROM copies')"),
            Answer{"8|12|1"});
  EXPECT_EQ(ask(report,
                "SELECT start, end, key FROM interval_intersect('SELECT start, end, stream FROM kernels', "
                "'SELECT start, end FROM copies')"),
            (Answer{"8|12|1", "20|40|1", "8|12|2"}));
  EXPECT_EQ(ask(report,
                "SELECT start, end FROM interval_subtract('SELECT start, end FROM windows', "
                "'SELECT start, end FROM kernels UNION ALL SELECT start, end FROM copies')"),
            Answer{"50|60"});
}

TEST(QueryFunctions, WrongStatementsWithinAreToldBeforeAnythingRuns) {
  ReportBuilder b;
  b.kernel("a", 0, 10);
  const Report& report = b.build();
  EXPECT_TRUE(each_contains(ask(report, "SELECT * FROM interval_union('SELECT start, ende FROM kernels')"),
                            {"no such column: ende"}));
  EXPECT_TRUE(each_contains(ask(report, "SELECT * FROM interval_union('SELECT start FROM kernels')"),
                            {"has 1 columns; expected start, end and perhaps a key"}));
  EXPECT_TRUE(each_contains(ask(report, "SELECT * FROM interval_union(lower('SELECT start, end FROM kernels'))"),
                            {"one literal text"}));
  EXPECT_TRUE(each_contains(ask(report, "SELECT * FROM interval_union"), {"takes 1 argument"}));
  EXPECT_TRUE(each_contains(ask(report, "SELECT * FROM interval_union('PRAGMA user_version = 1')"), {"not allowed"}));
  EXPECT_TRUE(each_contains(ask(report, "SELECT * FROM interval_union('SELECT start, NULL FROM kernels')"),
                            {"not a whole number"}));
  EXPECT_TRUE(each_contains(ask(report, "SELECT * FROM interval_subtract('SELECT 1, 2', 'SELECT 1, 2, 3')"),
                            {"the second statement has a key but the first has none"}));
}

TEST(QueryFunctions, QuantilesAreThoseOfTheSdk) {
  ReportBuilder b;
  for (const int d : {10, 20, 30, 40}) b.kernel("k", d, 2 * d);
  const Report& report = b.build();
  EXPECT_EQ(ask(report,
                "SELECT median(duration), quantile(duration, 0.5), percentile(duration, 90), "
                "quantile(duration, 0), quantile(duration, 1) FROM kernels"),
            Answer{"25.0|25.0|37.0|10.0|40.0"});
  EXPECT_EQ(ask(report, "SELECT median(call) FROM kernels"), Answer{"-"});
  EXPECT_TRUE(contains(ask(report, "SELECT quantile(duration, 90) FROM kernels").front(), "from 0 to 1"));
  EXPECT_TRUE(contains(ask(report, "SELECT median(name) FROM kernels").front(), "'k' is not a number"));
}

TEST(QueryFunctions, HistogramHasEqualStepsOfOneScale) {
  ReportBuilder b;
  b.kernel("a", 0, 10, {.stream = 1});
  b.kernel("b", 0, 20, {.stream = 1});
  b.kernel("c", 0, 50, {.stream = 2});
  const Report& report = b.build();
  EXPECT_EQ(ask(report, "SELECT bin, low, high, count FROM histogram('SELECT duration FROM kernels', 4)"),
            (Answer{"0|10.0|20.0|1", "1|20.0|30.0|1", "2|30.0|40.0|0", "3|40.0|50.0|1"}));
  EXPECT_EQ(ask(report, "SELECT key, sum(count) FROM histogram('SELECT duration, stream FROM kernels', 4) GROUP BY 1"),
            (Answer{"1|2", "2|1"}));
  EXPECT_TRUE(
      contains(ask(report, "SELECT * FROM histogram('SELECT duration FROM kernels', 0)").front(), "1 to 100000 bins"));
}

TEST(QueryFunctions, KernelsHaveShortNamesAndClasses) {
  ReportBuilder b;
  b.kernel("void at::native::vectorized<int>(float*)", 0, 1);
  const Report& report = b.build();
  const std::vector<Str> rules{"hopper @9.0: vectorized", "elementwise: vectorized"};
  SessionData data;
  data.rules = NameRules(rules);
  Session session = session_over({&report}, data);
  EXPECT_EQ(ask(session, "SELECT short_name(name), kernel_class(name), kernel_class(name, '9.0') FROM kernels"),
            Answer{"vectorized|elementwise|hopper"});
  EXPECT_TRUE(contains(ask(session, "SELECT kernel_class(name, 'x') FROM kernels").front(), "compute capability"));
  Session without = session_over({&report});
  EXPECT_TRUE(contains(ask(without, "SELECT kernel_class(name) FROM kernels").front(), "has no rules"));
}

}  // namespace assay::query::functions_test
