// The built program, shard by shard: whatever the cut, the order and the repetitions, the merge writes the bytes of one
// run; and what is missing, damaged or of another making is named.
#include "golden/golden_case.hpp"
#include "support/test.hpp"

namespace assay::testing::shards_run_test {

const fs::path kCase = fs::path(ASSAY_SOURCE_DIR) / "tests/golden/cases/three_reports";

class Shards : public ::testing::Test {
 protected:
  Shards() { prepare_inputs(kCase, scratch_.path()); }

  Outcome assay(const std::string& arguments) const { return run_assay(scratch_.path(), split_command(arguments)); }

  /// Runs and expects success.
  void must(const std::string& arguments) const {
    const Outcome outcome = assay(arguments);
    EXPECT_EQ(outcome.exit, 0) << arguments << ": " << outcome.err;
  }
  void shard(const std::string& number, const std::string& more = "-o parts") const {
    must("run config.toml --reports reports --no-cache --shard " + number + " " + more);
  }
  std::map<std::string, std::string> whole(const std::string& more = "--no-cache") const {
    must("run config.toml --reports reports -o single " + more);
    return contents_but_run_json(scratch_ / "single");
  }
  /// Merges what must merge, into a folder that is made anew.
  std::map<std::string, std::string> merged(const std::string& arguments) const {
    fs::remove_all(scratch_ / "merged");
    must("merge -o merged " + arguments);
    return contents_but_run_json(scratch_ / "merged");
  }
  /// Merges what must be refused: exit 2, one sentence, nothing written.
  std::string refused(const std::string& arguments) const {
    fs::remove_all(scratch_ / "merged");
    const Outcome outcome = assay("merge -o merged " + arguments);
    EXPECT_EQ(outcome.exit, 2) << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_FALSE(fs::exists(scratch_ / "merged"));
    return outcome.err;
  }
  void damage(const std::string& part) const {
    std::string bytes = read_text(scratch_ / "parts" / part);
    bytes[bytes.size() / 2] ^= 1;
    write_text(scratch_ / "parts" / part, bytes);
  }

