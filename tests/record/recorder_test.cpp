// Recordings made by a profiler of the tests: layout, failures, limits, and going on after anything.
#include <signal.h>
#include <sys/resource.h>

#include <set>

#include "algo/noise/sequence.hpp"
#include "discover/discover.hpp"
#include "record/output_files.hpp"
#include "record/process.hpp"
#include "recording_fixture.hpp"
#include "support/check.hpp"
#include "support/temp_folder.hpp"

namespace assay::record::record_recorder_test {

namespace fs = std::filesystem;

TEST_F(Recording, LeavesTheGuidesLayoutWithNumbersAsNumbers) {
  ask("\"time=1000\"", "\"time=2000\"");
  DesignOptions twice;
  twice.replicates = 2;
  const auto done = require(record({}, twice));
  EXPECT_EQ(done->made, 6U) << "two cells and the twin, two blocks";
  EXPECT_TRUE(includes_all(
      files_below(folder()),
      {"journal.jsonl", "results.json", "experiment_summary.json", "conditions.csv", "profiles/block_001/run_a.sqlite",
       "profiles/block_002/run_b.sqlite", "profiles/block_001/aa/run_a.sqlite", "logs/block_001/run_a.stdout",
       "logs/block_001/run_a.stderr"}));
  EXPECT_FALSE(fs::exists(folder() / "unfinished" / "block_001" / "run_a"));
  const nlohmann::json first = results().at(0);
  EXPECT_TRUE(first.at("success").get<bool>());
  EXPECT_TRUE(first.at("duration").is_number());
  EXPECT_EQ(first.at("exit_code"), 0);
  EXPECT_EQ(first.at("block"), 1);
  EXPECT_EQ(first.at("replicate"), 1);
  EXPECT_TRUE(contains(first.at("run_id").get<std::string>(), "block_001/"));
  EXPECT_EQ(folder().parent_path().parent_path().filename(), "q") << "NAME/DATE/TIME";
  const auto summary = nlohmann::json::parse(read_text(folder() / "experiment_summary.json"));
  EXPECT_EQ(summary.at("total_runs"), 6);
  EXPECT_EQ(summary.at("success_rate"), 1.0);
}

TEST_F(Recording, SaysWhatABlockCostsAndWhatEffectsNeed) {
  ask("\"time=1000\"", "\"time=2000\"",
      "[[claim]]\nid = \"c\"\ntext = \"c\"\nmetric = \"m\"\ncompare = \"ratio\"\nlabel = \"mode\"\n"
      "between = [0, 1]\n");
  ASSERT_TRUE(record());
  const SequenceClaim told{0, std::numeric_limits<double>::infinity(), 0.95, kUnseenShift, true};
  const auto needs = [&](double effect) {
    return std::to_string(sequence_blocks_needed(std::log1p(effect), 0.02 * std::sqrt(2), told, 1000)) + " block";
  };
  EXPECT_TRUE(contains_all(said_.str(), {"A block is 3 runs, their time not known yet.", "5 % " + needs(0.05),
                                         "20 % " + needs(0.2), "100 % " + needs(1)}))
      << said_.str();
  RecordOptions again;
  again.fresh = true;
  ASSERT_TRUE(record(again));
  EXPECT_TRUE(contains(said_.str(), "A block is 3 runs, about ")) << "by the last recording";
}

TEST_F(Recording, CellsWhoseNamesDifferInPunctuationShareNoCache) {
  home_.write("question.toml",
              "[question]\nid = \"q\"\n[labels]\npatterns = [\"run_{mode}\"]\n"
              "mode = { values = [\"k.1\", \"k-1\"] }\n[[matrix]]\nmode = [\"k.1\", \"k-1\"]\n"
              "[experiment]\ncommand = [\"true\", \"count=" +
                  (home_ / "count").string() + "\", \"{mode}\"]\ncaches = { WARM = \"warm\", COLD = \"cold\" }\n" +
                  "profiler = { name = \"profiled\", command = [\"" + profiler() + "\", \"-o\", \"{report}\"] }\n" +
                  "[experiment.arguments]\nmode = { \"k.1\" = [\"time=1000\"], \"k-1\" = [\"time=2000\"] }\n");
  const auto done = require(record());
  const auto folders = [&](const char* kind, const char* variable) {
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(folder() / "caches" / kind))
      count += fs::is_directory(entry.path() / variable) ? 1U : 0U;
    return count;
  };
  EXPECT_EQ(folders("cells", "WARM"), 3U) << "two cells and the twin";
  EXPECT_EQ(folders("runs", "COLD"), runs());
}

