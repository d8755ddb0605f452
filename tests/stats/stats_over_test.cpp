// `assay stats --over`: the recipes of nsys over made exports. What is expected follows from the documented
// definitions, counted by hand.
#include "cli/log.hpp"
#include "load/made_export.hpp"
#include "stats/stats_command.hpp"
#include "support/test.hpp"

namespace assay::stats_over_test {

/// Times between which a kernel ran.
using Times = std::vector<std::pair<std::int64_t, std::int64_t>>;

/// An export with these runs of kernel_a, each in a range "step_K" around its launch.
MadeExport& with_steps(MadeExport& made, const Times& kernels) {
  made.with_calls().with_kernels().with_ranges();
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    const auto [start, end] = kernels[k];
    const auto id = static_cast<std::int64_t>(k) + 1;
    made.range(start - 8, start - 1, "step_" + std::to_string(k), tid(5, 6));
    made.call(start - 6, start - 4, tid(5, 6), id).kernel(start, end, pid(5), id);
  }
  return made;
}

class StatsOver : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(start_log(0, {})); }

  /// `origin`: when time 0 of the export was; 0: it does not say.
  void add(const std::string& name, const Times& kernels, std::int64_t origin = 0) {
    MadeExport made;
    with_steps(made, kernels);
    if (origin != 0) {
      made.add(
          "CREATE TABLE TARGET_INFO_SESSION_START_TIME(utcEpochNs INT);"
          "INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES(" +
          std::to_string(origin) + ");");
    }
    fs::copy_file(made.write(), reports() / name);
  }
  [[nodiscard]] fs::path reports() const {
    fs::create_directories(folder_.path() / "reports");
    return folder_.path() / "reports";
  }
  [[nodiscard]] fs::path out(const std::string& name = "out") const { return folder_.path() / name; }

  struct Ran {
    Exit exit;
    std::string said;
    std::map<std::string, std::string> files;
  };
  Ran run(const std::vector<std::string>& recipes, const std::string& pace_name = {}, unsigned jobs = 2,
          const std::string& name = "out", bool corrected = false) const {
    StatsOptions options;
    options.corrected = corrected;
    options.over = reports();
    options.reports = recipes;
    options.pace_name = pace_name;
    options.out = out(name);
    options.jobs = jobs;
    ::testing::internal::CaptureStderr();
    Ran ran{stats(options), {}, {}};
    ran.said = ::testing::internal::GetCapturedStderr();
    if (!fs::exists(options.out)) return ran;
    for (const auto& file : fs::directory_iterator(options.out))
      ran.files[file.path().filename().string()] = read_text(file.path());
    return ran;
  }

 private:
  TempFolder folder_;
};

TEST_F(StatsOver, PoolsExactlyAndByReport) {
  add("a.sqlite", {{100, 110}, {200, 220}});
  add("b.sqlite", {{100, 130}, {200, 240}});
  Ran ran = run({"cuda_gpu_kern_sum"});
  EXPECT_EQ(ran.exit, Exit::kOk) << ran.said;
  EXPECT_EQ(ran.files["cuda_gpu_kern_sum_all.csv"],
            "Time (%),Total Time (ns),Instances,Avg (ns),Q1 (ns),Med (ns),Q3 (ns),Min (ns),Max (ns),StdDev (ns),Name\n"
            "100.0,100,4,25.0,15.0,25.0,35.0,10,40,12.9,kernel_a\n");
  EXPECT_EQ(ran.files["cuda_gpu_kern_sum_by_report.csv"],
            "Rank,Report,Time (%),Total Time (ns),Instances,Avg (ns),Q1 (ns),Med (ns),Q3 (ns),Min (ns),Max (ns),"
            "StdDev (ns),Name\n"
            "0,a.sqlite,100.0,30,2,15.0,10.0,15.0,20.0,10,20,7.1,kernel_a\n"
            "1,b.sqlite,100.0,70,2,35.0,30.0,35.0,40.0,30,40,7.1,kernel_a\n");
  EXPECT_EQ(ran.files["files.csv"],
            "Rank,Report,Rank from\n0,a.sqlite,the order of names\n1,b.sqlite,the order of names\n");
}

TEST_F(StatsOver, RanksOfNamesAreTheRanks) {
  add("run_rank1.sqlite", {{100, 110}});
  add("run_rank3.sqlite", {{100, 130}});
  Ran ran = run({"cuda_gpu_kern_sum"});
  EXPECT_EQ(ran.exit, Exit::kOk) << ran.said;
  EXPECT_EQ(ran.files["files.csv"],
            "Rank,Report,Rank from\n1,run_rank1.sqlite,the file name\n3,run_rank3.sqlite,the file name\n");
}

