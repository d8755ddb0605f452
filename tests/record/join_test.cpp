// Blocks that were recorded on different nodes become one recording only where nothing that matters differs.
#include "record/join.hpp"

#include "recording_fixture.hpp"
#include "support/check.hpp"

namespace assay::record::record_join_test {

const Json kIdentity = {{"host", "n1"},
                        {"driver", "570.1"},
                        {"GPU 0", "NVIDIA H100 GPU-1111"},
                        {"program file /x/train.py", "aaaa"},
                        {"environment", "CUDA_VISIBLE_DEVICES=0; LANG=C"}};

class Join : public Recording {
 protected:
  void SetUp() override {
    ask("\"time=1000\"", "\"time=2000\"");
    block(1, kIdentity);
  }
  void block(int number, const Json& identity, const std::string& day = "2026-01-01") {
    const std::string text = std::to_string(number);
    event::RecordingBegan begin{day + "T00:00:00Z", "test", 1, {}, {}, {}, std::nullopt};
    begin.design = {"q", {"q"}, 3, 2, 2, 2, "blocks", 1, 1, false, 0, "", ""};
    for (const auto& [name, value] : identity.items()) begin.identity.emplace_back(name, value.get<std::string>());
    const event::BlockEnded end{day + "T01:00:00Z", static_cast<std::size_t>(number), "n1", {}};
    home_.write("blocks/" + text + "/q/" + day + "/00-00-00/journal.jsonl",
                line_of(begin) + "\n" + line_of(end) + "\n");
  }
  Result<std::filesystem::path> join() {
    const std::filesystem::path files[] = {home_ / "question.toml"};
    const auto questions = read_configs(files);
    DesignOptions two;
    two.replicates = 2;
    return join_blocks(*make_design(*questions, two), home_ / "blocks", home_ / "out", "test");
  }
  /// The sentence that refuses a second block of which `what` is otherwise.
  std::string refused(const std::string& what, const Json& value) {
    Json identity = kIdentity;
    identity[what] = value;
    block(2, identity);
    const auto joined = join();
    EXPECT_EQ(joined ? Exit::kOk : joined.error().exit, Exit::kFailed);
    EXPECT_FALSE(std::filesystem::exists(home_ / "out" / "q")) << "nothing is left of what was refused";
    return joined ? "" : joined.error().sentence;
  }
};

TEST_F(Join, NodeAndNumberOfTheGpuMayDiffer) {
  Json identity = kIdentity;
  identity["host"] = "n2";
  identity["GPU 0"] = "NVIDIA H100 GPU-2222";
  identity["environment"] = "CUDA_VISIBLE_DEVICES=1; LANG=C";
  block(2, identity);
  const auto joined = join();
  EXPECT_TRUE(joined) << joined.error().sentence;
}

TEST_F(Join, EndsWithARedoneBlock) {
  block(2, kIdentity);
  block(1, kIdentity, "2026-01-03");
  const auto joined = require(join());
  std::ifstream in(*joined / "experiment_summary.json");
  const Json summary = Json::parse(in);
  EXPECT_EQ(summary["start_time"], "2026-01-01T00:00:00Z") << "of block 2";
  EXPECT_EQ(summary["end_time"], "2026-01-03T01:00:00Z") << "of block 1, which was redone";
}

TEST_F(Join, BlocksThatDifferAreRefusedAndWhatDiffersIsNamed) {
  EXPECT_TRUE(contains(refused("driver", "580.2"), "the driver was '570.1' and is '580.2'"));
  EXPECT_TRUE(
      contains(refused("GPU 0", "NVIDIA A100 GPU-3333"), "the kind of GPU was 'NVIDIA H100' and is 'NVIDIA A100'"));
  EXPECT_TRUE(contains(refused("program file /x/train.py", "bbbb"), "the program file /x/train.py was 'aaaa'"));
  EXPECT_TRUE(contains_all(refused("environment", "CUDA_VISIBLE_DEVICES=0; LANG=de"),
                           {"blocks/1/", "blocks/2/", "the environment was 'LANG=C'"}));
}

}  // namespace assay::record::record_join_test
