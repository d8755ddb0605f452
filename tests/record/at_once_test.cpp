// Blocks on several GPUs at the same time: what is kept apart, what is shared, and how it ends.
#include <set>
#include <thread>

#include "record/process.hpp"
#include "record/recording.hpp"
#include "recording_fixture.hpp"
#include "support/check.hpp"

namespace assay::record::at_once_test {

namespace fs = std::filesystem;

class AtOnce : public Recording {
 protected:
  void ask_of_gpus(const std::string& of_a, const std::string& of_b, const std::string& more = "") {
    home_.write("question.toml",
                "[question]\nid = \"q\"\n[iterations]\nnvtx = \"step_{i}\"\n[labels]\npatterns = "
                "[\"gpu{gpu}_{mode}\"]\nmode = { values = [\"a\", \"b\"] }\ngpu = { type = \"int\" }\n[[matrix]]\n"
                "mode = [\"a\", \"b\"]\n[experiment]\ncommand = [\"true\", \"count=" +
                    (home_ / "count").string() + "\", \"{mode}\"]\ngpu = \"{gpu}\"\n" +
                    "profiler = { name = \"profiled\", command = [\"" + profiler() + "\", \"-o\", \"{report}\"] }\n" +
                    more + "\n[experiment.arguments]\nmode = { a = [" + of_a + "], b = [" + of_b + "] }\n");
  }
  static DesignOptions two_gpus(std::size_t replicates) {
    DesignOptions options;
    options.gpus = {"0", "3"};
    options.replicates = replicates;
    options.at_once = true;
    return options;
  }
};

/// The most runs that were open at a time, and the most of one GPU.
std::pair<std::size_t, std::size_t> open_runs(const std::vector<Json>& journal) {
  std::map<std::string, std::string> gpu_of_open;
  std::size_t most = 0, most_of_one = 0;
  for (const Json& event : journal) {
    const std::string kind = text_in(event, "event"), run = text_in(event, "run");
    if (kind == "start") gpu_of_open[run] = text_in(event.at("env"), "CUDA_VISIBLE_DEVICES");
    if (kind == "end") gpu_of_open.erase(run);
    std::map<std::string, std::size_t> by_gpu;
    for (const auto& [open, gpu] : gpu_of_open) most_of_one = std::max(most_of_one, ++by_gpu[gpu]);
    most = std::max(most, gpu_of_open.size());
  }
  return {most, most_of_one};
}

TEST_F(AtOnce, EachGpuHasOneRunAtATimeAndNothingIsLost) {
  ask_of_gpus("\"time=1000\", \"sleep=0.2\"", "\"time=2000\", \"sleep=0.2\"");
  const auto done = require(record({}, two_gpus(5)));
  EXPECT_EQ(done->made, 15U) << "two cells and the twin, five blocks, of which the last is alone";
  const std::vector<Json> journal = lines_of(folder());
  EXPECT_EQ(open_runs(journal), std::pair(std::size_t{2}, std::size_t{1}));
  EXPECT_EQ(results().size(), 15U);
  std::set<std::pair<int, int>> replicates;
  for (const auto& run : results()) {
    EXPECT_TRUE(run.at("success").get<bool>());
    replicates.emplace(run.at("block"), run.at("replicate"));
  }
  EXPECT_TRUE(
      equals(replicates, {std::pair(1, 1), std::pair(2, 2), std::pair(3, 3), std::pair(4, 4), std::pair(5, 5)}));
  EXPECT_EQ(journal.front().at("design").at("gpus_at_once"), 2);
  EXPECT_TRUE(contains(said_.str(), "2 GPUs at once: their runs share the CPUs and memory of this host"));
  EXPECT_EQ(state_of(*read_journal(folder())).blocks.size(), 5U);
}

TEST_F(AtOnce, OnlyWhereItIsAskedFor) {
  ask_of_gpus("\"time=1000\", \"sleep=0.1\"", "\"time=2000\"");
  DesignOptions in_turn = two_gpus(2);
  in_turn.at_once = false;
  ASSERT_TRUE(record({}, in_turn));
  EXPECT_EQ(open_runs(lines_of(folder())).first, 1U);
}

TEST_F(AtOnce, NeedsSeveralDifferentGpus) {
  ask_of_gpus("\"time=1000\"", "\"time=2000\"");
  for (const std::vector<std::string>& gpus : {std::vector<std::string>{}, {"0"}, {"0", "0"}, {"0", "1", "0"}}) {
    DesignOptions options = two_gpus(2);
    options.gpus = gpus;
    const auto refused = record({}, options);
    ASSERT_FALSE(refused);
    EXPECT_TRUE(contains(refused.error().sentence, "name them once each, e.g. --gpus 0,1"));
  }
  EXPECT_EQ(runs(), 0U);
}

TEST_F(AtOnce, AnInterruptionEndsAllAndTheRestGoesOn) {
  ask_of_gpus("\"time=1000\", \"sleep=1\"", "\"time=2000\", \"sleep=1\"");
  std::jthread interrupter([this] {
    wait_for_runs(2);
    stop_ = true;
  });
  const auto cut = record({}, two_gpus(2));
  interrupter.join();
  ASSERT_FALSE(cut);
  EXPECT_EQ(cut.error().exit, Exit::kInterrupted);
  EXPECT_TRUE(is_empty(marked(folder().string())));
  ask_of_gpus("\"time=1000\", \"sleep=1\"", "\"time=2000\", \"sleep=1\"");
  stop_ = false;
  const auto done = require(record({}, two_gpus(2)));
  EXPECT_EQ(results().size(), 6U);
  for (const auto& run : results()) EXPECT_TRUE(run.at("success").get<bool>());
  EXPECT_EQ(open_runs(lines_of(folder())).second, 1U);
}

TEST_F(AtOnce, EndsLeftoversOfOneRunAlone) {
  ask_of_gpus("\"time=1000\", \"stray\"", "\"time=2000\", \"sleep=0.5\"");
  const auto done = require(record({}, two_gpus(4)));
  EXPECT_EQ(done->failed, 0U);
  EXPECT_TRUE(is_empty(marked(folder().string())));
  std::size_t left_behind = 0;
  for (const Json& end : events("end")) left_behind += end.contains("left_behind") ? 1U : 0U;
  EXPECT_EQ(left_behind, 8U) << "of a and its twin, in four blocks";
}

TEST_F(AtOnce, UnmarkedProcessesAreCountedAndEndedWithTheRound) {
  ask_of_gpus(daemon() + ", \"time=1000\"", "\"time=2000\", \"sleep=0.5\"");
  const auto done = require(record({}, two_gpus(3)));
  EXPECT_EQ(done->failed, 0U);
  EXPECT_EQ(daemons(), std::pair(std::size_t{6}, std::size_t{0})) << "of a and its twin, in three blocks";
  std::vector<std::string> rounds;
  for (const Json& left : events("left_behind"))
    rounds.push_back(left.at("blocks").dump() + " " + left.at("processes").dump());
  EXPECT_TRUE(equals(rounds, {"[1,2] 4", "[3] 2"}));
  EXPECT_TRUE(contains(said_.str(), "the runs of this round left 4 processes running, which assay ended"));
}

TEST_F(AtOnce, AnotherNumberOfGpusIsAnotherCondition) {
  ask_of_gpus("\"time=1000\"", "\"time=2000\"");
  ASSERT_TRUE(record({}, two_gpus(2)));
  DesignOptions in_turn = two_gpus(4);
  in_turn.at_once = false;
  const auto refused = record({}, in_turn);
  ASSERT_FALSE(refused);
  EXPECT_TRUE(contains(refused.error().sentence, "number of GPUs at once was '2' and is missing"));
}

}  // namespace assay::record::at_once_test