TEST_F(Recording, ResultsOfTheRecorderAreReadByDiscover) {
  ask("\"time=1000\"", "\"fail\"");
  ASSERT_TRUE(record());
  const fs::path files[] = {home_ / "question.toml"}, folders[] = {folder()};
  const auto catalog = require(discover(*read_configs(files), folders));
  std::vector<std::string> failures;
  for (const RunnerRun& run : catalog->questions[0].runs) {
    if (!run.failure.empty()) failures.push_back(run.name + ": " + run.failure);
  }
  EXPECT_TRUE(includes(failures, "block_001/run_b: exit code 3: ValueError: told to fail"));
}

TEST_F(Recording, EachRunIsWrittenDownOnceAndReadOnce) {
  ask("\"time=1000\"", "\"time=2000\"");
  ASSERT_TRUE(record());
  Result<Journal> journal = Journal::open(folder(), *read_journal(folder()));
  ASSERT_TRUE(journal && journal->write(event::LookTaken{"", 1, {}, 0}));
  ASSERT_TRUE(write_outputs(folder(), journal->events(), "q"));
  const auto summary = nlohmann::json::parse(read_text(folder() / "experiment_summary.json"));
  EXPECT_FALSE(summary.contains("results")) << "results.json has them";
  EXPECT_EQ(summary.at("looks").at("1").at("block"), 1);
  const fs::path files[] = {home_ / "question.toml"}, folders[] = {folder()};
  const auto catalog = require(discover(*read_configs(files), folders));
  EXPECT_EQ(catalog->questions[0].runs.size(), 3U);
  for (const FoundIssue& issue : catalog->questions[0].issues) EXPECT_EQ(issue.name, "") << issue.text;
}

TEST_F(Recording, AnInterruptedRunInAnOlderResultsFileIsNoFailure) {
  ask("\"time=1000\"", "\"time=2000\"");
  ASSERT_TRUE(record());
  nlohmann::json older = results();
  older.push_back({{"run_id", "block_002/run_a"}, {"success", false}, {"error", "x"}, {"outcome", "interrupted"}});
  std::ofstream(folder() / "results.json") << older;
  const fs::path files[] = {home_ / "question.toml"}, folders[] = {folder()};
  const auto catalog = require(discover(*read_configs(files), folders));
  EXPECT_EQ(catalog->questions[0].runs.size(), 3U);
}

TEST_F(Recording, ReadsMeasurementsPrintedBeforeTheProfilersLastLines) {
  ask("\"pass=0.25\"", "\"time=2000\"");
  ASSERT_TRUE(record());
  for (const auto& run : results()) {
    if (run.at("run_id") == "block_001/run_a") {
      EXPECT_EQ(run.at("elapsed_s"), 0.25);
    }
  }
}

TEST_F(Recording, EveryRunIsJournaledBeforeItStartsAndAfterItHasEnded) {
  ask("\"time=1000\"", "\"time=2000\"");
  ASSERT_TRUE(record());
  std::string open;
  for (const Json& event : lines_of(folder())) {
    const std::string kind = text_in(event, "event");
    if (kind == "start") {
      EXPECT_EQ(open, "");
      open = text_in(event, "run");
      EXPECT_TRUE(event.contains("conditions") && event.contains("command"));
    }
    if (kind == "end") {
      EXPECT_EQ(text_in(event, "run"), open);
      open.clear();
    }
  }
  EXPECT_EQ(text_in(lines_of(folder()).front(), "event"), "begin");
  EXPECT_TRUE(lines_of(folder()).front().at("identity").contains("environment"));
}

