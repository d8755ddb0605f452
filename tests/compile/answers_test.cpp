#include "../../plugins/compile/words.hpp"
#include "support/program.hpp"
#include "support/real_data.hpp"
#include "support/test.hpp"

namespace assay::compile_answers_test {

using compile::Cause;
using compile::CauseKind;
using compile::CauseList;
using compile::CompileLog;
using testing::Outcome;
using testing::run_assay;

constexpr std::int64_t kSecond = 1'000'000'000;

compile::Compilation compilation(const std::string& id, const std::string& function, std::int64_t start,
                                 std::int64_t seconds) {
  compile::Compilation row;
  row.compile_id = id;
  row.function = function;
  row.place = "model.py:1";
  row.start = start * kSecond;
  row.end = (start + seconds) * kSecond;
  row.finished = row.graphs = 1;
  return row;
}

TEST(CompileCauses, SumToTheTimeOfTheLog) {
  CompileLog log;
  log.compilations = {compilation("0/0", "f", 0, 4), compilation("1/0", "torch_dynamo_resume_in_f_at_7", 4, 2),
                      compilation("0/1", "f", 6, 1), compilation("2/0", "g", 7, 8)};
  log.compilations[3].failure = "E: one\ntwo";
  log.breaks = {{0, 7, "model.py:7", "Unsupported Tensor.item() call", "Set it"},
                {2, 7, "model.py:7", "Unsupported Tensor.item() call", "Set it"}};
  log.recompiles = {{2, "tensor 'x' size mismatch at index 1. expected 8, actual 12", "", ""}};
  const CauseList list = compile::causes_of(log);
  ASSERT_EQ(list.causes.size(), 4U);
  std::int64_t sum = 0;
  for (const Cause& cause : list.causes) sum += cause.time;
  EXPECT_EQ(sum, 15 * kSecond);
  EXPECT_EQ(list.time, 15 * kSecond);
  EXPECT_EQ(list.failed, 1U);
  const Cause& failure = list.causes[list.of[3]];
  EXPECT_EQ(failure.kind, CauseKind::kFailure);
  EXPECT_EQ(failure.what, "E: one two");
  const Cause& broken = list.causes[list.of[1]];
  EXPECT_EQ(broken.kind, CauseKind::kBreak);
  EXPECT_EQ(broken.count, 2U);
  EXPECT_EQ(broken.time, 2 * kSecond);
  EXPECT_TRUE(broken.in_every_call);
  const Cause& size = list.causes[list.of[2]];
  EXPECT_EQ(size.what, "size of 'x' at index 1 (8, then 12) changes");
  EXPECT_EQ(size.place, "model.py:1");
  EXPECT_TRUE(contains(size.remedy, "mark_dynamic"));
}

TEST(CompileCauses, NameABreakThatOneVersionLacks) {
  CompileLog log;
  log.compilations = {compilation("0/0", "f", 0, 4), compilation("0/1", "f", 6, 1)};
  log.breaks = {{0, 7, "model.py:7", "print", ""}};
  EXPECT_FALSE(compile::causes_of(log).causes[0].in_every_call);
  log.breaks.push_back({1, 7, "model.py:7", "print", ""});
  for (const Cause& cause : compile::causes_of(log).causes)
    EXPECT_EQ(cause.in_every_call, cause.kind == CauseKind::kBreak);
}

Outcome look(const std::filesystem::path& folder, const std::string& place) {
  Outcome outcome = run_assay(folder, {"look", place});
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  std::string flat;
  for (const char c : outcome.out) {
    if (c != '\n' && (c != ' ' || !flat.ends_with(' '))) flat += c;
    if (c == '\n' && !flat.ends_with(' ')) flat += ' ';
  }
  outcome.out = flat;
  return outcome;
}

TEST(CompileAnswer, NamesTheBreakOfTheRecordedProgram) {
  ASSAY_REAL_FILE(own, "compile", "compile/own");
  const Outcome outcome = look(*own, "torch_trace");
  EXPECT_TRUE(contains(outcome.out,
                       "8 graphs, 2 graph breaks (met 6 times), 5 recompiles: 11.6 s of compiling; compiled.py:28 "
                       "(.item()) breaks the graph in every call"))
      << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "size of 'x' at index 0 (8, then 12) changes compiled.py:26 3 4.50"))
      << outcome.out;
}

/// By plain Python over the log: overlaps of [start_time_us, + duration_us] with the steps of the traces.
TEST(CompileAnswer, JoinsProfilesOfTheProcess) {
  ASSAY_REAL_FILE(own, "compile", "compile/own");
  const Outcome outcome = look(*own, ".");
  EXPECT_TRUE(contains(outcome.out, "compiling.pt.trace.json.gz: compiling inside steps, 10 s")) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "compiled.pt.trace.json.gz: compiling inside steps, 314 ms")) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "triton_red_fused_abs_mean_3 0/1 compiled.py:28 6 21.6")) << outcome.out;
  EXPECT_FALSE(contains(outcome.out, "eager.pt.trace.json.gz: Triton")) << outcome.out;
}

