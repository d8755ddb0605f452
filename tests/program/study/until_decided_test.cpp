// The program itself, from a question to decided verdicts, on runs with planted effects.

#include <csignal>
#include <nlohmann/json.hpp>

#include "assay/detail/random.hpp"
#include "record/power_sampler.hpp"
#include "record/recording_fixture.hpp"
#include "support/test.hpp"
#include "tables/table.hpp"

namespace assay::record::until_decided_test {

class UntilDecided : public ::testing::Test {
 protected:
  /// Base a, b at 0.8 of its time, c equal to it; more claims may be added.
  void ask(const std::string& claims) {
    ask_of_work(R"({ a = ["effect=1"], b = ["effect=0.8"], c = ["effect=1.0"] })", claims);
  }
  static std::string claim(const std::string& id, const std::string& treated, const std::string& between) {
    return "[[claim]]\nid = \"" + id + "\"\ntext = \"" + id +
           "\"\nmetric = \"iteration.gpu_busy_ns\"\ncompare = \"ratio\"\n" +
           "label = \"mode\"\nbase = \"a\"\ntreated = [\"" + treated + "\"]\nbetween = " + between + "\n";
  }
  /// The same of other work: `args` of each mode.
  void ask_of_work(const std::string& args, const std::string& claims, const std::string& most = "18") {
    home_.write("question.toml", R"([question]
id = "q"
[iterations]
nvtx = "step_{i}"
[labels]
patterns = ["run_{mode}"]
mode = { values = ["a", "b", "c"], changes = ["kernels"] }
[[matrix]]
mode = ["a", "b", "c"]
[experiment]
command = ["true", "{mode}"]
profiler = { name = "profiled", command = [")" ASSAY_PROFILED R"(", "-o", "{report}"] }
replicates = 4
most = )" + most + R"(
[experiment.arguments]
mode = )" + args + R"(
[analyzers.run_summary]
[analyzers.claim_verdicts]
)" + claims);
  }
  static std::string best() {
    return "[[claim]]\nid = \"which\"\ntext = \"which\"\nmetric = \"iteration.gpu_busy_ns\"\ncompare = \"best\"\n"
           "label = \"mode\"\nmargin = 0.05\n";
  }
  int run(const std::string& words) {
    last_ = testing::run_assay(home_.path(), testing::split_command(words));
    return last_.exit;
  }
  int record(const std::string& words = "--until-decided") {
    return run("record " + (home_ / "question.toml").string() + " -o " + (home_ / "out").string() + " " + words);
  }
  /// Batches of which 2 copies what 4 would; `more` of the experiment, and `sections` behind it.
  void ask_of_batches(const std::string& more, const std::string& sections) {
    home_.write("question.toml", R"([question]
id = "q"
[iterations]
nvtx = "step_{i}"
[labels]
patterns = ["run_{batch}"]
batch = { type = "int" }
[[matrix]]
batch = [1, 2, 4]
[experiment]
command = ["true", "{batch}"]
profiler = { name = "profiled", command = [")" ASSAY_PROFILED R"(", "-o", "{report}"] }
)" + more + R"([experiment.arguments]
batch = { 1 = ["bytes=100"], 2 = ["bytes=400"], 4 = ["bytes=400", "effect=1"] }
[analyzers.run_summary]
[analyzers.label_check]
input_bytes = "100 * batch"
)" + sections);
  }
  [[nodiscard]] std::string output() const { return last_.out + last_.err; }
  [[nodiscard]] State state() const { return state_of(*read_journal(newest_recording(home_ / "out", "q"))); }
  [[nodiscard]] std::map<std::string, std::string> verdicts() const {
    std::map<std::string, std::string> out;
    const State now = state();
    for (const event::Claim& claim : now.looks.back().claims) out[claim.id] = claim.verdict;
    return out;
  }

