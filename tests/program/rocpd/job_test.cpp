// Two ranks that rocprofv3 traced, each into a file of its own, as a job: known waiting, and nothing else of the
// environment.
#include "real_files.hpp"
#include "rocpd/made_rocpd.hpp"
#include "support/test.hpp"

namespace assay::job_test {

using namespace testing;

constexpr int kSteps = 12;

/// A rank of two: each step computes, then calls ncclAllReduce, which ends at the same time on both.
fs::path rank_file(int rank, std::int64_t compute, const fs::path& to) {
  const std::string uuid = "_0000000" + std::to_string(rank + 1) + "_c565_7565_938c_1314a3ac3a92";
  MadeRocpd made("3.0.0", R"({"RANK":")" + std::to_string(rank) +
                              R"(","WORLD_SIZE":"2","TOKEN":"hunter2","ROCPROF_KERNEL_TRACE":"1",)"
                              R"("ROCPROF_HIP_RUNTIME_API_TRACE":"1","ROCPROF_MARKER_API_TRACE":"1",)"
                              R"("ROCPROF_MEMORY_COPY_TRACE":"1","ROCPROF_RCCL_API_TRACE":"1"})");
  made.empty_process(uuid, 20 + rank);
  const auto table = [&](const char* word) { return "INSERT INTO \"rocpd_" + std::string(word) + uuid + "\""; };
  made.add("UPDATE \"rocpd_info_agent" + uuid + "\" SET absolute_index = " + std::to_string(1 + rank) +
           ", logical_index = " + std::to_string(1 + rank) + " WHERE id = 2;");
  made.add(table("info_kernel_symbol") +
           "(id, nid, pid, code_object_id, kernel_name, display_name) VALUES"
           "(2, 9, 20, 1, 'n', 'ncclDevKernel_Generic_4(ncclDevKernelArgsStorage<4096ul>)');");
  std::int64_t event = 1000;
  const auto happened = [&](int category, std::int64_t stack, const std::string& extra = "{}") {
    ++event;
    made.add(table("event") + "(id, category_id, stack_id, extdata) VALUES(" + std::to_string(event) + "," +
             std::to_string(category) + "," + std::to_string(stack) + ",'" + extra + "');");
  };
  const auto region = [&](std::int64_t start, std::int64_t end, int name) {
    made.add(table("region") + "(nid, pid, tid, start, \"end\", name_id, event_id) VALUES(9, 20, 40," +
             std::to_string(start) + "," + std::to_string(end) + "," + std::to_string(name) + "," +
             std::to_string(event) + ");");
  };
  const auto dispatch = [&](std::int64_t start, std::int64_t end, int kernel, int stream) {
    made.add(
        table("kernel_dispatch") +
        "(nid, pid, tid, agent_id, kernel_id, dispatch_id, queue_id, stream_id, start, \"end\", workgroup_size_x, "
        "workgroup_size_y, workgroup_size_z, grid_size_x, grid_size_y, grid_size_z, event_id) VALUES(9, 20, 40, 2," +
        std::to_string(kernel) + "," + std::to_string(event) + ", 7," + std::to_string(stream) + "," +
        std::to_string(start) + "," + std::to_string(end) + ", 256, 1, 1, 25600, 1, 1," + std::to_string(event) + ");");
  };
  for (int step = 0; step < kSteps; ++step) {
    const std::int64_t begin = 1'000'000 * (step + 1), stack = 10 * (step + 1);
    happened(5, stack, R"({"message":"ProfilerStep#)" + std::to_string(step) + "\"}");
    region(begin, begin + 990'000, 9);
    happened(3, stack + 1);
    region(begin + 1'000, begin + 2'000, 6);
    happened(2, stack + 1);
    dispatch(begin + 10'000, begin + 10'000 + compute, 1, 3);
    happened(11, stack + 2);
    region(begin + 3'000, begin + 8'000, 12);
    happened(3, stack + 3);
    region(begin + 4'000, begin + 5'000, 6);
    happened(2, stack + 3);
    dispatch(begin + 11'000 + compute, begin + 501'000, 2, 4);
  }
  fs::copy_file(made.write(), to);
  return to;
}

TEST(AmdJob, RanksWaitForTheSlowestAndNothingElseIsReadOut) {
  const testing::TempFolder scratch;
  fs::create_directories(scratch / "job");
  rank_file(0, 400'000, scratch / "job/100_results.db");
  rank_file(1, 440'000, scratch / "job/101_results.db");
  write_text(scratch / "q.toml",
             "[question]\nid = \"q\"\ntext = \"t\"\n[analyzers.communication]\n[analyzers.ranks]\n"
             "[analyzers.run_summary]\n");
  const testing::Outcome outcome =
      testing::run_assay(scratch.path(), {"run", "q.toml", "--reports", "job", "-o", "out"});
  ASSERT_EQ(outcome.exit, 0) << outcome.err;
  ReadOnlyDatabase results(scratch / "out/results.sqlite");
  std::map<std::string, double> facts;
  for (const auto& [name, value] : results.rows("SELECT report || ' ' || metric, value FROM facts WHERE dims = ''"))
    facts[name] = value;
  EXPECT_EQ(facts["100_results.db job.rank_count"], 2);
  EXPECT_EQ(facts["100_results.db comm.kernel_count"], kSteps);
  EXPECT_NEAR(facts["100_results.db rank.wait_ns"], 40'000, 1e-6) << "the other computes 40 us longer in each step";
  EXPECT_NEAR(facts["101_results.db rank.wait_ns"], 0, 1e-6);
  EXPECT_EQ(facts["100_results.db straggler.slowest_rank"], 1);
  for (const std::string& file : testing::files_below(scratch / "out"))
    EXPECT_FALSE(contains(read_text(scratch / "out" / file), "hunter2")) << file;
  const testing::Outcome list = testing::run_assay(scratch.path(), {"list", "job"});
  EXPECT_FALSE(contains(list.out + list.err, "hunter2"));
}

}  // namespace assay::job_test
