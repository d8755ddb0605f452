// All ranks of a job in one trace, read back: processes, arrows, clocks, and what is refused.
#include "assay/testing/report_builder.hpp"
#include "golden/golden_case.hpp"
#include "support/test.hpp"
#include "timeline/job_timeline.hpp"

namespace assay::timeline_test {

using namespace testing;
using Json = nlohmann::json;

/// What a trace holds, by what a reader of it would ask.
struct ReadTrace {
  std::map<std::int64_t, std::string> processes, labels;  ///< by pid
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<std::pair<std::int64_t, std::int64_t>>> kernels;  ///< ns
  struct Stop {
    std::string phase;
    std::int64_t pid, tid, time;
  };
  std::map<std::int64_t, std::vector<Stop>> arrows;  ///< of collectives, by number, in the order of time
  std::set<std::int64_t> launch_numbers;

  explicit ReadTrace(const std::string& text) {
    const Json document = Json::parse(text);
    const auto ns = [](const Json& us) { return std::llround(us.get<double>() * 1000); };
    for (const Json& e : document.at("traceEvents")) {
      const std::int64_t pid = e.at("pid"), tid = e.at("tid");
      const std::string phase = e.at("ph");
      if (phase == "M" && e["name"] == "process_name") {
        EXPECT_TRUE(processes.emplace(pid, e["args"]["name"]).second) << "a process is named once";
      } else if (phase == "M" && e["name"] == "process_labels") {
        labels[pid] = e["args"]["labels"];
      } else if (phase == "X" && e.value("cat", "") == "kernel") {
        kernels[{pid, tid}].emplace_back(ns(e["ts"]), ns(e["ts"]) + ns(e["dur"]));
      } else if (e.value("cat", "") == "collective") {
        arrows[e.at("id")].push_back({phase, pid, tid, ns(e["ts"])});
      } else if (e.value("cat", "") == "launch") {
        launch_numbers.insert(e.at("id").get<std::int64_t>());
      }
    }
    for (auto& [number, stops] : arrows)
      std::stable_sort(stops.begin(), stops.end(), [](const Stop& a, const Stop& b) { return a.time < b.time; });
  }

