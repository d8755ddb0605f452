// CSVs of Nsight Compute joined to the kernels of an nsys export.
#include <sqlite3.h>

#include "config/nsys_database.hpp"
#include "ncu_files.hpp"
#include "support/check.hpp"
#include "support/temp_folder.hpp"

namespace assay::ncu_join_test {

/// A kernel of the export: name, grid x, block x.
struct Launch {
  std::string name;
  int grid, block;
};

class NcuJoin : public ::testing::Test {
 protected:
  std::filesystem::path write_export(const std::vector<Launch>& launches) {
    std::string sql =
        "CREATE TABLE StringIds(id INTEGER PRIMARY KEY, value TEXT);"
        "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INT, end INT, deviceId INT, contextId INT, streamId INT,"
        " correlationId INT, globalPid INT, demangledName INT, shortName INT, gridX INT, gridY INT, gridZ INT,"
        " blockX INT, blockY INT, blockZ INT);";
    int row = 0;
    for (const Launch& launch : launches) {
      const std::string id = std::to_string(++row), start = std::to_string(100 * row);
      sql += "INSERT INTO StringIds VALUES(" + id + ",'" + launch.name + "');";
      sql += "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES(" + start + "," + start + "+50,0,1,7," + id + ",0," + id +
             "," + id + "," + std::to_string(launch.grid) + ",1,1," + std::to_string(launch.block) + ",1,1);";
    }
    const auto file = folder_ / "run.sqlite";
    std::filesystem::remove(file);
    run_sql(file, sql);
    return file;
  }
  static std::string shape(int x) { return "(" + std::to_string(x) + ", 1, 1)"; }
  static std::string profiled(const std::string& id, const std::string& kernel, int grid, int block) {
    return details_row("Duration", "us", "1", {.id = id, .kernel = kernel, .block = shape(block), .grid = shape(grid)});
  }
  NcuReport joined(const std::vector<Launch>& launches, const std::string& rows) {
    return NcuReport(write_export(launches), {folder_.write("run.csv", details_header() + rows)});
  }
  static std::vector<Row> groups(const NcuReport& r) {
    return {r->kernels->profiled.begin(), r->kernels->profiled.end()};
  }
  TempFolder folder_;
};

TEST_F(NcuJoin, ByNormalisedNameAndLaunchShape) {
  const NcuReport r = joined({{"void ns::gemm<float, (int)4>(float *)", 8, 128},
                              {"void ns::gemm<float, (int)4>(float *)", 16, 128},
                              {"void ns::norm(float *)", 8, 128},
                              {"_ZN2ns4gemmIfLi4EEEvPf", 8, 128}},
                             profiled("0", "gemm<float, 4>(float*)", 8, 128) +
                                 profiled("1", "gemm<float, 4>(float*)", 8, 128) + profiled("2", "other", 1, 1));
  ASSERT_TRUE(r.ok()) << r.problem();
  EXPECT_TRUE(equals(groups(r), {0, kNone, kNone, 0}));
  EXPECT_TRUE(equals(std::vector<Row>(r->profiled->group.begin(), r->profiled->group.end()), {0, 0, 2}));
  EXPECT_EQ(r.issue("ncu_unmatched"), 1) << "the gemm of another shape; norm was never profiled";
  EXPECT_EQ(r.issue("ncu_unused"), 1);
  EXPECT_FALSE(r.issue("ncu_ambiguous"));
}

TEST_F(NcuJoin, OtherTemplateArgumentsAreAnotherKernel) {
  const NcuReport r =
      joined({{"void k<Fill>(int)", 8, 128}, {"void k<Add>(int)", 8, 128}}, profiled("0", "void k<Add>(int)", 8, 128));
  EXPECT_TRUE(equals(groups(r), {kNone, 0}));
  EXPECT_EQ(r.issue("ncu_unmatched"), 1);
}

TEST_F(NcuJoin, ArgumentsThatOnlyOneProfilerPrinted) {
  const NcuReport by_base =
      joined({{"void k<Fill>(int)", 8, 128}, {"void k<Add>(int)", 8, 128}}, profiled("0", "k", 8, 128));
  EXPECT_TRUE(equals(groups(by_base), {0, 0}));
  EXPECT_EQ(by_base.issue("ncu_ambiguous"), 2);
  const NcuReport one = joined({{"void k<Fill>(int)", 8, 128}}, profiled("0", "k", 8, 128));
  EXPECT_TRUE(equals(groups(one), {0}));
  EXPECT_FALSE(one.issue("ncu_ambiguous")) << "one kernel only";
  const NcuReport bare = joined({{"k", 8, 128}}, profiled("0", "k<Fill>", 8, 128) + profiled("1", "k<Add>", 8, 128));
  EXPECT_TRUE(equals(groups(bare), {kNone})) << "either could be meant";
  EXPECT_EQ(bare.issue("ncu_ambiguous"), 1);
  const NcuReport exact =
      joined({{"void k<Add>(int)", 8, 128}}, profiled("0", "k", 8, 128) + profiled("1", "k<Add>", 8, 128));
  EXPECT_TRUE(equals(groups(exact), {1})) << "equal arguments go before none";
}

/// Each of many instantiations of one template finds its own launch; they were once looked through one by one.
TEST_F(NcuJoin, ManyInstantiationsOfOneTemplate) {
  constexpr int kMany = 600;
  std::vector<Launch> launches;
  std::string rows;
  for (int i = 0; i < kMany; ++i) {
    launches.push_back({"void gemm<" + std::to_string(i) + ">(int)", 1 + i % 3, 32});
    rows += profiled(std::to_string(kMany - i), "gemm<" + std::to_string(kMany - 1 - i) + ">(int)", 1 + i % 3, 32);
  }
  const NcuReport r = joined(launches, rows);
  ASSERT_TRUE(r.ok()) << r.problem();
  for (int i = 0; i < kMany; ++i) {
    const int other = kMany - 1 - i;  // the row of its launch
    ASSERT_EQ(r->kernels->profiled[static_cast<std::size_t>(i)], other % 3 == i % 3 ? other : kNone) << i;
  }
}

TEST_F(NcuJoin, OldCsvsMatchByProducts) {
  const auto row = [](const char* metric, const char* value) {
    return csv_line({"0", "9", "k", "Launch Statistics", metric, "", value});
  };
  const auto old = folder_.write("run.csv", csv_line({"ID", "Process ID", "Kernel Name", "Section Name", "Metric Name",
                                                      "Metric Unit", "Metric Value"}) +
                                                row("Grid Size", "8") + row("Block Size", "128"));
  const NcuReport r(write_export({{"void k(int)", 8, 128}, {"void k(int)", 9, 128}}), {old});
  EXPECT_TRUE(equals(groups(r), {0, kNone}));
  const auto without = folder_.write("none.csv", csv_line({"ID", "Process ID", "Kernel Name", "Section Name",
                                                           "Metric Name", "Metric Unit", "Metric Value"}) +
                                                     csv_line({"0", "9", "k", "S", "Duration", "us", "1"}));
  const NcuReport none(write_export({{"void k(int)", 8, 128}}), {without});
  EXPECT_TRUE(equals(groups(none), {kNone})) << "no shape, no join";
}

TEST_F(NcuJoin, AnUnreadableCsvIsAnIssueAndTheReportStands) {
  const auto broken = folder_.write("run.csv", "==ERROR== No kernels were profiled.\n");
  const NcuReport r(write_export({{"k", 1, 1}}), {broken});
  ASSERT_TRUE(r.ok());
  EXPECT_EQ(r->profiled, nullptr);
  EXPECT_FALSE(r->kernels->profiled.present());
  EXPECT_TRUE(contains(r.issue_text("ncu_unreadable"), "No kernels were profiled."));
}

TEST_F(NcuJoin, NothingChangesWithoutCounters) {
  const NcuReport r(write_export({{"k", 1, 1}}));
  ASSERT_TRUE(r.ok());
  EXPECT_FALSE(r->kernels->profiled.present());
  EXPECT_EQ(r->profiled, nullptr);
  EXPECT_EQ(r->counters, nullptr);
  EXPECT_FALSE(r->kernels->grid_x.present()) << "nobody asked for it";
}

/// One program on an H200, profiled by PyTorch and by ncu 2025.3: six forwards of 11 launches, and one of them.
TEST(NcuRealPair, EveryKernelOfTheTraceHasItsCounters) {
  const std::filesystem::path folder = std::filesystem::path(ASSAY_SOURCE_DIR) / "examples/attention_h200";
  const NcuReport r(folder / "attention.pt.trace.json.gz", {folder / "attention.ncu.raw.csv"});
  ASSERT_TRUE(r.ok()) << r.problem();
  EXPECT_EQ(r->profiled->rows, 11U);
  ASSERT_EQ(r->kernels->rows, 66U);
  for (std::size_t k = 0; k < r->kernels->rows; ++k) EXPECT_NE(r->kernels->profiled[k], kNone) << "kernel " << k;
  EXPECT_FALSE(r.issue("ncu_unmatched"));
  EXPECT_FALSE(r.issue("ncu_unused"));
}

}  // namespace assay::ncu_join_test
