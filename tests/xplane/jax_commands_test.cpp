// JAX profiles as people ask for them.
#include <nlohmann/json.hpp>

#include "made_xplane.hpp"
#include "support/test.hpp"

namespace assay {
namespace jax_commands_test {

using testing::Outcome;
using testing::run_assay;

constexpr std::int64_t kMs = 1'000'000'000;  // ps

/// Four steps of 10 ms, each with a kernel of 6 ms; the first compiles for 90 ms before that if it is asked to.
test::Message profile(const std::string& host, bool compiles = false) {
  test::MadePlane device("/device:GPU:0"), threads("/host:CPU"), task("Task Environment"), programs("/host:metadata");
  test::PlaneLine stream{"Stream #1", 1, 0}, thread{"python3", -5, 0};
  std::int64_t at = 0;
  if (compiles) {
    thread.events.push_back({"PJRT_Client_Compile", 0, 90 * kMs});
    at = 90 * kMs;
  }
  for (std::int64_t step = 0; step < 4; ++step, at += 10 * kMs) {
    thread.events.push_back({"train", at, 10 * kMs, {{"step_num", step}}});
    thread.events.push_back({"cuGraphLaunch (CudaGraph:1)", at + kMs, kMs, {{"correlation_id", step + 1}}});
    thread.events.push_back({"np.asarray(jax.Array)", at + 3 * kMs, 6 * kMs});
    stream.events.push_back({"loop_fusion",
                             at + 2 * kMs,
                             6 * kMs,
                             {{"correlation_id", step + 1}, {"cuda_graph_node_id", 0}, {"program_id", 12}},
                             {{"hlo_op", "command_buffer_1"}}});
  }
  device.stat("gpu_device_name", "H100").line(stream);
  threads.stat("process_id", 7).line(thread);
  task.stat("profile_start_time", 1'795'697'308'000'000'000);
  programs.program("jit_f(12)", 12, test::made_program({{"loop_fusion.3", "fusion", "jit(f)/jvp(a)/mul"}}));
  return test::made_space({programs, device, threads, task}, host);
}

TEST(JaxProfile, LookFindsItsSteps) {
  const TempFolder folder;
  folder.write("a.xplane.pb", profile("n"));
  const Outcome look = run_assay(folder.path(), {"look", "a.xplane.pb"});
  EXPECT_EQ(look.exit, 0) << look.err;
  EXPECT_TRUE(contains(look.out, "Where a step of 10 ms goes (mean of 4)")) << look.out;
  EXPECT_FALSE(contains(look.out, "is compilation"));
}

TEST(JaxProfile, LookSaysFirstThatItCompiled) {
  const TempFolder folder;
  folder.write("a.xplane.pb", profile("n", true));
  const Outcome look = run_assay(folder.path(), {"look", "a.xplane.pb"});
  EXPECT_EQ(look.exit, 0) << look.err;
  EXPECT_TRUE(contains(look.out, "69 % of this capture is")) << look.out;
}

TEST(JaxProfile, KernelsAreAskedByThePathOfTheirCode) {
  const TempFolder folder;
  folder.write("a.xplane.pb", profile("n"));
  const Outcome asked = run_assay(
      folder.path(), {"query", "a.xplane.pb", "--format", "csv",
                      "SELECT m.name, o.name, count(*), sum(k.end - k.start) FROM kernels k JOIN ops o ON o.id = k.op "
                      "JOIN ops p ON p.id = o.parent JOIN ops m ON m.id = p.parent GROUP BY 1, 2"});
  EXPECT_EQ(asked.exit, 0) << asked.err;
  EXPECT_TRUE(contains(asked.out, "jit(f)/jvp(a),loop_fusion.3,4,24000000")) << asked.out;
}

TEST(JaxProfile, RangesAreReadForIterationsWindowsAndCalls) {
  const TempFolder folder;
  folder.write("a.xplane.pb", profile("n"));
  const auto asked = [&](const std::string& sql, std::vector<std::string> more) {
    std::vector<std::string> words = {"query", "a.xplane.pb", "--format", "csv", sql};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = run_assay(folder.path(), words);
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    return outcome.out.substr(outcome.out.find('\n') + 1);
  };
  EXPECT_EQ(asked("SELECT count(*) FROM iterations", {"--iterations", "train {i}"}), "4\n");
  EXPECT_EQ(asked("SELECT count(c.range) FROM calls c", {}), "8\n") << "a launch and a wait in each step";
  for (const char* window : {"train 1", "train 3"})
    EXPECT_EQ(asked("SELECT count(*) FROM kernels WHERE membership = 'inside'", {"--window", window}), "1\n");
  folder.write("q.toml", "[question]\nid = \"q\"\n[iterations]\nnvtx = \"train {i}\"\n[analyzers.run_summary]\n");
  const Outcome run = run_assay(folder.path(), {"run", "q.toml", "--reports", ".", "-o", "out"});
  EXPECT_EQ(run.exit, 0) << run.err;
  const std::string facts = testing::read_text(folder.path() / "out/facts.csv");
  EXPECT_TRUE(contains(facts, "iteration.count")) << facts;
}

TEST(JaxProfile, AdviceIsOfItsOwnTool) {
  const TempFolder folder;
  test::MadePlane threads("/host:CPU");
  threads.stat("process_id", 7).line({"python3", -5, 0, {{"train", 0, kMs, {{"step_num", 1}}}}});
  folder.write("cpu.xplane.pb", test::made_space({threads}, "n"));
  const Outcome look = run_assay(folder.path(), {"look", "cpu.xplane.pb"});
  EXPECT_EQ(look.exit, 0) << look.err;
  EXPECT_FALSE(contains(look.out, "nsys")) << look.out;
  EXPECT_FALSE(contains(look.out, "ProfilerActivity")) << look.out;
  EXPECT_FALSE(contains(look.out, "needs ")) << "the id of a column is for developers: " << look.out;
}

TEST(JaxProfile, HostsOfARunAreRanksAndTheDateIsNotALabel) {
  const TempFolder folder;
  for (const char* host : {"node-b", "node-a"})
    folder.write("run/plugins/profile/2026_11_26_12_48_28/" + std::string(host) + ".xplane.pb", profile(host));
  const Outcome listed = run_assay(folder.path(), {"list", "run", "--json"});
  ASSERT_EQ(listed.exit, 0) << listed.err;
  const nlohmann::json rows = nlohmann::json::parse(listed.out)["result"];
  ASSERT_EQ(rows.size(), 2U);
  for (std::size_t rank = 0; rank < 2; ++rank) {
    EXPECT_EQ(rows[rank]["role"], "rank");
    EXPECT_EQ(rows[rank]["environment"]["rank"], std::to_string(rank)) << "in the order of the names";
    EXPECT_EQ(rows[rank]["environment"]["world_size"], "2");
    EXPECT_EQ(rows[rank]["environment"]["recorded"], "2026-11-26 12:48:28");
    EXPECT_TRUE(rows[rank]["labels"].empty());
    EXPECT_EQ(rows[rank]["step"], "train {i}");
  }
}

TEST(JaxProfile, InitComparesTheFoldersOfCapturesWhateverTheirDates) {
  const TempFolder folder;
  for (const auto& [variant, date] : {std::pair("f32", "2026_11_26_12_48_28"), {"bf16", "2026_11_26_12_50_07"}}) {
    const std::string place = "run/" + std::string(variant) + "/plugins/profile/" + date + "/node1";
    folder.write(place + ".xplane.pb", profile("node1", variant == std::string_view("f32")));
    folder.write(place + ".trace.json", R"({"traceEvents":[{"args":{"name":"/device:GPU:0"}}]})");
  }
  const Outcome init = run_assay(folder.path(), {"init", "run", "-o", "q.toml"});
  EXPECT_EQ(init.exit, 0) << init.err;
  EXPECT_TRUE(starts_with(init.out, "2 profiles (xplane)\n")) << "JAX's own trace of a capture is no file of its own";
  EXPECT_TRUE(contains(init.out, "compared with bf16")) << init.out;
  const Outcome plan = run_assay(folder.path(), {"plan", "q.toml", "--reports", "run"});
  EXPECT_TRUE(contains(plan.out, "complete: 2 of 2 runs")) << plan.out << plan.err;
}

TEST(JaxProfile, ACutFileIsRefusedWithThePlace) {
  const TempFolder folder;
  const test::Message whole = profile("n");
  folder.write("a.xplane.pb", whole.substr(0, whole.size() - 40));
  const Outcome look = run_assay(folder.path(), {"look", "a.xplane.pb"});
  EXPECT_NE(look.exit, 0);
  EXPECT_TRUE(contains(look.out + look.err, "is in a length beyond what is")) << look.out << look.err;
}

}  // namespace jax_commands_test
}  // namespace assay