TEST_F(StatsOver, RanksOfSeveralJobsAreNotPooled) {
  std::int64_t end = 110;
  for (const char* name : {"a_rank0.sqlite", "a_rank1.sqlite", "b_rank0.sqlite", "b_rank1.sqlite"})
    add(name, {{100, end++}});  // equal bytes would be one run
  const Ran ran = run({"cuda_gpu_kern_sum"});
  EXPECT_EQ(ran.exit, Exit::kUsage);
  EXPECT_NE(ran.said.find("holds 2 runs: a_rank0.sqlite (2 ranks) and b_rank0.sqlite (2 ranks); name a folder with the "
                          "ranks of one job"),
            std::string::npos)
      << ran.said;
  EXPECT_TRUE(ran.files.empty());
}

TEST_F(StatsOver, PoolsRangesByStyleAndCallsThatLookAlike) {
  add("a.sqlite", {{100, 110}});
  add("b.sqlite", {{100, 130}});
  Ran ran = run({"nvtx_sum", "cuda_api_sum", "nvtx_gpu_proj_sum"});
  EXPECT_TRUE(contains(ran.files["nvtx_sum_all.csv"], "\n100.0,14,2,7.0,7.0,7.0,7.0,7,7,0.0,PushPop,step_0\n"));
  EXPECT_TRUE(contains(ran.files["cuda_api_sum_all.csv"], "\n100.0,4,2,2.0,2.0,2.0,2.0,2,2,0.0,cudaLaunchKernel\n"));
  EXPECT_TRUE(
      contains(ran.files["nvtx_gpu_proj_sum_all.csv"], "\n100.0,40,2,20.0,10.0,20.0,30.0,10,30,14.1,PushPop,step_0\n"));
}

TEST_F(StatsOver, ADamagedFileIsSaidAndEndsNothing) {
  add("a.sqlite", {{100, 110}});
  std::ofstream(reports() / "broken.sqlite") << "SQLite format 3";
  Ran ran = run({"cuda_gpu_kern_sum"});
  EXPECT_EQ(ran.exit, Exit::kOk);
  EXPECT_TRUE(contains(ran.said, "broken.sqlite"));
  EXPECT_TRUE(contains(ran.files["cuda_gpu_kern_sum_all.csv"], "\n100.0,10,1,"));
}

TEST_F(StatsOver, WithoutARowAnywhereItFails) {
  add("a.sqlite", {{100, 110}});
  Ran ran = run({"osrt_sum"});
  EXPECT_EQ(ran.exit, Exit::kFailed);
  EXPECT_TRUE(contains(ran.said, "osrt_sum: no profile has rows for it"));
  EXPECT_FALSE(includes_key(ran.files, "osrt_sum_all.csv"));
}

TEST_F(StatsOver, PaceOfAKernelOnOneClock) {
  add("a.sqlite", {{100, 110}, {200, 220}, {300, 310}}, 5000);
  add("b.sqlite", {{90, 100}, {195, 210}, {280, 290}}, 5010);
  Ran ran = run({"cuda_gpu_kern_pace"}, "kernel_a");
  EXPECT_EQ(ran.exit, Exit::kOk) << ran.said;
  EXPECT_EQ(ran.said, "");
  EXPECT_EQ(ran.files["cuda_gpu_kern_pace_trace.csv"],
            "Rank,Report,Iteration,Start (ns),End (ns),Duration (ns),Duration Accum (ns),Delta (ns),Delta Accum (ns),"
            "Delta - Med (ns)\n"
            "0,a.sqlite,0,100,110,10,10,,0,\n"
            "0,a.sqlite,1,200,220,20,30,90,90,-2.5\n"
            "0,a.sqlite,2,300,310,10,40,80,170,5.0\n"
            "1,b.sqlite,0,100,110,10,10,,0,\n"
            "1,b.sqlite,1,205,220,15,25,95,95,2.5\n"
            "1,b.sqlite,2,290,300,10,35,70,165,-5.0\n");
  EXPECT_EQ(ran.files["cuda_gpu_kern_pace_by_iteration.csv"],
            "Iteration,Reports,Start Spread (ns),Delta Min (ns),Delta Q1 (ns),Delta Med (ns),Delta Q3 (ns),"
            "Delta Max (ns),Rank of Max\n"
            "0,2,0,,,,,,\n"
            "1,2,5,90,90.0,92.5,95.0,95,1\n"
            "2,2,10,70,70.0,75.0,80.0,80,0\n");
  EXPECT_TRUE(contains(ran.files["cuda_gpu_kern_pace_by_report.csv"],
                       "\n0,a.sqlite,3,40,13.3,10.0,10,20,5.8,170,85.0,85.0,80,90,7.1\n"));
}

