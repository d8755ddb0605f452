// Four databases of rocprofv3 on an MI300X, which are not part of the project: rows against plain SQL, and against
// rocpd's own views where these are right.
#include <sqlite3.h>

#include "catalog/catalog.hpp"
#include "load/made_export.hpp"
#include "loaded_rocpd.hpp"
#include "support/test.hpp"

namespace assay::real_rocpd_test {

class RealRocpd : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSAY_REAL_FOLDER(folder, "rocpd");
    folder_ = folder;
  }
  fs::path folder_;
};

double sql(const fs::path& file, const std::string& query) {
  const auto db = sqlite::open_immutable(file);
  if (!db) throw std::runtime_error(db.error().sentence);
  sqlite::Statement row(db->get(), query);
  if (!row.step()) throw std::runtime_error(query);
  return sqlite3_column_double(row.handle(), 0);
}

std::size_t rows(const fs::path& file, const std::string& table) {
  return static_cast<std::size_t>(sql(file, "SELECT count(*) FROM " + table));
}

TEST_F(RealRocpd, EveryTableHasTheRowsThatSqlCounts) {
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(folder_)) {
    if (entry.path().extension() != ".db") continue;
    ++files;
    SCOPED_TRACE(entry.path().string());
    for (const Reader reader : {Reader::kDirect, Reader::kSqlite}) {
      const LoadedRocpd loaded(entry.path(), reader);
      const Report& report = loaded.report();
      EXPECT_TRUE(is_empty(loaded.issues()));
      EXPECT_TRUE(is_empty(loaded.notes())) << "the pages are decoded directly";
      EXPECT_EQ(report.kernels->rows, rows(entry.path(), "rocpd_kernel_dispatch"));
      EXPECT_EQ(report.kernels->rows, rows(entry.path(), "kernels"));
      EXPECT_EQ(report.calls->rows, rows(entry.path(), "rocpd_region"));
      EXPECT_EQ(report.devices->rows, rows(entry.path(), "rocpd_info_agent WHERE type = 'GPU'"));
      EXPECT_EQ(report.copies, nullptr) << "not traced";
      EXPECT_EQ(report.ranges, nullptr) << "not traced";
      for (std::size_t k = 0; k < report.kernels->rows; ++k) {
        ASSERT_NE(report.kernels->call[k], kNone) << k;
        const auto call = static_cast<std::size_t>(report.kernels->call[k]);
        EXPECT_LT(report.calls->start[call], report.kernels->start[k]);
      }
    }
  }
  EXPECT_EQ(files, 4U);
}

TEST_F(RealRocpd, SaysWhereItWasMade) {
  const FoundFile found = sniff(folder_ / "bmm_21.db", "bmm_21.db");
  EXPECT_EQ(found.environment, (Environment{{"clock", "2100 MHz"},
                                            {"cuda", "HIP 7.1"},
                                            {"device", "AMD Instinct MI300X"},
                                            {"profiler", "rocprofv3 of ROCm 7.1.1"},
                                            {"program", "./batched_gemm"}}));
}

TEST_F(RealRocpd, DurationsAreThoseOfTopKernelsAndNeverMoreThanBusy) {
  const fs::path file = folder_ / "bmm_21.db";
  const LoadedRocpd loaded(file, Reader::kDirect);
  const KernelTable& k = *loaded.report().kernels;
  std::int64_t gemms = 0, gemm_ns = 0, all_ns = 0;
  for (std::size_t i = 0; i < k.rows; ++i) {
    const std::int64_t ns = k.end[i] - k.start[i];
    all_ns += ns;
    if (!loaded.report().string(k.name[i]).starts_with("void batched_matrix")) continue;
    ++gemms;
    gemm_ns += ns;
    EXPECT_EQ(k.grid_x[i], 4);
    EXPECT_EQ(k.grid_z[i], 128);
    EXPECT_EQ(k.block_x[i], 256);
    EXPECT_EQ(k.static_shared[i], 16384);
    EXPECT_EQ(k.dynamic_shared[i], 0);
    EXPECT_EQ(k.registers[i], 120);
  }
  EXPECT_EQ(gemms, 150);
  EXPECT_NEAR(static_cast<double>(gemm_ns) / 1000, 2832.845, 0.001) << "the view says microseconds and does not say so";
  EXPECT_NEAR(100.0 * static_cast<double>(gemm_ns) / static_cast<double>(all_ns), 74.06, 0.01);
  EXPECT_EQ(all_ns, static_cast<std::int64_t>(sql(file, "SELECT GpuTime FROM busy")));
}

}  // namespace assay::real_rocpd_test