  /// What is wrong with it; empty when nothing is.
  [[nodiscard]] std::string problem() const {
    std::ostringstream out;
    for (const auto& [track, spans] : kernels) {
      for (std::size_t i = 1; i < spans.size(); ++i) {
        if (spans[i].first < spans[i - 1].first) out << "kernels of a track go back in time; ";
      }
    }
    for (const auto& [number, stops] : arrows) {
      if (launch_numbers.contains(number)) out << "arrow " << number << " is a launch too; ";
      std::set<std::int64_t> pids;
      for (std::size_t i = 0; i < stops.size(); ++i) {
        const std::string wanted = i == 0 ? "s" : i + 1 == stops.size() ? "f" : "t";
        if (stops[i].phase != wanted)
          out << "arrow " << number << " has " << stops[i].phase << " for " << wanted << "; ";
        if (!pids.insert(stops[i].pid).second) out << "arrow " << number << " is twice on a process; ";
        const auto track = kernels.find({stops[i].pid, stops[i].tid});
        const bool on_kernel =
            track != kernels.end() && std::any_of(track->second.begin(), track->second.end(),
                                                  [&](const auto& s) { return s.first == stops[i].time; });
        if (!on_kernel) out << "arrow " << number << " begins at no kernel; ";
      }
    }
    return out.str();
  }
};

/// An export of one rank: 6 steps of 1 ms, a gemm and an all-reduce that ends at 700 us on all ranks.
struct RankFile {
  std::int64_t rank = 0, world = 2;
  std::int64_t compute = 400000;      ///< ns
  std::int64_t session = 1000000000;  ///< start of the session, ns
  std::int64_t later = 0;             ///< of that session than of the first rank's
  bool has_origin = true;
  int steps = 6;
};

void write_rank(const std::filesystem::path& file, const RankFile& r) {
  std::ostringstream sql;
  const auto ranked = [](const char* name, std::int64_t value) {
    return std::string("INSERT INTO META_DATA_CAPTURE VALUES ('PROCESS_0:ENVIRONMENT_VARIABLE', '") + name + "=\"" +
           std::to_string(value) + "\"');";
  };
  sql << "CREATE TABLE META_DATA_CAPTURE (name TEXT, value TEXT);" << ranked("RANK", r.rank)
      << ranked("WORLD_SIZE", r.world)
      << "CREATE TABLE TARGET_INFO_SYSTEM_ENV (name TEXT, value TEXT);"
         "INSERT INTO TARGET_INFO_SYSTEM_ENV VALUES ('Hostname', 'node1');"
         "INSERT INTO StringIds VALUES (21, 'ncclDevKernel_AllReduce_Sum_f32_RING_LL');";
  if (r.has_origin)
    sql << "CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs INTEGER);"
           "INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES ("
        << r.session + r.later << ");";
  for (int i = 0; i < r.steps; ++i) {
    const std::int64_t at = 5000000 + i * std::int64_t{1000000} - r.later;
    sql << "INSERT INTO NVTX_EVENTS (start, end, text) VALUES (" << at << "," << at + 990000 << ", 'step_" << i
        << "');";
    const auto launch = [&](int number, std::int64_t call, std::int64_t start, std::int64_t end, int name, int stream) {
      sql << "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME (start, end, correlationId, nameId) VALUES (" << call << ","
          << call + 500 << "," << number << ", 1);"
          << "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, correlationId, demangledName, shortName, streamId) "
             "VALUES ("
          << start << "," << end << "," << number << "," << name << "," << name << "," << stream << ");";
    };
    launch(2 * i + 1, at + 100, at + 1000, at + 1000 + r.compute, 12, 7);
    launch(2 * i + 2, at + 1100, at + 1000 + r.compute, at + 700000, 21, 17);
  }
  const TempFolder made;
  write_text(made / "in/rank.sql", sql.str());
  testing::prepare_inputs(made / "in", made / "out");
  std::filesystem::create_directories(file.parent_path());
  std::filesystem::copy_file(made / "out" / "rank.sqlite", file);
}

Outcome timeline(const TempFolder& folder, std::vector<std::string> places) {
  places.insert(places.begin(), "timeline");
  for (const char* word : {"-o", "trace.json"}) places.emplace_back(word);
  return run_assay(folder.path(), places);
}

TEST(JobTimeline, HasAProcessARankAnArrowACollectiveAndOneClock) {
  const TempFolder folder;
  write_rank(folder / "job/run_rank0.sqlite", {});
  write_rank(folder / "job/run_rank1.sqlite", {.rank = 1, .compute = 600000, .later = 123456});
  const Outcome outcome = timeline(folder, {"job"});
  ASSERT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "2 of 2 ranks, 6 collectives joined by arrows"));
  EXPECT_TRUE(contains(outcome.err, "run_rank1.sqlite: clock: aligned by file timestamps, within"));
  const ReadTrace trace(read_text(folder / "trace.json"));
  EXPECT_EQ(trace.problem(), "");
  EXPECT_EQ(trace.processes,
            (std::map<std::int64_t, std::string>{{1, "rank 0: run_rank0.sqlite"}, {2, "rank 1: run_rank1.sqlite"}}));
  EXPECT_TRUE(contains(trace.labels.at(2), "within"));
  ASSERT_EQ(trace.arrows.size(), 6U);
  for (const auto& [number, stops] : trace.arrows) {
    ASSERT_EQ(stops.size(), 2U);
    EXPECT_EQ(stops.front().pid, 1) << "rank 0 comes first";
    EXPECT_EQ(stops.back().time - stops.front().time, 200000) << "whatever the sessions' starts";
  }
  EXPECT_EQ(trace.kernels.size(), 4U) << "two streams a rank";
}