TEST_F(StatsOver, PaceOfRangesThatEndInNumbers) {
  add("a.sqlite", {{100, 110}, {200, 220}}, 5000);
  add("b.sqlite", {{90, 100}, {195, 210}}, 5010);
  Ran ran = run({"nvtx_gpu_proj_pace"}, "step_*");
  EXPECT_TRUE(contains(ran.files["nvtx_gpu_proj_pace_trace.csv"], "\n1,b.sqlite,1,205,220,15,25,95,95,2.5\n"));
}

TEST_F(StatsOver, RunsOneAfterTheOtherKeepTheirOwnClocks) {
  add("a.sqlite", {{100, 110}, {200, 220}}, 5000);
  add("b.sqlite", {{90, 100}, {195, 210}}, 9000);
  Ran ran = run({"cuda_gpu_kern_pace", "gpu_time_util"}, "kernel_a");
  EXPECT_TRUE(contains(ran.said, "the profiles were not recorded at the same time"));
  EXPECT_TRUE(contains(ran.files["cuda_gpu_kern_pace_trace.csv"], "\n1,b.sqlite,0,90,100,"));
  EXPECT_FALSE(contains(ran.files["cuda_gpu_kern_pace_by_iteration.csv"], "Start Spread"));
  EXPECT_TRUE(contains(ran.files["gpu_time_util_map.csv"], "\n1,b.sqlite,0,5,0,0,4,100.0\n"));
}

TEST_F(StatsOver, UseOfDevicesIsARowPerPartOfTheirTime) {
  add("a.sqlite", {{100, 130}, {250, 400}});
  Ran ran = run({"gpu_time_util"});
  // 300 ns in 30 parts: the first three full, then twelve empty ones, and fifteen full ones.
  EXPECT_TRUE(contains(ran.files["gpu_time_util_map.csv"],
                       "\n0,a.sqlite,0,5,2,20,10,100.0\n0,a.sqlite,0,5,3,30,10,"
                       "0.0\n"));
}

TEST_F(StatsOver, GraphsTracedAsAWholeAreNotUnusedInSilence) {
  MadeExport made;
  with_steps(made, {{100, 110}, {390, 400}})
      .add(
          "CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE(start INT, end INT, deviceId INT, streamId INT, correlationId "
          "INT, "
          "globalPid INT, graphId INT); INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE VALUES(120,380,0,7,9," +
          std::to_string(pid(5)) + ",1);");
  fs::copy_file(made.write(), reports() / "a.sqlite");
  Ran exact = run({"gpu_time_util"}), corrected = run({"gpu_time_util"}, {}, 2, "corrected", true);
  EXPECT_TRUE(contains(exact.said, "1 CUDA graph launch was traced as a whole: as nsys does, their 260 ns"));
  EXPECT_TRUE(contains(exact.files["gpu_time_util_map.csv"], "\n0,a.sqlite,0,5,3,30,10,0.0\n"));
  EXPECT_TRUE(contains(corrected.said, "each counts as work from its start to its end"));
  EXPECT_TRUE(contains(corrected.files["gpu_time_util_map.csv"], "\n0,a.sqlite,0,5,3,30,10,100.0\n"));
}

TEST_F(StatsOver, TheSameBytesForAnyNumberOfThreads) {
  for (int r = 0; r < 9; ++r) add("rank" + std::to_string(r) + ".sqlite", {{100 + r, 110}, {200, 220 + 3 * r}}, 5000);
  const std::vector<std::string> recipes{"cuda_gpu_kern_sum:base", "nvtx_sum", "gpu_time_util", "cuda_gpu_kern_pace"};
  const Ran one = run(recipes, "kernel_a", 1, "one"), many = run(recipes, "kernel_a", 8, "many");
  EXPECT_EQ(one.files, many.files);
  EXPECT_EQ(one.said, many.said);
  EXPECT_EQ(one.files.size(), 9U);
}

TEST_F(StatsOver, RejectsImpossibleRequestsBeforeReading) {
  add("a.sqlite", {{100, 110}});
  EXPECT_TRUE(contains(run({"cuda_gpu_kern_sam"}).said, "cuda_gpu_kern_sum"));
  EXPECT_TRUE(contains(run({"cuda_memcpy_sync"}).said, "made from one profile at a time"));
  EXPECT_TRUE(contains(run({"cuda_gpu_kern_pace"}).said, "--name"));
  EXPECT_TRUE(contains(run({"nvtx_sum"}, "step").said, "--name belongs to"));
  EXPECT_EQ(run({"cuda_gpu_kern_pace"}).exit, Exit::kUsage);
  EXPECT_FALSE(fs::exists(out()));
}

}  // namespace assay::stats_over_test
