// Samples of the GPU's counters as tables: one row per GPU and time, one column per metric.
#include "load/made_export.hpp"
#include "support/test.hpp"

namespace assay {
namespace gpu_samples_test {

struct Metric {
  int type, id;
  std::string name;
};
struct Sample {
  std::int64_t time;
  int type, metric;
  std::string value;
};

void add_samples(MadeExport& to, const std::vector<Metric>& metrics, const std::vector<Sample>& samples) {
  to.with_kernels().kernel(1000, 2000, pid(1), 1);
  std::string sql =
      "CREATE TABLE TARGET_INFO_GPU_METRICS(typeId INT, sourceId INT, typeName TEXT, metricId INT, metricName TEXT);"
      "CREATE TABLE GPU_METRICS(rawTimestamp INT, timestamp INT, typeId INT, metricId INT, value INT);";
  for (const auto& [type, id, name] : metrics) {
    sql += "INSERT INTO TARGET_INFO_GPU_METRICS VALUES(" + std::to_string(type) + ",1,'g'," + std::to_string(id) +
           ",'" + name + "');";
  }
  for (const auto& [time, type, metric, value] : samples) {
    sql += "INSERT INTO GPU_METRICS VALUES(0," + std::to_string(time) + "," + std::to_string(type) + "," +
           std::to_string(metric) + "," + value + ");";
  }
  to.add(sql);
}

LoadedView load(MadeExport& file, const std::set<ColumnId>& wanted = {col::kernels, col::declared}) {
  return LoadedView(file.write(), {}, {}, wanted);
}

LoadedView load_samples(const std::vector<Metric>& metrics, const std::vector<Sample>& samples,
                        const std::set<ColumnId>& wanted = {col::kernels, col::declared}) {
  MadeExport file;
  add_samples(file, metrics, samples);
  return load(file, wanted);
}

std::vector<std::int64_t> cells(const LoadedView& loaded, std::string_view column) {
  const DeclaredTable* table = loaded.report().table("gpu_metrics");
  if (table == nullptr) return {};
  const Column<std::int64_t> found = table->integers(column);
  if (!found.present()) return {};
  return {found.begin(), found.end()};
}

TEST(GpuSamples, AreOneRowPerGpuAndTime) {
  const LoadedView loaded = load_samples({{256, 3, "SMs Active [Throughput %]"},
                                          {256, 7, "GPC Clock Frequency [MHz]"},
                                          {257, 3, "SM Active [Throughput %]"},
                                          {257, 9, "Lava in Flight [Avg]"}},
                                         {{100, 256, 3, "0"},
                                          {100, 256, 7, "1980000000"},
                                          {110, 257, 3, "40"},
                                          {110, 257, 9, "5"},
                                          {200, 256, 3, "50"},
                                          {200, 256, 7, "1410"}});
  EXPECT_TRUE(equals(cells(loaded, "time"), {100, 110, 200}));
  EXPECT_TRUE(equals(cells(loaded, "device"), {0, 1, 0}));
  EXPECT_TRUE(equals(cells(loaded, "sms_active"), {0, 40, 50})) << "two names of one metric";
  EXPECT_TRUE(equals(cells(loaded, "gpc_clock"), {1'980'000'000, kNoCell, 1'410'000'000}))
      << "Hz, whatever the file has";
  EXPECT_TRUE(equals(cells(loaded, "other_1"), {kNoCell, 5, kNoCell}));
  EXPECT_TRUE(cells(loaded, "tensor_active").empty()) << "not sampled is no column of zeros";
  const DeclaredTable* names = loaded.report().table("gpu_metric_names");
  ASSERT_NE(names, nullptr);
  ASSERT_EQ(names->rows, 4U);
  EXPECT_EQ(loaded.report().string(names->texts("name")[3]), "Lava in Flight [Avg]");
  EXPECT_EQ(loaded.report().string(names->texts("column")[3]), "other_1");
  EXPECT_EQ(names->integers("samples")[0], 2);
}

TEST(GpuSamples, AreSortedWhereTheFileIsNot) {
  const std::vector<Metric> metrics = {{1, 0, "SMs Active [Throughput %]"}, {1, 1, "Tensor Active [Throughput %]"}};
  const LoadedView by_metric = load_samples(
      metrics,
      {{300, 1, 0, "3"}, {100, 1, 0, "1"}, {200, 1, 0, "2"}, {100, 1, 1, "11"}, {200, 1, 1, "12"}, {300, 1, 1, "13"}});
  EXPECT_TRUE(equals(cells(by_metric, "time"), {100, 200, 300}));
  EXPECT_TRUE(equals(cells(by_metric, "sms_active"), {1, 2, 3}));
  EXPECT_TRUE(equals(cells(by_metric, "tensor_active"), {11, 12, 13}));
}

TEST(GpuSamples, AreLeftOutAndCountedUnlessNumbers) {
  const LoadedView loaded = load_samples({{1, 0, "SMs Active [Throughput %]"}},
                                         {{100, 1, 0, "NULL"}, {200, 1, 0, "7"}, {300, 1, 5, "8"}, {400, 2, 0, "9"}});
  EXPECT_TRUE(equals(cells(loaded, "sms_active"), {7}));
  EXPECT_EQ(loaded.issue("bad_cells"), 1);
  EXPECT_EQ(loaded.issue("passed_over"), 2) << "of a metric and a GPU that have no name";
}

TEST(GpuSamples, AreUnknownForAMetricWithoutSamples) {
  const LoadedView loaded =
      load_samples({{1, 0, "SMs Active [Throughput %]"}, {1, 1, "Tensor Active [Throughput %]"}}, {{100, 1, 0, "5"}});
  EXPECT_TRUE(equals(cells(loaded, "tensor_active"), {kNoCell}));
}

TEST(GpuSamples, WithoutNamesAreLeftOut) {
  MadeExport export_of_none;
  export_of_none.with_kernels().kernel(1000, 2000, pid(1), 1);
  export_of_none.add(
      "CREATE TABLE GPU_METRICS(timestamp INT, typeId INT, metricId INT, value INT);"
      "INSERT INTO GPU_METRICS VALUES(1, 1, 1, 1);");
  const LoadedView loaded = load(export_of_none);
  EXPECT_EQ(loaded.report().table("gpu_metrics"), nullptr);
  EXPECT_TRUE(loaded.issue("missing_names").has_value());
}

TEST(GpuSamples, AreNotReadUnlessRequested) {
  const LoadedView loaded = load_samples({{1, 0, "SMs Active [Throughput %]"}}, {{100, 1, 0, "1"}}, {col::kernels});
  EXPECT_EQ(loaded.report().table("gpu_metrics"), nullptr);
}

/// 22 metrics at 20,000 times: a sample takes at most 16 bytes.
TEST(GpuSamples, TakeFewBytes) {
  MadeExport large;
  large.with_kernels().kernel(1000, 2000, pid(1), 1);
  large.add(
      "CREATE TABLE TARGET_INFO_GPU_METRICS(typeId INT, sourceId INT, typeName TEXT, metricId INT, metricName TEXT);"
      "CREATE TABLE GPU_METRICS(rawTimestamp INT, timestamp INT, typeId INT, metricId INT, value INT);"
      "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 21) INSERT INTO "
      "TARGET_INFO_GPU_METRICS "
      "SELECT 1, 1, 'g', i, 'Metric ' || i FROM n;"
      "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 439999) INSERT INTO GPU_METRICS "
      "SELECT 0, i / 22 * 100, 1, i % 22, i % 101 FROM n;");
  const LoadedView loaded = load(large);
  ASSERT_EQ(cells(loaded, "time").size(), 20'000U);
  EXPECT_LE(loaded.profile->bytes(), 440'000U * 16);
}

}  // namespace gpu_samples_test
}  // namespace assay