TEST(Timeline, ShowsTheCriticalPathOfRangesThatAreCalledLikeSteps) {
  const TempFolder folder;
  write_rank(folder / "run.sqlite", {});
  const Outcome outcome = timeline(folder, {"run.sqlite"});
  ASSERT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_FALSE(contains(outcome.err, "without the critical path: "));
  std::map<std::int64_t, std::int64_t> sums;
  const Json document = Json::parse(read_text(folder / "trace.json"));
  for (const Json& e : document.at("traceEvents")) {
    if (e.value("cat", "") == "path") sums[e["args"]["iteration"]] += std::llround(e["dur"].get<double>() * 1000);
  }
  std::map<std::int64_t, std::int64_t> steps;
  for (std::int64_t step = 1; step < 5; ++step) steps[step] = 1000000;  // ranks begin the first at other times
  EXPECT_EQ(sums, steps);
}

TEST(JobTimeline, TakesReportsInAnyOrder) {
  const TempFolder folder;
  for (std::int64_t rank = 0; rank < 3; ++rank)
    write_rank(folder / ("r" + std::to_string(9 - rank) + ".sqlite"),
               {.rank = rank, .world = 3, .compute = 400000 + rank * 1000});
  ASSERT_EQ(timeline(folder, {"r7.sqlite", "r8.sqlite", "r9.sqlite"}).exit, 0);
  const std::string text = read_text(folder / "trace.json");
  ASSERT_EQ(timeline(folder, {"r9.sqlite", "r7.sqlite", "r8.sqlite"}).exit, 0);
  EXPECT_EQ(read_text(folder / "trace.json"), text) << "the same bytes";
  const ReadTrace trace(text);
  EXPECT_EQ(trace.problem(), "");
  EXPECT_EQ(trace.processes.at(1), "rank 0: r9.sqlite");
  for (const auto& [number, stops] : trace.arrows) EXPECT_EQ(stops.size(), 3U);
}

TEST(JobTimeline, NamesReportsThatAreNotAligned) {
  const TempFolder folder;
  write_rank(folder / "run_rank0.sqlite", {});
  write_rank(folder / "run_rank1.sqlite", {.rank = 1, .has_origin = false});
  const Outcome outcome = timeline(folder, {"run_rank0.sqlite", "run_rank1.sqlite"});
  ASSERT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "not aligned: a file does not record when its clock started"));
  const ReadTrace trace(read_text(folder / "trace.json"));
  EXPECT_TRUE(contains(trace.labels.at(2), "not aligned"));
  EXPECT_EQ(trace.arrows.size(), 6U) << "what belongs together needs no clock";
}

TEST(JobTimeline, RejectsAndNamesSeveralJobs) {
  const TempFolder folder;
  for (const char* run : {"a", "b"}) {
    for (std::int64_t rank = 0; rank < 2; ++rank)
      write_rank(folder / ("jobs/" + std::string(run) + "_rank" + std::to_string(rank) + ".sqlite"),
                 {.rank = rank, .compute = *run == 'a' ? 400000 : 300000});  // copies would be left out
  }
  const Outcome outcome = timeline(folder, {"jobs"});
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_TRUE(contains_all(outcome.err, {"these are 2 runs", "a_rank0.sqlite (2 ranks)", "b_rank0.sqlite (2 ranks)",
                                         "name the profiles of one"}));
  EXPECT_FALSE(std::filesystem::exists(folder / "trace.json"));
}

TEST(JobTimeline, ShowsAFolderWithOneReportAsThatReport) {
  const TempFolder folder;
  write_rank(folder / "job/run_rank0.sqlite", {});
  ASSERT_EQ(timeline(folder, {"job"}).exit, 0);
  const std::string text = read_text(folder / "trace.json");
  ASSERT_EQ(timeline(folder, {"job/run_rank0.sqlite"}).exit, 0);
  EXPECT_EQ(read_text(folder / "trace.json"), text);
  EXPECT_FALSE(contains(text, "rank 0"));
}