TEST_F(Recording, AFailedRunIsToldApartRepeatedAndCostsNoOther) {
  struct Case {
    const char *word, *outcome, *advice;
  };
  for (const Case& c :
       {Case{"fail", "failed", ""}, Case{"oom", "out_of_memory", "smaller batch"},
        Case{"permission", "no_permission", "NVreg_RestrictProfilingToAdminUsers"},
        Case{"numa", "numa_refused", "numactl --hardware"}, Case{"nothing", "no_report", "--capture-range"}}) {
    SCOPED_TRACE(c.word);
    ask("\"time=1000\"", "\"" + std::string(c.word) + "\"");
    RecordOptions fresh;
    fresh.fresh = true;
    const auto done = require(record(fresh));
    EXPECT_EQ(done->failed, 1U);
    std::vector<std::string> of_b;
    for (const Json& end : events("end")) {
      if (text_in(end, "run") == "block_001/run_b") of_b.push_back(text_in(end, "outcome"));
      if (text_in(end, "run") == "block_001/run_a") {
        EXPECT_EQ(text_in(end, "outcome"), "ok");
      }
    }
    EXPECT_TRUE(equals(of_b, {c.outcome, c.outcome})) << "it was tried once more";
    EXPECT_TRUE(contains(said_.str(), c.advice));
    EXPECT_FALSE(includes(files_below(folder() / "profiles"), "block_001/run_b.sqlite"));
  }
}

TEST_F(Recording, ARunThatTakesTooLongIsEndedWithAllItHasStarted) {
  ask("\"time=1000\"", "\"hang\", \"orphan\"", "timeout = \"1 s\"\nretries = 0");
  const auto done = require(record());
  EXPECT_EQ(done->failed, 1U);
  for (const Json& end : events("end")) {
    if (text_in(end, "run") != "block_001/run_b") continue;
    EXPECT_EQ(text_in(end, "outcome"), "timed_out");
    EXPECT_TRUE(contains(text_in(end, "error"), "waiting"));
  }
  EXPECT_TRUE(is_empty(marked(folder().string())));
  EXPECT_TRUE(includes(files_below(folder() / "profiles"), "block_001/run_a.sqlite"));
}

TEST_F(Recording, KillsProgramsThatIgnoreTerm) {
  ask("\"time=1000\"", "\"stubborn\"", "timeout = \"500 ms\"\nretries = 0");
  ASSERT_TRUE(record());
  EXPECT_TRUE(is_empty(marked(folder().string())));
}

constexpr const char* kEnded = " running, which assay ended";

TEST_F(Recording, EndsLeftoversOfTheProfilerSilently) {
  ask("\"time=1000\"", "\"orphan\", \"time=1000\"");
  ASSERT_TRUE(record());
  EXPECT_TRUE(is_empty(marked(folder().string())));
  double left = 0;
  for (const Json& end : events("end")) left += end.value("left_behind", 0.0);
  EXPECT_EQ(left, 0);
  EXPECT_FALSE(contains(said_.str(), kEnded));
}

// Neither its group nor its mark tells of it: it is found because the recorder is its subreaper.
TEST_F(Recording, EndsAndReportsDaemonsWithoutSessionAndEnvironment) {
  ask(daemon() + ", \"time=1000\"", "\"time=2000\"");
  const auto done = require(record());
  EXPECT_EQ(done->failed, 0U);
  EXPECT_EQ(daemons(), std::pair(std::size_t{2}, std::size_t{0})) << "of a and its twin";
  for (const Json& end : events("end"))
    EXPECT_EQ(end.value("left_behind", 0), text_in(end, "run") == "block_001/run_b" ? 0 : 1);
  EXPECT_TRUE(contains(said_.str(), std::string("2 runs left 2 processes") + kEnded));
}