  TempFolder home_;
  testing::Outcome last_;
};

TEST_F(UntilDecided, PlantedEffectsAreDecidedAndTheirCellsLeave) {
  ask(claim("faster", "b", "[0.7, 0.9]") + claim("no_effect", "b", "[0.99, 1.01]") +
      claim("equal", "c", "[0.96, 1.04]"));
  ASSERT_EQ(record(), 0) << output();
  EXPECT_TRUE(permutes(verdicts(), {{"faster", "supported"}, {"no_effect", "refuted"}, {"equal", "supported"}}))
      << output();
  EXPECT_TRUE(contains(output(), why_none_is_open(3, 0)));
  const State state = this->state();
  EXPECT_LT(state.blocks.rbegin()->second.order.size(), state.blocks.at(1).order.size()) << "b left before c did";
  EXPECT_FALSE(includes(state.blocks.rbegin()->second.order, "q: mode=b"));
}

/// Starts the program and kills it once its journal holds `lines` more than now, and then `pause_us` later; false where
/// it ended by itself before.
bool killed_after(const std::vector<std::string>& words, const fs::path& journal, std::size_t lines,
                  unsigned pause_us) {
  const auto length = [&] { return read_text(journal); };
  const auto count = [](const std::string& text) { return std::ranges::count(text, '\n'); };
  const auto wanted = count(length()) + static_cast<std::ptrdiff_t>(lines);
  const pid_t child = fork();
  if (child == 0) {
    std::vector<char*> argv;
    for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    if (freopen("/dev/null", "w", stdout) == nullptr || freopen("/dev/null", "w", stderr) == nullptr) _exit(126);
    execv(argv[0], argv.data());
    _exit(127);
  }
  int status = 0;
  while (count(length()) < wanted) {
    if (waitpid(child, &status, WNOHANG) == child) return false;
    usleep(200);
  }
  usleep(pause_us);
  kill(child, SIGKILL);
  waitpid(child, &status, 0);
  return WIFSIGNALED(status);
}

TEST_F(UntilDecided, KilledAtFiftyPointsItComesToTheRunsAndVerdictsOfOneThatWasNot) {
  ask(claim("faster", "b", "[0.7, 0.9]") + claim("not_slower", "c", "[1, inf]"));
  ASSERT_EQ(record(), 0) << output();
  const auto plain_verdicts = verdicts();
  const fs::path plain = home_ / "plain";
  fs::rename(newest_recording(home_ / "out", "q"), plain);
  // The folder of the killed one is made by a first block.
  const std::vector<std::string> words = {
      ASSAY_PROGRAM, "record", (home_ / "question.toml").string(), "-o", (home_ / "out").string(), "--until-decided"};
  Random random("fifty points");
  std::size_t kills = 0, runs_cut_off = 0;
  while (kills < 50) {
    const fs::path folder = newest_recording(home_ / "out", "q");
    const fs::path journal = folder.empty() ? home_ / "none" : folder / kJournal;
    if (folder.empty()) {
      ASSERT_EQ(run("record " + words[2] + " -o " + words[4] + " --replicates 1"), 0) << output();
      continue;
    }
    // Up to two lines more than that of the program that went on: few, so that all kills come before the end.
    if (!killed_after(words, journal, 1 + random.index(5) / 2, static_cast<unsigned>(random.index(6000)))) break;
    ++kills;
  }
  EXPECT_EQ(kills, 50U) << "the recording must be long enough for all of them";
  ASSERT_EQ(record(), 0) << output();
  EXPECT_EQ(verdicts(), plain_verdicts);
  const fs::path recorded = newest_recording(home_ / "out", "q");
  EXPECT_EQ(files_below(recorded / "profiles"), files_below(plain / "profiles"));
  for (const std::string& name : files_below(plain / "profiles"))
    EXPECT_TRUE(read_text(recorded / "profiles" / name) == read_text(plain / "profiles" / name)) << name;
  const State killed = state_of(*read_journal(recorded)), whole = state_of(*read_journal(plain));
  EXPECT_EQ(killed.resumed, kills + 1);
  ASSERT_EQ(killed.runs.size(), whole.runs.size());
  for (const auto& [id, made] : killed.runs) {
    EXPECT_EQ(made.outcome, Outcome::kOk) << id;
    EXPECT_EQ(made.counted, 1U) << id;
    runs_cut_off += made.attempts - 1;
  }
  EXPECT_GT(runs_cut_off, 5U) << "some of the kills must have met a run";
}

TEST(ClosedClaims, AreNotCalledDecidedIfUntestable) {
  EXPECT_EQ(why_none_is_open(3, 0), "every claim is decided");
  EXPECT_EQ(why_none_is_open(3, 1), "every testable claim is decided (1 of 3 untestable)");
  EXPECT_EQ(why_none_is_open(2, 2), "no claim can be decided: all are untestable on these runs (the verdicts say why)");
  EXPECT_EQ(why_none_is_open(1, 1), "no claim can be decided: it is untestable on these runs (the verdicts say why)");
}

TEST_F(UntilDecided, CallsUndecidableClaimsFutileButNeverFalse) {
  ask(claim("not_slower", "c", "[1, inf]"));
  ASSERT_EQ(record(), 0) << output();
  EXPECT_EQ(verdicts().at("not_slower"), "inconclusive");
  EXPECT_TRUE(contains(output(), "blocks are needed for a verdict"));
}

TEST_F(UntilDecided, HasTheVerdictsOfALaterRun) {
  ask(claim("faster", "b", "[0.7, 0.9]"));
  ASSERT_EQ(record(), 0) << output();
  const fs::path out = home_ / "judged";
  ASSERT_EQ(run("run " + (home_ / "question.toml").string() + " --reports " +
                newest_recording(home_ / "out", "q").string() + " --no-cache -o " + out.string()),
            0)
      << output();
  const auto findings = nlohmann::json::parse(read_text(out / "findings.json"));
  const auto& judged = findings.at("questions").at(0).at("claims").at(0);
  EXPECT_EQ(judged.at("verdict"), "supported");
  EXPECT_TRUE(contains(judged.at("strata").at(0).at("effect").at("method").get<std::string>(), "sequence over"));
  EXPECT_TRUE(contains(read_text(out / "report.md"), "each in its own random order (seed 1)"));
}

TEST_F(UntilDecided, PlansTheNeedOfOpenClaimsFromALook) {
  ask(claim("not_slower", "c", "[1, inf]"));
  ASSERT_EQ(record(), 0) << output();
  const std::string plan = "plan " + (home_ / "question.toml").string() + " --power " +
                           (newest_recording(home_ / "out", "q") / "looks" / "002").string();
  ASSERT_EQ(run(plan), 0) << output();
  EXPECT_TRUE(contains(output(), "q: 1 inconclusive stratum"));
  const char* missing = "give the effect to plan for with --effect";
  EXPECT_TRUE(contains(output(), missing));
  EXPECT_TRUE(contains(output(), "The time of runs is unknown")) << "nobody asked for runner_results";
  ASSERT_EQ(run(plan + " --effect 1.1"), 0) << output();
  EXPECT_FALSE(contains(output(), missing));
}

TEST_F(UntilDecided, NoMoreIsRecordedOfACellThatItsTraceContradicts) {
  ask_of_batches("replicates = 1\nmost = 6\n", R"([analyzers.claim_verdicts]
[[claim]]
id = "c"
text = "c"
metric = "iteration.gpu_busy_ns"
compare = "ratio"
label = "batch"
base = "1"
treated = ["2", "4"]
between = [0.999, 1.001]
)");
  ASSERT_EQ(record(), 0) << output();
  EXPECT_TRUE(contains(output(), "no more of 'q: batch=2' is recorded"));
  const State state = this->state();
  ASSERT_EQ(state.stopped.size(), 1U);
  EXPECT_GT(state.blocks.size(), 1U);
  for (const auto& [block, made] : state.blocks) {
    if (block > 1) {
      EXPECT_FALSE(includes(made.order, "q: batch=2")) << block;
    }
  }
}

/// Blocks that were asked for are recorded, but not of a cell that does not run what its name says.
TEST_F(UntilDecided, LabelsAreCheckedAfterEachBlockAlsoWithoutIt) {
  ask_of_batches("", "");
  ASSERT_EQ(record("--replicates 3"), 0) << output();
  const State state = this->state();
  ASSERT_EQ(state.blocks.size(), 3U);
  EXPECT_TRUE(includes(state.blocks.at(1).order, "q: batch=2"));
  EXPECT_FALSE(includes(state.blocks.at(2).order, "q: batch=2"));
  EXPECT_TRUE(state.looks.empty()) << "no claim was judged";
  const Events journal = *read_journal(newest_recording(home_ / "out", "q"));
  EXPECT_EQ(all_of<event::Warmup>(journal.list).size(), 2U) << "one run that is thrown away after each pause";
}

/// A stratum of one of two GPUs gets every second block.
TEST_F(UntilDecided, BlocksThatAClaimNeedsAreThoseOfAllGpus) {
  home_.write("question.toml", R"([question]
id = "q"
[iterations]
nvtx = "step_{i}"
[labels]
patterns = ["gpu{gpu}_{mode}"]
mode = { values = ["a", "b"], changes = ["kernels"] }
gpu = { type = "int" }
[[matrix]]
mode = ["a", "b"]
[experiment]
command = ["true", "{mode}"]
gpu = "{gpu}"
profiler = { name = "profiled", command = [")" ASSAY_PROFILED R"(", "-o", "{report}"] }
replicates = 6
most = 8
[experiment.arguments]
mode = { a = ["noise=0.05"], b = ["noise=0.05", "effect=1.01"] }
[analyzers.run_summary]
[analyzers.claim_verdicts]
)" + claim("slower", "b", "[1.02, 1.5]"));
  record("--until-decided --gpus 0,1 --at-once");
  const State state = this->state();
  ASSERT_FALSE(state.looks.empty()) << output();
  std::size_t known = 0;
  for (const event::LookTaken& look : state.looks) {
    for (const event::Claim& of : look.claims) {
      for (const Json& stratum : of.strata) {
        const auto needed = stratum.value("blocks_needed", std::size_t{0});
        EXPECT_EQ(needed % 2, 0U);
        const auto seen = stratum.value("blocks", std::size_t{0});
        EXPECT_TRUE(needed == 0 || needed > 2 * seen) << needed << " blocks, " << seen << " seen";
        known += needed > 0 ? 1U : 0U;
      }
    }
  }
  EXPECT_GT(known, 0U) << output();
}

TEST_F(UntilDecided, AnOptionWithoutEffectEndsItAfterTheFirstBlock) {
  ask_of_work(R"({ a = ["effect=1"], b = ["effect=1.0"], c = ["effect=1.00"] })",
              "[analyzers.label_check]\n" + claim("faster", "b", "[0.7, 0.9]"));
  ASSERT_EQ(record(), 0) << output();
  EXPECT_TRUE(contains(output(), "'mode' had no effect")) << output();
  const State state = this->state();
  EXPECT_EQ(state.blocks.size(), 1U);
  ASSERT_EQ(state.looks.size(), 1U);
  EXPECT_TRUE(state.looks.front().ended);
}

TEST_F(UntilDecided, DropsTheWorseOfSeveral) {
  ask_of_work(R"({ a = ["effect=1"], b = ["effect=1.0"], c = ["effect=1.6"] })", best(), "30");
  ASSERT_EQ(record(), 0) << output();
  EXPECT_EQ(verdicts().at("which"), "supported");
  EXPECT_TRUE(contains(output(), "(within 5 %); c 1.")) << output();
  const State state = this->state();
  EXPECT_FALSE(includes(state.blocks.rbegin()->second.order, "q: mode=c")) << "it dropped out";
  EXPECT_LT(state.blocks.size(), 30U);
}

TEST_F(UntilDecided, ABudgetIsALimitOfWholeBlocks) {
  ask_of_work(R"({ a = ["sleep=0.1"], b = ["sleep=0.1", "noise=0.3"], c = ["sleep=0.1", "noise=0.31"] })",
              claim("not_slower", "b", "[1, inf]"));
  ASSERT_EQ(record("--until-decided --budget 2s --replicates 1"), 0) << output();
  const State state = this->state();
  EXPECT_TRUE(contains(output(), "the budget of 2 s")) << output();
  EXPECT_LT(state.blocks.size(), 18U);
  std::size_t runs = 0;
  for (const auto& [block, made] : state.blocks) runs += made.order.size();
  EXPECT_EQ(state.runs.size(), runs) << "each block that began was recorded whole";
  ASSERT_FALSE(state.looks.empty());
  EXPECT_TRUE(contains(state.looks.back().ended.value_or(""), "the budget of 2 s")) << "the page says why it stopped";
  EXPECT_TRUE(contains(last_.out, "After block " + std::to_string(state.looks.back().block) + ":"))
      << "it ends with the answer so far";
}

/// What open claims need by the last look, not the blocks that were asked for, which grew with each one.
TEST_F(UntilDecided, TimeLeftIsThatOfTheBlocksThatAreNeeded) {
  ask_of_work(R"({ a = ["noise=0.1"], b = ["noise=0.11", "effect=1.2"], c = ["effect=1.0"] })",
              claim("slower", "b", "[1.02, 1.5]"));
  ASSERT_EQ(record("--until-decided --replicates 2"), 0) << output();
  std::istringstream lines(last_.out);
  std::size_t known = 0, blocks = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("block ")) continue;
    ++blocks;
    known += contains(line, "at most 18") && contains(line, "; about ") ? 1U : 0U;
    EXPECT_TRUE(blocks < 3 || !contains(line, "at least")) << line;
  }
  EXPECT_GT(blocks, 3U);
  EXPECT_GT(known, 0U) << output();
}