TEST(MissingRanks, AreToldByTheTimelineAndTheLook) {
  const TempFolder folder;
  write_rank(folder / "job/run_rank0.sqlite", {.world = 5});
  write_rank(folder / "job/run_rank3.sqlite", {.rank = 3, .world = 5, .compute = 600000});
  const Outcome drawn = timeline(folder, {"job"}), seen = run_assay(folder.path(), {"look", "job"});
  EXPECT_TRUE(contains(drawn.out, "2 of 5 ranks, 6 collectives")) << drawn.out << drawn.err;
  EXPECT_EQ(seen.exit, 0);
  EXPECT_TRUE(contains_all(seen.out, {"\nCaveats", "2 of 5 ranks"})) << seen.out;
}

TEST(MissingRanks, AreToldOfLoneAndImpossibleOnes) {
  const TempFolder folder;
  write_rank(folder / "twice/a.sqlite", {.rank = 1, .world = 4});
  write_rank(folder / "twice/b.sqlite", {.rank = 1, .world = 4, .compute = 600000});
  write_rank(folder / "never/a.sqlite", {});
  write_rank(folder / "never/b.sqlite", {.rank = 6, .compute = 600000});
  const Outcome twice = run_assay(folder.path(), {"look", "twice"}),
                never = run_assay(folder.path(), {"look", "never"});
  EXPECT_TRUE(contains_all(twice.out, {"\nCaveats", "2 profiles of single ranks", "(rank 1 of 4)"})) << twice.out;
  EXPECT_TRUE(contains_all(never.out, {"\nCaveats", "rank 6 is not a rank of a job of 2 ranks"})) << never.out;
}

TEST(JobTimeline, ContinuesWithoutAnUnreadableRank) {
  const TempFolder folder;
  write_rank(folder / "run_rank0.sqlite", {});
  write_rank(folder / "run_rank1.sqlite", {.rank = 1});
  std::filesystem::resize_file(folder / "run_rank1.sqlite", 4096 * 3);
  const Outcome outcome = timeline(folder, {"run_rank0.sqlite", "run_rank1.sqlite"});
  if (outcome.exit != 0) {  // told before anything is read
    EXPECT_TRUE(contains(outcome.err, "run_rank1.sqlite"));
    return;
  }
  EXPECT_TRUE(contains(outcome.out, "1 of 2 ranks, 0 collectives"));
}

TEST(JobClocks, MoveEachRankAlongItsLine) {
  const TraceClock clock{1000, -30, -1e-3, 5000};
  EXPECT_EQ(clock.aligned(4000), 4970);
  EXPECT_EQ(clock.aligned(104000), 104870) << "100 us later 100 ns less";
}

/// Tables as the analyzer `ranks` emits them: two ranks, one collective.
struct RankTables {
  OwnedTable clocks{"ranks",
                    "clocks",
                    "",
                    {{"report", "", CellType::kText, {"a", "b"}, {}, {}},
                     {"base", "ns", CellType::kInteger, {}, {0, 7}, {}},
                     {"offset", "ns", CellType::kInteger, {}, {0, 5}, {}},
                     {"slope", "1", CellType::kNumber, {}, {}, {0, 0}},
                     {"pivot", "ns", CellType::kInteger, {}, {0, 0}, {}},
                     {"aligned", "", CellType::kInteger, {}, {1, 1}, {}},
                     {"alignment", "", CellType::kText, {"first", "shifted"}, {}, {}}}};
  OwnedTable matched{"ranks",
                     "matched",
                     "",
                     {{"collective", "", CellType::kInteger, {}, {0, 0}, {}},
                      {"clock", "", CellType::kInteger, {}, {0, 1}, {}},
                      {"start", "ns", CellType::kInteger, {}, {100, 90}, {}},
                      {"end", "ns", CellType::kInteger, {}, {200, 190}, {}},
                      {"wait", "ns", CellType::kInteger, {}, {0, 3}, {}}}};
  [[nodiscard]] Result<JobClocks> read() const { return job_clocks(&clocks, &matched, {"a", "b"}); }
};