TEST_F(Recording, ADaemonOfARunThatTakesTooLongIsEndedToo) {
  ask("\"time=1000\"", daemon() + ", \"hang\"", "timeout = \"1 s\"\nretries = 0");
  ASSERT_TRUE(record());
  EXPECT_EQ(daemons(), std::pair(std::size_t{1}, std::size_t{0}));
}

TEST_F(Recording, AProgramThatPrintsMuchIsKeptInPart) {
  ask("\"time=1000\"", "\"print=40000000\", \"time=1000\"");
  ASSERT_TRUE(record());
  const fs::path log = folder() / "logs" / "block_001" / "run_b.stdout";
  EXPECT_LT(fs::file_size(log), kMaxLog + 1000);
  EXPECT_GE(fs::file_size(log), kMaxLog);
  EXPECT_TRUE(contains(read_text(log).substr(kMaxLog - 10), "more bytes were printed and not kept"));
}

TEST_F(Recording, GoesOnWithoutRepeatingAFinishedRun) {
  ask("\"time=1000\"", "\"time=2000\"");
  ASSERT_TRUE(record());
  EXPECT_EQ(runs(), 3U);
  const std::string report = read_text(folder() / "profiles/block_001/run_a.sqlite");
  const fs::path before = folder();
  DesignOptions more;
  more.replicates = 2;
  const auto done = require(record({}, more));
  EXPECT_EQ(done->folder, before);
  EXPECT_EQ(done->made, 3U) << "the second block";
  EXPECT_EQ(runs(), 6U);
  EXPECT_EQ(read_text(folder() / "profiles/block_001/run_a.sqlite"), report);
  EXPECT_EQ(record({}, more)->made, 0U);
}

TEST_F(Recording, FailedRunsAreRepeatedOnlyWhenAsked) {
  const std::string once = "once=" + (home_ / "once").string();
  ask("\"time=1000\"", "\"" + once + "\", \"fail\", \"time=1000\"", "retries = 0");
  EXPECT_EQ(record()->failed, 1U);
  EXPECT_EQ(record()->made, 0U);
  RecordOptions again;
  again.retry_failed = true;
  const auto done = require(record(again));
  EXPECT_EQ(done->made, 1U);
  EXPECT_EQ(done->failed, 0U);
  EXPECT_TRUE(includes(files_below(folder() / "profiles"), "block_001/run_b.sqlite"));
  EXPECT_TRUE(fs::exists(folder() / "logs/block_001/run_b.attempt_2.stderr")) << "the first log stays";
}

TEST_F(Recording, KillingTheRecorderLosesNoRunAndRepeatsNone) {
  ask("\"sleep=0.2\", \"time=1000\"", "\"sleep=0.2\", \"time=2000\"");
  DesignOptions four;
  four.replicates = 4;
  std::size_t kills = 0;
  for (std::size_t target = 2; target <= 8; target += 3) {
    const pid_t recorder = fork();
    if (recorder == 0) {
      static_cast<void>(record({}, four));
      _exit(0);
    }
    wait_for_runs(target + kills);
    kill(recorder, SIGKILL);
    waitpid(recorder, nullptr, 0);
    ++kills;
  }
  const auto done = require(record({}, four));
  EXPECT_EQ(done->failed, 0U);
  std::map<std::string, int> finished;
  for (const Json& end : events("end")) finished[text_in(end, "run")] += text_in(end, "outcome") == "ok" ? 1 : 0;
  EXPECT_EQ(finished.size(), 12U);
  for (const auto& [run, times] : finished) EXPECT_EQ(times, 1) << run;
  EXPECT_LE(runs(), 12 + kills) << "at most the run that was cut off is made again";
  EXPECT_TRUE(is_empty(marked(folder().string()))) << "what a killed recorder left running is ended";
}

