// nsys_stats on real exports: CSVs byte for byte against those of nsys 2024.2.3, and against SQL where it gave none.
#include "nsys_stats_csv.hpp"
#include "plugins/analyzers.hpp"
#include "plugins/real_report.hpp"
#include "support/test.hpp"

namespace assay::nsys_stats_real_test {

using namespace under_test::nsys_stats;

using namespace testing;

// Two exports more are among the thirteen of tests/recomputed/check_nsys_stats.py.
TEST(NsysStatsReal, TablesOfAVisionTransformer) {
  ASSAY_REAL_FILE(file, "h200", "rq1_model_architecture_impact/gpu0_numa0_vit16x12x768.sqlite");
  ASSAY_REAL_FILE(archive, "reference", "nsys_stats.tar.xz");
  const TempFolder unpacked;
  ASSERT_EQ(run_shell(unpacked.path(), "tar -xJf '" + archive->string() + "'").exit, 0);
  const RealReport real(descriptor, *file, "", "");
  int compared = 0;
  for (const NsysReport& report : kNsysReports) {
    const std::string name(report.name);
    const std::string theirs =
        read_text(unpacked / ("nsys_stats/" + file->stem().string() + "/" + nsys_table_id(name) + ".csv"));
    if (theirs.empty()) continue;  // nsys printed nothing, or nobody asked it
    const std::string ours = csv(real.report(), name);
    ++compared;
    const auto difference = std::mismatch(ours.begin(), ours.end(), theirs.begin(), theirs.end());
    const auto at = static_cast<std::size_t>(difference.first - ours.begin());
    EXPECT_TRUE(ours == theirs) << name << " differs at byte " << at << ": ours '" << ours.substr(at, 60) << "', nsys '"
                                << theirs.substr(std::min(at, theirs.size()), 60) << "'";
  }
  EXPECT_EQ(compared, 10);
}

/// total, count, least, greatest and name of kernels, one a line.
std::string by_sql(const fs::path& file, const std::string& column) {
  return testing::run_shell(
             ".",
             "sqlite3 -separator ',' 'file:" + file.string() +
                 "?immutable=1' \"SELECT sum(end - start) AS t, count(*) AS n, min(end - start), max(end - start), "
                 "value FROM CUPTI_ACTIVITY_KIND_KERNEL JOIN StringIds ON id = " +
                 column + " GROUP BY value ORDER BY t DESC, n, value\"")
      .out;
}

std::string by_plugin(const Report& report, const std::string& name) {
  const testing::Recorder r = analyzed(report, {{"reports", std::vector<std::string>{name}}});
  const testing::RecordedTable& table = r.tables.at(0);
  const auto integer = [&](std::string_view column, std::size_t row) {
    return std::to_string(table.column(column)->integers[row]) + ",";
  };
  std::string out;
  for (std::size_t row = 0; row < table.column("Name")->texts.size(); ++row) {
    out += integer("Total Time", row) + integer("Instances", row) + integer("Min", row) + integer("Max", row) +
           table.column("Name")->texts[row] + "\n";
  }
  return out;
}

TEST(NsysStatsReal, BaseAndMangledNamesAsSqlGroupsThem) {
  ASSAY_REAL_FILE(file, "examples", "rq1_model_architecture_impact/gpu0_numa0_vit16x12x768.sqlite");
  if (testing::run_shell(".", "command -v sqlite3").out.empty()) GTEST_SKIP() << "there is no sqlite3 to compare with";
  const RealReport real(descriptor, *file, "", "");
  EXPECT_EQ(by_plugin(real.report(), "cuda_gpu_kern_sum:base"), by_sql(*file, "shortName"));
  EXPECT_EQ(by_plugin(real.report(), "cuda_gpu_kern_sum:mangled"), by_sql(*file, "mangledName"));
  EXPECT_NE(by_sql(*file, "shortName"), by_sql(*file, "mangledName"));
}

TEST(NsysStatsReal, KernelsOfAWindowAsSqlFindsThem) {
  ASSAY_REAL_FILE(file, "examples", "rq1_model_architecture_impact/gpu0_numa0_vit16x12x768.sqlite");
  if (testing::run_shell(".", "command -v sqlite3").out.empty()) GTEST_SKIP() << "there is no sqlite3 to compare with";
  const std::string sql =
      "SELECT sum(k.end - k.start) AS t, count(*) AS n, min(k.end - k.start), max(k.end - k.start), s.value "
      "FROM CUPTI_ACTIVITY_KIND_KERNEL k JOIN CUPTI_ACTIVITY_KIND_RUNTIME r USING (correlationId) "
      "JOIN StringIds s ON s.id = k.demangledName JOIN NVTX_EVENTS w ON coalesce(w.text, (SELECT value FROM StringIds "
      "WHERE id = w.textId)) = 'test_vit_forward_3' AND r.start >= w.start AND r.end <= w.end "
      "GROUP BY s.value ORDER BY t DESC, n, s.value";
  const std::string theirs =
      testing::run_shell(".", "sqlite3 -separator ',' 'file:" + file->string() + "?immutable=1' \"" + sql + "\"").out;
  const RealReport real(descriptor, *file, "test_vit_forward_3", "");
  EXPECT_FALSE(theirs.empty());
  EXPECT_EQ(by_plugin(real.report(), "cuda_gpu_kern_sum"), theirs);
}

}  // namespace assay::nsys_stats_real_test