std::size_t occurrences(const std::string& text, std::string_view of) {
  std::size_t count = 0;
  for (std::size_t at = text.find(of); at != std::string::npos; at = text.find(of, at + 1)) ++count;
  return count;
}

TEST_F(UntilDecided, ThePlotOfBlocksMarksTheLooksAndSaysWhyItEnded) {
  ask(claim("faster", "b", "[0.7, 0.9]"));
  ASSERT_EQ(record(), 0) << output();
  const fs::path out = home_ / "judged";
  ASSERT_EQ(run("run " + (home_ / "question.toml").string() + " --reports " +
                newest_recording(home_ / "out", "q").string() + " --no-cache -o " + out.string()),
            0)
      << output();
  const std::vector<std::string> plots = files_below(out / "plots");
  const auto plot = std::ranges::find_if(plots, [](const std::string& name) { return contains(name, "blocks"); });
  ASSERT_NE(plot, plots.end());
  std::set<std::size_t> looked;
  for (const event::LookTaken& look : state().looks) looked.insert(look.block);
  EXPECT_EQ(occurrences(read_text(out / "plots" / *plot), "class=\"reference\""), looked.size());
  EXPECT_EQ(occurrences(read_text(out / "report.md"), "It ended: " + why_none_is_open(1, 0)), 2U)
      << "of the recording, and of the plot";
}