TEST_F(Recording, ATornLineOfTheJournalCostsOnlyItself) {
  ask("\"time=1000\"", "\"time=2000\"");
  ASSERT_TRUE(record());
  const fs::path journal = folder() / kJournal;
  const std::string whole = read_text(journal);
  std::ofstream(journal, std::ios::binary) << whole.substr(0, whole.rfind("{\"event\":\"end\"") + 40);
  const auto done = require(record());
  EXPECT_EQ(done->made, 1U);
  EXPECT_TRUE(contains(said_.str(), "1 line(s) that were cut off"));
  EXPECT_EQ(done->failed, 0U);
  EXPECT_TRUE(includes(files_below(folder() / "profiles"),
                       "block_001/" + text_in(events("start").back(), "run").substr(10) + ".sqlite"));
  EXPECT_TRUE(one_contains(files_below(folder() / "failed"), ".attempt_2/run_")) << "what was there is kept";
}

TEST_F(Recording, AnInterruptionEndsTheRunAndTheRestIsWhole) {
  ask("\"time=1000\"", "\"hang\"");
  DesignOptions sequential;
  sequential.random_order = false;
  const pid_t child = fork();
  if (child == 0) {
    static std::atomic<bool>* stop = &stop_;
    signal(SIGINT, [](int) { stop->store(true); });
    const auto done = record({}, sequential);
    _exit(done ? 0 : static_cast<int>(done.error().exit));
  }
  wait_for_runs(2);
  kill(child, SIGINT);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 130);
  std::vector<std::string> outcomes;
  for (const Json& end : events("end")) outcomes.push_back(text_in(end, "outcome"));
  EXPECT_TRUE(equals(outcomes, {"ok", "interrupted"}));
  EXPECT_TRUE(is_empty(marked(folder().string())));
  ASSERT_EQ(results().size(), 1U) << "a run that was cut off has neither failed nor succeeded";
  EXPECT_EQ(results().at(0).at("run_id"), "block_001/run_a");
  const auto summary = nlohmann::json::parse(read_text(folder() / "experiment_summary.json"));
  EXPECT_EQ(summary.at("total_runs"), 1);
  EXPECT_EQ(summary.at("failed_runs"), 0);
}

TEST_F(Recording, ASecondRecorderIsRefused) {
  ask("\"sleep=600\", \"time=1000\"", "\"time=2000\"");
  const pid_t first = fork();
  if (first == 0) {
    static_cast<void>(record());
    _exit(0);
  }
  wait_for_runs(1);
  const auto second = record();
  kill(first, SIGKILL);
  waitpid(first, nullptr, 0);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().exit, Exit::kFailed);
  EXPECT_TRUE(contains(second.error().sentence, "is in use by another recorder"));
  end_marked(folder().string());
}

TEST_F(Recording, RefusesChangesByNameOrBeginsAnEpoch) {
  ask("\"time=1000\"", "\"time=2000\"");
  ASSERT_TRUE(record());
  ask("\"time=1000\"", "\"time=3000\"");
  const auto refused = record();
  ASSERT_FALSE(refused);
  EXPECT_TRUE(contains(refused.error().sentence, "the command of ' q: mode=b' was"));
  setenv("OMP_NUM_THREADS_OF_A_TEST", "3", 1);
  ask("\"time=1000\"", "\"time=2000\"");
  const auto environment = record();
  unsetenv("OMP_NUM_THREADS_OF_A_TEST");
  ASSERT_FALSE(environment);
  EXPECT_TRUE(contains(environment.error().sentence, "the environment was"));
  ask("\"time=1000\"", "\"time=3000\"");
  RecordOptions epoch;
  epoch.new_epoch = true;
  const auto done = require(record(epoch));
  EXPECT_EQ(done->made, 3U);
  EXPECT_TRUE(includes(files_below(folder() / "profiles"), "block_002/run_b.sqlite")) << "a block of its own";
  EXPECT_EQ(events("epoch").size(), 1U);
}