  TempFolder scratch_;
};

TEST_F(Shards, MergesAnyCutToTheBytesOfOneRun) {
  const auto one = whole();
  ASSERT_GE(one.size(), 4U);
  for (const int shards : {1, 2, 3, 5}) {
    fs::remove_all(scratch_ / "parts");
    for (int k = shards; k >= 1; --k) shard(std::to_string(k) + "/" + std::to_string(shards));
    fs::rename(scratch_ / "reports", scratch_ / "away");
    EXPECT_EQ(merged("parts"), one) << shards << " shards";
    fs::rename(scratch_ / "away", scratch_ / "reports");
  }
}

TEST_F(Shards, OrderAndRepetitionOfPartsDoNotMatter) {
  const auto one = whole();
  shard("1/2");
  shard("2/2");
  shard("2/2");
  shard("1/2", "-o again -j1");
  EXPECT_EQ(merged("parts/shard-2-of-2.part again parts/shard-1-of-2.part"), one);
}

TEST_F(Shards, AShardWritesItsPartAndNothingElse) {
  shard("2/3");
  EXPECT_TRUE(equals(files_below(scratch_ / "parts"), {"shard-2-of-3.part"}));
  EXPECT_FALSE(fs::exists(scratch_ / "assay-out"));
}

TEST_F(Shards, APlainRunOverACacheThatShardsFilledReadsNoReport) {
  const auto one = whole();
  for (const char* number : {"1/2", "2/2"})
    must(std::string("run config.toml --reports reports --cache cache -o parts --shard ") + number);
  fs::remove_all(scratch_ / "single");
  const Outcome outcome = assay("run config.toml --reports reports --cache cache -o single -v");
  EXPECT_EQ(outcome.exit, 0);
  EXPECT_EQ(recalled_profiles(outcome.err), 3);
  EXPECT_EQ(contents_but_run_json(scratch_ / "single"), one);
}

TEST_F(Shards, RejectsInvalidShardNumbersInOneSentence) {
  for (const char* number : {"5/3", "0/3", "1/0", "x", "1", "-1/2", "1/2/3", "1/1000001"}) {
    const Outcome outcome = assay(std::string("run config.toml --reports reports -o parts --shard ") + number);
    EXPECT_EQ(outcome.exit, 2) << number;
    EXPECT_TRUE(contains(outcome.err, "expected K/N")) << number;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_FALSE(fs::exists(scratch_ / "parts"));
  }
}

TEST_F(Shards, PartsOfAnotherQuestionOrAnotherCutAreRefused) {
  shard("1/2");
  shard("3/3", "-o third");
  EXPECT_TRUE(contains_all(refused("parts third"), {"is shard 3/3", "shard 1/2"}));
  std::string config = read_text(scratch_ / "config.toml");
  config.replace(config.find("\"small\""), 7, "\"other\"");
  write_text(scratch_ / "config.toml", config);
  shard("2/2");
  EXPECT_TRUE(contains_all(refused("parts"), {"part of another question", "other instead of small"}));
  EXPECT_TRUE(contains(refused("parts --partial"), "other instead of"));
  EXPECT_TRUE(contains(refused("parts/shard-1-of-2.part"), "has changed since the parts were made"));
}

TEST_F(Shards, AMissingPartIsNamedAndRefusedOrSaidInTheReport) {
  shard("1/3");
  shard("3/3");
  EXPECT_TRUE(contains_all(refused("parts"), {"shard 2/3 is missing", "--partial"}));
  const auto partial = merged("parts --partial");
  for (const char* name : {"report.md", "findings.json", "summary.md", "report.html"})
    EXPECT_TRUE(contains(partial.at(name), "Incomplete: merged without 1 profile")) << name;
  EXPECT_TRUE(contains(partial.at("report.md"), "shard 2/3 is missing"));
  EXPECT_TRUE(contains(partial.at("findings.json"), "shard 2/3, which read this profile, is not among the parts"));
  EXPECT_EQ(assay("merge -o merged parts --partial --strict").exit, 3);
}

TEST_F(Shards, ADamagedPartIsNamedAndRefusedOrLeftOut) {
  shard("1/2");
  shard("2/2");
  damage("shard-2-of-2.part");
  EXPECT_TRUE(contains(refused("parts"), "'parts/shard-2-of-2.part' is damaged; shard 2/2 is missing"));
  EXPECT_TRUE(contains(merged("parts --partial").at("report.md"), "shard-2-of-2.part' is damaged"));
  damage("shard-1-of-2.part");
  EXPECT_TRUE(contains(refused("parts --partial"), "no part can be merged"));
  write_text(scratch_ / "parts/shard-1-of-2.part", "");
  EXPECT_TRUE(contains(refused("parts"), "shard-1-of-2.part' is damaged"));
}

TEST_F(Shards, PartsOfAnotherPluginAreNamed) {
  const fs::path plugin = scratch_ / "plugins/probe.so";
  fs::create_directories(plugin.parent_path());
  fs::copy_file(fs::path(ASSAY_PROBE_FOLDER) / "probe.so", plugin);
  write_text(scratch_ / "config.toml", "[question]\nid = \"q\"\n[analyzers.probe]\n");
  shard("1/2", "-o parts --plugin-path plugins");
  write_text(plugin, read_text(plugin) + "x");
  shard("2/2", "-o parts --plugin-path plugins");
  {
    const auto text = refused("parts --plugin-path plugins");
    EXPECT_TRUE(contains(text, "shard-1-of-2.part' was made with another library of 'probe'"));
    EXPECT_FALSE(contains(text, "shard-2-of-2"));
  }
  EXPECT_TRUE(contains(merged("parts --plugin-path plugins --partial").at("report.md"), "shard-1-of-2.part"));
}

TEST_F(Shards, PartsThatSawOtherReportsAreNamed) {
  shard("1/3");
  shard("2/3");
  fs::rename(scratch_ / "reports/runs/vit3.sqlite", scratch_ / "reports/runs/vit4.sqlite");
  shard("3/3");
  EXPECT_TRUE(contains(refused("parts"), "'parts/shard-3-of-3.part' saw other profiles than the other shards"));
}

TEST_F(Shards, RejectsFoldersWithoutPartsAndOtherFiles) {
  fs::create_directories(scratch_ / "parts");
  EXPECT_TRUE(contains_all(refused("parts"), {"no part in 'parts'", "--shard K/N"}));
  EXPECT_TRUE(contains(refused("none.part"), "'none.part'"));
}

/// One question over reports that the environment names, cut into three and merged, against one run.
void same_as_one_run(const char* variable, const std::string& config) {
  const char* reports = real_data(variable);
  if (reports == nullptr) GTEST_SKIP() << variable << " is not set; it names unpacked reports";
  const TempFolder scratch;
  const std::string run =
      "run " + (fs::path(ASSAY_SOURCE_DIR) / "configs" / config).string() + " --no-cache --reports " + reports;
  ASSERT_EQ(run_assay(scratch.path(), split_command(run + " -o whole")).exit, 0);
  for (const char* number : {"3/3", "1/3", "2/3"}) {
    const Outcome outcome = run_assay(scratch.path(), split_command(run + " -o parts --shard " + number));
    ASSERT_EQ(outcome.exit, 0) << outcome.err;
  }
  const Outcome outcome = run_assay(scratch.path(), split_command("merge parts -o merged"));
  ASSERT_EQ(outcome.exit, 0) << outcome.err;
  const auto whole = contents_but_run_json(scratch / "whole"), merged = contents_but_run_json(scratch / "merged");
  ASSERT_GE(whole.size(), 5U);
  for (const auto& [name, bytes] : whole)
    EXPECT_TRUE(merged.contains(name) && merged.at(name) == bytes) << name << " differs";
  EXPECT_EQ(merged.size(), whole.size());
}

TEST(ShardedExamples, MergeToTheBytesOfOneRun) { same_as_one_run("examples", "rq4_numa.toml"); }
TEST(ShardedExamples, JobsOfSeveralRanksGiveTheBytesOfOneRun) { same_as_one_run("ddp", "ranks.toml"); }

}  // namespace assay::testing::shards_run_test