TEST(JobClocks, AreReadFromTheTablesOfRanks) {
  const Result<JobClocks> job = RankTables().read();
  ASSERT_TRUE(job);
  EXPECT_EQ(job->aligned, 2U);
  EXPECT_EQ(job->collectives, 1);
  EXPECT_EQ(job->ranks[1].clock.aligned(90), 102);
  ASSERT_EQ(job->ranks[1].collectives.size(), 1U);
  EXPECT_EQ(job->ranks[1].collectives[0].part, ArrowPart::kEnd) << "102 is after the 100 of the first rank";
}

/// Another analyzer of the id `ranks` may have emitted them.
TEST(JobClocks, RejectTablesOfAnotherAnalyzer) {
  const auto exit_of = [](const RankTables& tables) {
    const Result<JobClocks> job = tables.read();
    return job ? Exit::kOk : job.error().exit;
  };
  for (std::size_t c = 0; c < RankTables().clocks.columns.size(); ++c) {
    RankTables missing, retyped, cut;
    missing.clocks.columns[c].name = "other";
    OwnedTable::Column& column = retyped.clocks.columns[c];
    column.type = column.type == CellType::kText ? CellType::kNumber : CellType::kText;
    cut.clocks.columns[c].texts.resize(std::min<std::size_t>(1, cut.clocks.columns[c].texts.size()));
    cut.clocks.columns[c].integers.resize(std::min<std::size_t>(1, cut.clocks.columns[c].integers.size()));
    cut.clocks.columns[c].numbers.resize(std::min<std::size_t>(1, cut.clocks.columns[c].numbers.size()));
    EXPECT_EQ(exit_of(missing), Exit::kFailed) << c;
    EXPECT_EQ(exit_of(retyped), Exit::kFailed) << c;
    EXPECT_EQ(exit_of(cut), Exit::kFailed) << c;
  }
  for (std::size_t c = 0; c < RankTables().matched.columns.size(); ++c) {
    RankTables missing;
    missing.matched.columns[c].name = "other";
    EXPECT_EQ(exit_of(missing), Exit::kFailed) << c;
  }
  for (const std::int64_t clock : {std::int64_t{2}, std::int64_t{-1}}) {
    RankTables off;
    off.matched.columns[1].integers[1] = clock;
    EXPECT_EQ(exit_of(off), Exit::kFailed) << clock;
  }
  RankTables stranger;
  stranger.clocks.columns[0].texts[1] = "c";
  EXPECT_EQ(exit_of(stranger), Exit::kFailed);
}

TEST(JobTimeline, SaysNothingOfIdleTimeThatItShows) {  // PyTorch traces do not say which copies are of pageable memory
  ASSAY_REAL_FOLDER(data, "ddp");
  const TempFolder folder;
  const Outcome outcome = timeline(folder, {std::string(data) + "/torch/single_rank0.pt.trace.json.gz"});
  ASSERT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_TRUE(contains(read_text(folder / "trace.json"), "idle"));
  EXPECT_FALSE(contains(outcome.err, "without idle time"));
}

/// The recorded runs: one clock to the nanosecond, an arrow for every matched collective.
TEST(JobTimeline, JoinsEveryCollectiveOfRecordedRanks) {
  ASSAY_REAL_FOLDER(data, "ddp");
  const TempFolder folder;
  const std::pair<const char*, const char*> sources[] = {{"nsys/", ".sqlite"}, {"torch/", ".pt.trace.json.gz"}};
  for (const auto& [source, end] : sources) {
    const std::string name = std::string(data) + "/" + source + "straggler_rank";
    const Outcome outcome = timeline(folder, {name + "1" + end, name + "0" + end});
    ASSERT_EQ(outcome.exit, 0) << outcome.err;
    const ReadTrace trace(read_text(folder / "trace.json"));
    EXPECT_EQ(trace.problem(), "");
    EXPECT_EQ(trace.processes.size(), 2U);
    EXPECT_EQ(trace.arrows.size(), source == std::string("nsys/") ? 100U : 60U);
    std::size_t late = 0;
    for (const auto& [number, stops] : trace.arrows) late += stops.back().pid == 2 ? 1U : 0U;
    EXPECT_GE(late, trace.arrows.size() - 10) << "rank 1 comes last";
  }
}

}  // namespace assay::timeline_test
