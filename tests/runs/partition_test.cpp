// Which files are one run: families of folders as they are found, each under names that say it, hide it or lie.
#include "runs/partition.hpp"

#include "support/test.hpp"

namespace assay::partition_test {

constexpr std::int64_t kSecond = 1'000'000'000, kStart = 1'700'000'000 * kSecond;

/// A file of a made folder.
struct MadeFile {
  std::string name;
  int rank = -1, world = -1;
  double begin = -1;  ///< s; -1: not known
  std::int64_t pid = 0, first_id = 1, first_step = 0;
  std::string host = {}, job = {};
  int program = 1;
  bool communicates = false;
};

RunFile file_of(const MadeFile& made) {
  RunFile file;
  file.tool = "torch";
  file.rank = made.rank;
  file.world = made.world;
  file.folder = made.name.substr(0, made.name.rfind('/') == std::string::npos ? 0 : made.name.rfind('/'));
  file.name = parts_of(made.name);
  file.facts.host = made.host;
  file.facts.job = made.job;
  if (made.pid > 0) file.facts.places = {{made.pid, 0, 50}};
  file.facts.correlations = {made.first_id, made.first_id + 49};
  if (made.first_step > 0) {
    file.facts.step = "profilerstep#";
    file.facts.steps = {made.first_step, made.first_step + 4};
  }
  file.facts.communicates = made.communicates;
  file.facts.program = {{static_cast<std::uint64_t>(made.program), 1.0}};
  if (made.begin >= 0) {
    const auto first = kStart + static_cast<std::int64_t>(made.begin * 1e9);
    file.facts.time = {first, first + kSecond};
  }
  return file;
}

/// "01 23": indices of the files of each run.
std::string runs_of(const std::vector<MadeFile>& made) {
  std::vector<RunFile> files;
  for (const MadeFile& one : made) files.push_back(file_of(one));
  std::string text;
  for (const RunOfFiles& run : partition_runs(files)) {
    std::vector<std::size_t> own;
    for (const RunProcess& process : run.processes) own.insert(own.end(), process.files.begin(), process.files.end());
    std::ranges::sort(own);
    if (!text.empty()) text += ' ';
    for (const std::size_t f : own) text += static_cast<char>('0' + f);
  }
  return text;
}

/// Two jobs of two ranks, one after the other, in the order job 0 rank 0, job 0 rank 1, job 1 rank 0, job 1 rank 1.
std::vector<MadeFile> two_jobs(const std::vector<std::string>& names, double apart = 60) {
  std::vector<MadeFile> made;
  for (int job : {0, 1}) {
    for (int rank : {0, 1})
      made.push_back({.name = names[static_cast<std::size_t>(2 * job + rank)],
                      .rank = rank,
                      .world = 2,
                      .begin = job * apart + 0.1 * rank});
  }
  return made;
}

TEST(Partition, JobsByTimeUnderEachNaming) {
  const std::vector<std::vector<std::string>> namings = {
      {"p_88123_node_0_rank_0_on_a", "p_88123_node_1_rank_1_on_b", "p_88140_node_0_rank_0_on_a",
       "p_88140_node_1_rank_1_on_b"},
      {"job_88123_0_23", "job_88123_1_24", "job_88140_0_23", "job_88140_1_24"},
      {"overlap_node0_gpu0", "overlap_node1_gpu1", "straggler_node0_gpu0", "straggler_node1_gpu1"},
      {"f3a9c1", "0b77e2", "9911ac", "e01d4f"},
      {"alice", "bob", "carol", "dave"},
      {"rank0", "rank1", "rank0_2", "rank1_2"},
      {"a/trace", "b/trace", "c/trace", "d/trace"},
      {"h_31.1698925322189", "h_32.1698925322190", "h_33.1698925399189", "h_30.1698925399190"}};
  for (const auto& names : namings) EXPECT_EQ(runs_of(two_jobs(names)), "01 23") << names[0];
}

TEST(Partition, JobsAtOneTimeByWhatTheirNamesShare) {
  EXPECT_EQ(runs_of(two_jobs({"a_rank0", "a_rank1", "b_rank0", "b_rank1"}, 0)), "01 23") << "words";
  EXPECT_EQ(runs_of(two_jobs({"j7_rank0", "j7_rank1", "j8_rank0", "j8_rank1"}, 0)), "01 23") << "a number";
  EXPECT_EQ(runs_of(two_jobs({"x/rank0", "x/rank1", "y/rank0", "y/rank1"}, 0)), "01 23") << "folders";
  EXPECT_EQ(runs_of(two_jobs({"k3", "k9", "k4", "k8"}, 0)), "0 1 2 3") << "nothing: each stays apart";
  std::vector<MadeFile> dates = two_jobs({"1/a", "1/b", "2/a", "2/b"}, 0);
  for (const std::size_t f : {1U, 3U}) dates[f].begin += 3600;
  EXPECT_EQ(runs_of(dates), "01 23") << "the folder, though the clocks of the hosts differ";
  std::vector<MadeFile> stated = two_jobs({"k3", "k9", "k4", "k8"}, 0);
  for (std::size_t f = 0; f < 4; ++f) stated[f].job = f < 2 ? "123" : "124";
  EXPECT_EQ(runs_of(stated), "01 23") << "job ids";
}

TEST(Partition, JobsOneRightAfterTheOther) {
  EXPECT_EQ(runs_of(two_jobs({"t3", "t9", "t4", "t8"}, 1.3)), "01 23") << "0.2 s apart, within the slack of ranks";
}

TEST(Partition, WithoutTimesNamesTell) {
  for (const auto& names :
       std::vector<std::vector<std::string>>{{"run1_rank0", "run1_rank1", "run2_rank0", "run2_rank1"},
                                             {"on_rank0", "on_rank1", "off_rank0", "off_rank1"},
                                             {"1/rank0", "1/rank1", "2/rank0", "2/rank1"}}) {
    std::vector<MadeFile> made = two_jobs(names);
    for (MadeFile& one : made) one.begin = -1;
    EXPECT_EQ(runs_of(made), "01 23") << names[0];
  }
}

TEST(Partition, ClocksOfTwoHostsMayDiffer) {
  std::vector<MadeFile> made = two_jobs({"t_rank0", "t_rank1", "t_rank0_b", "t_rank1_b"});
  for (const std::size_t f : {1U, 3U}) made[f].begin += 3600;
  EXPECT_EQ(runs_of(made), "01 23") << "the n-th of each host";
  made = two_jobs({"t_rank0", "t_rank1", "t_rank0", "t_rank1"}, 60);
  made.erase(made.begin() + 1);
  EXPECT_EQ(runs_of(made), "0 12") << "rank 1 of the first job is missing";
}

TEST(Partition, OneHostHasOneClock) {
  std::vector<MadeFile> made = {{.name = "t_rank0", .rank = 0, .world = 2, .begin = 0, .host = "a"},
                                {.name = "t_rank1", .rank = 1, .world = 2, .begin = 600, .host = "a"}};
  EXPECT_EQ(runs_of(made), "0 1") << "ten minutes apart on one machine are two runs that lack a rank each";
  made[1].host = "b";
  EXPECT_EQ(runs_of(made), "01");
}

TEST(Partition, SizesOfJobsPart) {
  EXPECT_EQ(runs_of({{.name = "a_rank0", .rank = 0, .world = 2, .begin = 0},
                     {.name = "a_rank1", .rank = 1, .world = 2, .begin = 0},
                     {.name = "a_rank0_", .rank = 0, .world = 1, .begin = 0}}),
            "01 2");
}

TEST(Partition, WhatRunsAtOneTimeWithoutCollectivesAreRunsOfTheirOwn) {
  std::vector<MadeFile> made = {{.name = "replica0", .begin = 0, .pid = 7}, {.name = "replica1", .begin = 0, .pid = 8}};
  EXPECT_EQ(runs_of(made), "0 1");
  for (MadeFile& one : made) one.communicates = true;
  EXPECT_EQ(runs_of(made), "01") << "each holds collectives";
}

TEST(Partition, CapturesOfOneProcessAreOneRun) {
  const auto three = [](std::int64_t ids, std::int64_t steps) {
    std::vector<MadeFile> made;
    for (int c : {0, 1, 2})
      made.push_back({.name = "box_42." + std::to_string(1700000000 + 5 * c),
                      .begin = 5.0 * c,
                      .pid = 42,
                      .first_id = 1 + ids * c,
                      .first_step = 100 + steps * c});
    return made;
  };
  EXPECT_EQ(runs_of(three(100, 0)), "012") << "correlation ids go on";
  EXPECT_EQ(runs_of(three(0, 1000)), "012") << "steps go on";
  EXPECT_EQ(runs_of(three(0, 0)), "0 1 2") << "containers repeat pids, and every run has a step 100";
  std::vector<MadeFile> ranks = three(100, 1000);
  for (int c : {0, 1, 2}) ranks[static_cast<std::size_t>(c)].rank = c;
  EXPECT_EQ(runs_of(ranks), "0 1 2") << "other ranks are other processes";
}

TEST(Partition, WindowsOfARecordedRunAreOneRun) {
  std::vector<RunFile> files;
  for (const char* run : {"b1/run_a", "b1/aa/run_a"}) {
    for (int w : {1, 2}) {
      files.push_back(file_of({.name = std::string(run) + "." + std::to_string(w), .pid = 1}));
      files.back().recorded = run;
      files.back().window = 3 - w;
    }
  }
  const std::vector<RunOfFiles> runs = partition_runs(files);
  ASSERT_EQ(runs.size(), 2U) << "equal pids, ids that start again";
  EXPECT_EQ(runs[0].processes.at(0).files, (std::vector<std::size_t>{1, 0})) << "by number";
  EXPECT_EQ(runs[1].processes.at(0).files, (std::vector<std::size_t>{3, 2}));
}

TEST(Partition, CapturesOfRanksAreOneRun) {
  std::vector<MadeFile> made;
  for (int c : {0, 1}) {
    for (int rank : {0, 1})
      made.push_back({.name = "s" + std::to_string(c) + "_" + std::to_string(rank),
                      .rank = rank,
                      .world = 2,
                      .begin = 5.0 * c,
                      .pid = 40 + rank,
                      .first_id = 1 + 100 * c});
  }
  EXPECT_EQ(runs_of(made), "0123");
}

TEST(Partition, ConfigurationsOfOneProcessAreRunsEach) {
  std::vector<MadeFile> made;
  for (int c : {0, 1, 2, 3})
    made.push_back({.name = std::string(c % 2 == 0 ? "base_" : "flash_") + std::to_string(c),
                    .begin = 2.0 * c,
                    .pid = 9,
                    .first_id = 1 + 100 * c,
                    .program = 1 + c % 2});
  EXPECT_EQ(runs_of(made), "02 13");
}

TEST(Partition, RolesArePartsOfARun) {
  const std::vector<MadeFile> made = {
      {.name = "policy_worker_1", .rank = 0, .world = 2, .begin = 0, .program = 1},
      {.name = "policy_worker_2", .rank = 1, .world = 2, .begin = 0, .program = 1},
      {.name = "generation_worker_1", .rank = 0, .world = 1, .begin = 0.2, .program = 2}};
  EXPECT_EQ(runs_of(made), "012");
  EXPECT_EQ(runs_of({{.name = "17.25-TP-0-EXTEND", .rank = 0, .world = 2, .begin = 0},
                     {.name = "17.25-TP-1-EXTEND", .rank = 1, .world = 2, .begin = 0},
                     {.name = "17.25-TP-0-DECODE", .rank = 0, .world = 2, .begin = 40, .program = 2},
                     {.name = "17.25-TP-1-DECODE", .rank = 1, .world = 2, .begin = 40, .program = 2}}),
            "0123")
      << "stages of one server";
}

TEST(Partition, ToolsAreRunsEach) {
  std::vector<RunFile> files = {file_of({.name = "a_rank0", .rank = 0, .world = 2, .begin = 0}),
                                file_of({.name = "a_rank1", .rank = 1, .world = 2, .begin = 0})};
  files[1].tool = "nsys";
  EXPECT_EQ(partition_runs(files).size(), 2U);
}

}  // namespace assay::partition_test
