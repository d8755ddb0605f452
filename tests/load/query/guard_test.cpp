// A query reads, for so long and no longer, and says where it is wrong.
#include <gmock/gmock.h>

#include <atomic>

#include "asking.hpp"
#include "assay/testing/report_builder.hpp"

namespace assay::query {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
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
    EXPECT_THAT(answer.front(), ::testing::StartsWith("error: ")) << sql;
  }
  EXPECT_THAT(ask(session, "ATTACH 'x' AS x").front(), HasSubstr("ATTACH and DETACH are not allowed"));
  EXPECT_EQ(ask(session, "SELECT count(*) FROM kernels"), Answer{"1"});
}

TEST(QueryGuard, EndsAStatementAtItsLimitOrWhenStopped) {
  ReportBuilder b;
  const Report& report = b.build();
  Session session = session_over({&report});
  EXPECT_THAT(ask(session, kEndless, {std::chrono::milliseconds(20)}), ElementsAre(HasSubstr("longer than its limit")));
  std::atomic<bool> stop{true};
  EXPECT_THAT(ask(session, kEndless, {std::chrono::milliseconds(0), &stop}), ElementsAre(HasSubstr("interrupted")));
  EXPECT_EQ(ask(session, "SELECT 1"), Answer{"1"});
}

TEST(QueryGuard, TakesOneStatementWithoutParameters) {
  ReportBuilder b;
  const Report& report = b.build();
  Session session = session_over({&report});
  EXPECT_EQ(ask(session, "SELECT 1; -- and no more"), Answer{"1"});
  EXPECT_THAT(ask(session, "SELECT 1; SELECT 2").front(), HasSubstr("second statement"));
  EXPECT_THAT(ask(session, " ").front(), HasSubstr("no statement"));
  EXPECT_THAT(ask(session, "SELECT ?").front(), HasSubstr("parameters"));
}

TEST(QueryGuard, TellsThePlaceOfAMistake) {
  ReportBuilder b;
  b.kernel("k", 0, 1);
  const Report& report = b.build();
  Session session = session_over({&report});
  const std::string sql = "SELECT start,\n  wrong FROM kernels";
  Problem problem;
  EXPECT_FALSE(session.prepare(sql, {}, problem));
  ASSERT_TRUE(problem.offset);
  EXPECT_EQ(position_text(sql, *problem.offset), "line 2, column 3");
  EXPECT_FALSE(session.prepare("SELECT FROM kernels", {}, problem));
  ASSERT_TRUE(problem.offset);
  EXPECT_EQ(position_text("SELECT FROM kernels", *problem.offset), "line 1, column 8");
}

}  // namespace
}  // namespace assay::query