/// The log under the name of the trace: its tables are those of the profile, on its clock. The trace has
/// entire_frame_compile of 0/0 30.65 ms after its first event.
TEST(CompileLog, JoinsTheTraceWithItsName) {
  ASSAY_REAL_FILE(own, "compile", "compile/own");
  const TempFolder folder;
  folder.write("run.log", read_text(*own / "torch_trace/dedicated_log_torch_trace_fr1yat3u.log"));
  folder.write("run.pt.trace.json.gz", read_text(*own / "compiling.pt.trace.json.gz"));
  const Outcome outcome =
      run_assay(folder.path(), {"query", "run.pt.trace.json.gz",
                                "SELECT compile_id, start / 1000000 FROM compilations LIMIT 2", "--format", "csv"});
  EXPECT_EQ(outcome.out, "compile_id,start / 1000000\n0/0,30\n1/0,4843\n") << outcome.err;
  const Outcome page = look(folder.path(), ".");
  EXPECT_TRUE(contains(page.out, "run.pt.trace.json.gz: compiling inside steps, 10 s")) << page.out;
  EXPECT_FALSE(contains(page.out, "analyze failed")) << page.out;
  // By plain Python over both files: each hash of the trace is in the log.
  const Outcome launches =
      run_assay(folder.path(), {"query", "run.pt.trace.json.gz",
                                "SELECT count(*), count(DISTINCT kernel_file), sum(h IS NULL) FROM generated_launches "
                                "LEFT JOIN (SELECT DISTINCT hash h FROM generated_kernels) ON h = kernel_hash",
                                "--format", "csv"});
  EXPECT_EQ(launches.out, "count(*),count(DISTINCT kernel_file),sum(h IS NULL)\n1929,15,0\n") << launches.err;
}

/// The third log equals the first, so it gets a line more: equal files are left out as copies.
TEST(CompileAnswer, NamesRanksWithOtherCollectives) {
  ASSAY_REAL_FILE(schedule, "compile", "compile/tlparse/schedule");
  const TempFolder folder;
  folder.write("t_rank_0_a.log", read_text(*schedule / "dedicated_log_torch_trace_rank_0_6u3fubwl.log"));
  folder.write("t_rank_2.log", read_text(*schedule / "dedicated_log_torch_trace_rank_2.log") + "\n");
  EXPECT_TRUE(contains(look(folder.path(), ".").out, "2 ranks; rank ")) << "no divergence";
  folder.write("t_rank_1_b.log", read_text(*schedule / "dedicated_log_torch_trace_rank_1_n8zycf07.log"));
  const Outcome outcome = look(folder.path(), ".");
  EXPECT_TRUE(contains(outcome.out,
                       "rank 1 calls no more as collective 3 of graph_one (0/0), where ranks 0 and 2 call "
                       "reduce_scatter_tensor"))
      << outcome.out;
}

/// The log until its last two recompiles, against all of it.
TEST(CompileAnswer, ComparesTwoLogs) {
  ASSAY_REAL_FILE(log, "compile", "compile/own/torch_trace/dedicated_log_torch_trace_fr1yat3u.log");
  const std::string whole = read_text(*log);
  const TempFolder folder;
  folder.write("before.log", whole);
  folder.write("after.log",
               whole.substr(0, whole.rfind("\nV", whole.find(R"("frame_id": 1, "frame_compile_id": 2)")) + 1));
  const Outcome outcome = run_assay(folder.path(), {"compare", "before.log", "after.log", "--json"});
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out,
                       "compiling takes 1.52 s less (11.6 s -> 10 s): 5 -> 3 recompiles, 6 -> 4 graph breaks met and 8 "
                       "-> 6 graphs"))
      << outcome.out;
}

/// A trace alone: the account names what compiles, and sums to the step.
TEST(CompileCausesOfTraces, AreIdleTimeOfTheAccount) {
  ASSAY_REAL_FILE(own, "compile", "compile/own");
  const auto query = [&](const char* sql) {
    const Outcome outcome = run_assay(*own, {"query", "compiling.pt.trace.json.gz", sql, "--format", "csv"});
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    return outcome.out.substr(outcome.out.find('\n') + 1);
  };
  EXPECT_EQ(query("SELECT name, count(*) FROM causes GROUP BY name"),
            "autotuning Triton kernels,8\ncompiling frame 0,1\ncompiling frame 0 again (0/1),1\ncompiling frame 1,1\n"
            "compiling frame 1 again (1/1),1\ncompiling frame 2,1\ncompiling frame 2 again (2/1),1\n");
  EXPECT_EQ(query("SELECT name, sum(time) / 1000000 FROM account WHERE name LIKE 'compiling frame 0%' GROUP BY name"),
            "compiling frame 0,4603\ncompiling frame 0 again (0/1),2264\n");
}

}  // namespace assay::compile_answers_test
