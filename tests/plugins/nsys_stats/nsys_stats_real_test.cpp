// nsys_stats on real exports: CSVs byte for byte against those of nsys 2024.2.3, and against SQL where it gave none.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "plugins/analyzers.hpp"
#include "nsys_stats_csv.hpp"
#include "plugins/real_report.hpp"
#include "support/program.hpp"
#include "support/temp_folder.hpp"

namespace assay::nsys_stats_real_test {

using namespace under_test::nsys_stats;

namespace fs = std::filesystem;
using namespace testing;

const std::optional<fs::path>& archive() {
  static const auto path = data_file("reference", "nsys_stats.tar.xz");
  return path;
}

/// Empty where nsys printed nothing, or nobody asked it.
std::string expected(const std::string& stem, const std::string& name) {
  static const testing::TempFolder unpacked;
  static const int failed = testing::run_shell(unpacked.path(), "tar -xJf '" + archive()->string() + "'").exit;
  EXPECT_EQ(failed, 0) << *archive();
  return testing::read_text(unpacked / ("nsys_stats/" + stem + "/" + nsys_table_id(name) + ".csv"));
}

void compare(const fs::path& file) {
  const RealReport real(descriptor, file, "", "");
  int compared = 0;
  for (const NsysReport& report : kNsysReports) {
    const std::string name(report.name);
    const std::string theirs = expected(file.stem().string(), name);
    if (theirs.empty()) continue;
    const std::string ours = csv(real.report(), name);
    ++compared;
    const auto difference = std::mismatch(ours.begin(), ours.end(), theirs.begin(), theirs.end());
    const auto at = static_cast<std::size_t>(difference.first - ours.begin());
    EXPECT_TRUE(ours == theirs) << name << " differs at byte " << at << ": ours '" << ours.substr(at, 60) << "', nsys '"
                                << theirs.substr(std::min(at, theirs.size()), 60) << "'";
  }
  EXPECT_EQ(compared, 10);
}

#define SKIP_WITHOUT(file)                                                                                   \
  if (!(file)) GTEST_SKIP() << "the folder of real exports is not set (ASSAY_DATA/h200, ASSAY_DATA/public)"; \
  if (!archive()) GTEST_SKIP() << "ASSAY_DATA/reference is not set: nothing to compare with"

TEST(NsysStatsReal, VisionTransformer) {
  const auto file = data_file("h200", "rq1_model_architecture_impact/gpu0_numa0_vit16x12x768.sqlite");
  SKIP_WITHOUT(file);
  compare(*file);
}

TEST(NsysStatsReal, LargeTransformer) {
  const auto file = data_file("public", "nsys/cs336_zx_a100_2.7B_nvtx_2024.6.sqlite");
  SKIP_WITHOUT(file);
  compare(*file);
}

TEST(NsysStatsReal, TwoProcesses) {
  const auto file = data_file("public", "nsys/nsysai_mfu_2gpu_before_2026.2.sqlite");
  SKIP_WITHOUT(file);
  compare(*file);
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
  const auto file = data_file("examples", "rq1_model_architecture_impact/gpu0_numa0_vit16x12x768.sqlite");
  if (!file) GTEST_SKIP() << "ASSAY_EXAMPLES is not set: the bundled reports are not unpacked";
  if (testing::run_shell(".", "command -v sqlite3").out.empty()) GTEST_SKIP() << "there is no sqlite3 to compare with";
  const RealReport real(descriptor, *file, "", "");
  EXPECT_EQ(by_plugin(real.report(), "cuda_gpu_kern_sum:base"), by_sql(*file, "shortName"));
  EXPECT_EQ(by_plugin(real.report(), "cuda_gpu_kern_sum:mangled"), by_sql(*file, "mangledName"));
  EXPECT_NE(by_sql(*file, "shortName"), by_sql(*file, "mangledName"));
}

TEST(NsysStatsReal, KernelsOfAWindowAsSqlFindsThem) {
  const auto file = data_file("examples", "rq1_model_architecture_impact/gpu0_numa0_vit16x12x768.sqlite");
  if (!file) GTEST_SKIP() << "ASSAY_EXAMPLES is not set: the bundled reports are not unpacked";
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
