// Every real CSV of Nsight Compute there is, against a count by Python's csv module.
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>

#include "assay/algo/speed_of_light.hpp"
#include "catalog/catalog.hpp"
#include "ncu_files.hpp"
#include "support/check.hpp"
#include "support/kinds.hpp"
#include "support/program.hpp"
#include "support/real_data.hpp"

namespace assay::ncu_real_files_test {

using Counts = std::map<std::string, std::array<double, 2>>;  // what -> rows, sum

Counts counted_by_python(const std::filesystem::path& file) {
  const std::string command = "python3 '" ASSAY_SOURCE_DIR "/tests/recomputed/count_ncu.py' '" + file.string() + "'";
  Counts counts;
  std::istringstream in(testing::run_shell(".", command).out);
  std::string name;
  std::array<double, 2> numbers{};
  while (in >> name >> numbers[0] >> numbers[1]) counts[name] = numbers;
  return counts;
}

/// "unit:byte/s", "kernels", "blocks", ... as the script counts them.
Counts counted(const NcuReport& r) {
  Counts counts;
  const ProfiledTable& launches = *r->profiled;
  for (std::size_t i = 0; i < launches.rows; ++i) {
    counts["kernels"][0] += 1;
    counts["kernels"][1] += static_cast<double>(launches.id[i]);
    counts["blocks"][0] += 1;
    counts["blocks"][1] += static_cast<double>(launches.grid_x[i]) * launches.grid_y[i] * launches.grid_z[i];
    counts["threads"][0] += 1;
    counts["threads"][1] += static_cast<double>(launches.block_x[i]) * launches.block_y[i] * launches.block_z[i];
  }
  for (std::size_t c = 0; c < r->counters->rows; ++c) {
    const std::string_view unit = r->string(r->counters->unit[c]);
    auto& [rows, sum] = counts["unit:" + std::string(unit.empty() ? "none" : unit)];
    rows += 1;
    sum += r->counters->value[c];
  }
  counts["unavailable"] = {static_cast<double>(r.issue("ncu_not_available").value_or(0)), 0};
  return counts;
}

TEST(NcuRealFiles, CountsEqualPython) {
  ASSAY_REAL_FOLDER(data, "public");
  std::size_t read = 0, refused = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(data) / "ncu")) {
    SCOPED_TRACE(entry.path());
    EXPECT_EQ(sniff(entry.path(), "x").kind, kind::kNcu);
    const Counts expected = counted_by_python(entry.path());
    const NcuReport r(entry.path());
    if (!expected.contains("kernels")) {
      EXPECT_TRUE(contains(r.problem(), "did not match"));
      ++refused;
      continue;
    }
    ASSERT_TRUE(r.ok()) << r.problem();
    const Counts found = counted(r);
    ASSERT_EQ(found.size(), expected.size());
    for (const auto& [name, numbers] : expected) {
      ASSERT_TRUE(found.contains(name)) << name;
      EXPECT_EQ(found.at(name)[0], numbers[0]) << name;
      EXPECT_NEAR(found.at(name)[1], numbers[1], 1e-9 * std::abs(numbers[1])) << name;
    }
    ++read;
  }
  EXPECT_EQ(read, 4U);
  EXPECT_EQ(refused, 1U);
}

TEST(NcuRealFiles, KnownValues) {
  ASSAY_REAL_FOLDER(data, "public");
  const std::filesystem::path folder = std::filesystem::path(data) / "ncu";
  const NcuReport t4(folder / "nsightful_copy_blocked_t4_details.csv");
  EXPECT_EQ(t4.counter(0, "Duration"), "21058944 ns");
  EXPECT_EQ(t4.counter(0, "Achieved Occupancy"), "96.26 %");
  EXPECT_EQ(t4->string(t4->profiled->short_name[0]), "copy_blocked");
  const NcuReport gemv(folder / "dsocr_rtx5090_gemv_details.csv");
  EXPECT_EQ(gemv.counter(0, "dram__bytes_read.sum"), "2330000 byte");
  EXPECT_EQ(gemv.counter(0, "Memory Throughput", "Memory Workload Analysis"), "345140000000 byte/s");
  EXPECT_EQ(gemv->string(gemv->profiled->short_name[0]), "kernel");
  const NcuReport saxpy(folder / "roofprof_rtx5070_saxpy_bom_stdout.csv");
  EXPECT_EQ(saxpy->string(saxpy->profiled->short_name[0]), "saxpy_kernel");
}

// By hand from the cells: saxpy read 134,221,568 and wrote 43,631,104 bytes in 292,928 ns, 4 sectors a request; the
// T4's DRAM is said to be at 61.84 %, which makes its peak 317.7 GB/s.
TEST(NcuRealFiles, WarpsSectorsAndBytesASecond) {
  ASSAY_REAL_FOLDER(data, "public");
  const std::filesystem::path folder = std::filesystem::path(data) / "ncu";
  const auto speed = [&](const char* name) {
    const NcuReport report(folder / name);
    return SpeedsOfLight(report.report()).groups().begin()->second;
  };
  const SpeedOfLight saxpy = speed("roofprof_rtx5070_saxpy_bom_stdout.csv");
  EXPECT_DOUBLE_EQ(saxpy.warp_execution.value(), 1);
  EXPECT_DOUBLE_EQ(saxpy.load_sectors.value(), 4);
  EXPECT_DOUBLE_EQ(saxpy.store_sectors.value(), 4);
  EXPECT_NEAR(saxpy.dram_rate.value(), 607.154904959e9, 1e3);
  EXPECT_FALSE(saxpy.dram_peak) << "no share of the peak was measured";
  const SpeedOfLight t4 = speed("nsightful_copy_blocked_t4_details.csv");
  EXPECT_DOUBLE_EQ(t4.warp_execution.value(), 1);
  EXPECT_FALSE(t4.load_sectors);
  EXPECT_NEAR(t4.dram_rate.value(), 196456177859.63, 1);
  EXPECT_NEAR(t4.dram_peak.value(), 196456177859.63 / 0.6184, 1);
}

}  // namespace assay::ncu_real_files_test