TEST_F(UntilDecided, FailedRunsAreRetriedAndChangedOnesBeginAnEpochIfAsked) {
  const auto work = [](const std::string& of_b) {
    return "{ a = [\"effect=1\"], b = [" + of_b + "], c = [\"effect=1.1\"] }";
  };
  ask_of_work(work("\"fail\""), "");
  EXPECT_EQ(record("--replicates 1"), 3);
  const std::size_t attempts = state().runs.size();
  EXPECT_EQ(record("--replicates 1"), 3);
  EXPECT_EQ(state().runs.size(), attempts);
  EXPECT_EQ(record("--replicates 1 --retry-failed"), 3);
  std::size_t most = 0;
  for (const auto& [id, run] : state().runs) most = std::max(most, run.attempts);
  EXPECT_EQ(most, 4U) << "two attempts, and two more when asked";
  ask_of_work(work("\"effect=0.9\""), "");
  EXPECT_EQ(record("--replicates 1"), 2) << "another program";
  EXPECT_EQ(record("--replicates 1 --new-epoch"), 3) << "the failed run of the first epoch stays";
  EXPECT_EQ(state().epoch, 2U);
}

TEST_F(UntilDecided, BlocksOfTheirOwnAreJoined) {
  ask(claim("faster", "b", "[0.7, 0.9]"));
  const std::string question = (home_ / "question.toml").string(), blocks = (home_ / "blocks").string();
  EXPECT_EQ(run("record " + question + " --replicates 2 --block 3 -o " + blocks + "/3"), 2) << "there are two";
  EXPECT_EQ(run("record " + question + " --replicates 2 --block 1 --new-epoch -o " + blocks + "/1"), 2);
  for (const std::string block : {"1", "2"})
    ASSERT_EQ(run("record " + question + " --replicates 2 --block " + block + " -o " + blocks + "/" + block), 0)
        << output();
  ASSERT_EQ(run("record " + question + " --replicates 2 --join " + blocks + " -o " + (home_ / "out").string()), 0)
      << output();
  EXPECT_EQ(state().blocks.size(), 2U);
  EXPECT_EQ(state().runs.size(), 2U * 4U) << "three configurations and the twin";
}

TEST_F(UntilDecided, ADryRunPrintsEveryCommandAndWritesNothing) {
  ask(claim("faster", "b", "[0.7, 0.9]"));
  ASSERT_EQ(record("--dry-run"), 0) << output();
  EXPECT_TRUE(contains(output(), "q: 3 configurations"));
  EXPECT_TRUE(contains(output(), std::string(ASSAY_PROFILED) + " -o REPORT true effect=0.8"));
  EXPECT_FALSE(fs::exists(home_ / "out"));
}

}  // namespace assay::record::until_decided_test