TEST_F(Recording, AFullDiskIsSaidAndTheJournalStaysReadable) {
  ask("\"time=1000\"", "\"time=2000\"");
  ASSERT_TRUE(record());
  const std::size_t before = (*read_journal(folder())).list.size();
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{fs::file_size(folder() / kJournal) + 600, RLIM_INFINITY};
    setrlimit(RLIMIT_FSIZE, &limit);
    DesignOptions more;
    more.replicates = 2;
    const auto done = record({}, more);
    _exit(done ? 0 : static_cast<int>(done.error().exit));
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 3);
  const Events after = *read_journal(folder());
  EXPECT_GE(after.list.size(), before);
  EXPECT_EQ(after.cut_off + after.damaged.size(), 0U);
  DesignOptions more;
  more.replicates = 2;
  const auto done = require(record({}, more));
  EXPECT_EQ(done->failed, 0U);
}

TEST_F(Recording, ReportsMissingProgramsBeforeTheFirstRun) {
  ask("\"time=1000\"", "\"time=2000\"");
  std::string toml = read_text(home_ / "question.toml");
  toml.replace(toml.find(profiler()), profiler().size(), "no_such_profiler");
  home_.write("question.toml", toml);
  const auto done = record();
  ASSERT_FALSE(done);
  EXPECT_TRUE(contains(done.error().sentence, "the program 'no_such_profiler' is not found"));
  EXPECT_TRUE(files_below(home_ / "out").empty());
}

TEST_F(Recording, ANumaNodeThatIsNotThereIsSaidBeforeTheFirstRun) {
  if (!fs::exists("/sys/devices/system/node/node0")) GTEST_SKIP() << "this system tells of no NUMA nodes";
  ask("\"time=1000\"", "\"time=2000\"", "bind = { cpus = \"4711\" }\nlauncher = [\"true\"]");
  const auto done = record();
  ASSERT_FALSE(done);
  EXPECT_TRUE(contains(done.error().sentence, "needs NUMA node 4711, but this machine has the nodes 0"));
}

TEST_F(Recording, TheQuestionsOwnCheckRefusesBeforeTheFirstRun) {
  ask("\"time=1000\"", "\"time=2000\"", "check = [\"sh\", \"-c\", \"echo CUDA is not there; exit 1\"]");
  const auto done = record();
  ASSERT_FALSE(done);
  EXPECT_TRUE(contains(done.error().sentence, "CUDA is not there"));
  EXPECT_EQ(runs(), 0U);
}

TEST_F(Recording, ABlockStaysOnOneGpu) {
  home_.write("question.toml",
              "[question]\nid = \"q\"\n[iterations]\nnvtx = \"step_{i}\"\n[labels]\npatterns = [\"gpu{gpu}_{mode}\"]\n"
              "mode = { values = [\"a\", \"b\"] }\ngpu = { type = \"int\" }\n[[matrix]]\nmode = [\"a\", \"b\"]\n"
              "[experiment]\ncommand = [\"true\", \"{mode}\"]\ngpu = \"{gpu}\"\n"
              "profiler = { name = \"profiled\", command = [\"" +
                  profiler() + "\", \"-o\", \"{report}\"] }\n");
  DesignOptions two;
  two.gpus = {"0", "3"};
  two.replicates = 4;
  const auto done = require(record({}, two));
  std::map<std::size_t, std::set<std::string>> gpus;
  for (const Json& start : events("start"))
    gpus[start.at("block").get<std::size_t>()].insert(text_in(start.at("env"), "CUDA_VISIBLE_DEVICES"));
  using Set = std::set<std::string>;
  EXPECT_TRUE(equals(gpus, {{1U, Set{"0"}}, {2U, Set{"3"}}, {3U, Set{"0"}}, {4U, Set{"3"}}}));
}

TEST_F(Recording, WarmUpRunsAreJournaledAndNeverCounted) {
  ask("\"time=1000\"", "\"time=2000\"", "warmup = 2");
  const auto done = require(record());
  EXPECT_EQ(events("warmup").size(), 4U);
  EXPECT_EQ(results().size(), 3U);
}

}  // namespace assay::record::record_recorder_test
