#include <random>

#include "../../formats/flight_recorder/dump.hpp"
#include "assay/words.hpp"
#include "kinds.hpp"
#include "made_dump.hpp"
#include "support/program.hpp"
#include "support/real_data.hpp"
#include "support/test.hpp"

namespace assay::dumps_test {

using testing::Outcome;
using testing::run_assay;

constexpr std::size_t kEnough = std::size_t{256} << 20U;

/// First line of `look`, which follows the place.
std::string first_line(const std::filesystem::path& folder, const std::vector<std::string>& places) {
  std::vector<std::string> arguments{"look", "--json"};
  arguments.insert(arguments.end(), places.begin(), places.end());
  const Outcome look = run_assay(folder, arguments);
  EXPECT_EQ(look.exit, 0) << look.err;
  const std::string key = "\"headline\": \"";
  const std::size_t at = look.out.find(key);
  if (at == std::string::npos) return look.out;
  return look.out.substr(at + key.size(), look.out.find('"', at + key.size()) - at - key.size());
}

void write_dumps(const TempFolder& folder, const made::MadeJob& job, bool as_json = false) {
  for (std::size_t rank = 0; rank < job.ranks(); ++rank) {
    const std::string name = "nccl_trace_rank_" + std::to_string(rank);
    folder.write(as_json ? name + ".json" : name, as_json ? made::json_of(job, rank) : made::pickle_of(job, rank));
  }
}

TEST(FlightRecorder, NamesTheRankOfEachRecordedHang) {
  ASSAY_REAL_FILE(hangs, "hang", "hang");
  const std::map<std::string, std::string> lines = {
      {"skip",
       "rank 2 left out nccl:all_reduce (hang.py:23) and called nccl:all_gather (hang.py:28); 3 ranks wait for it"},
      {"slow", "rank 1 has not called nccl:all_reduce (hang.py:23); 3 ranks wait for it"},
      {"shape",
       "rank 3 gave 524,288 elements to nccl:all_reduce (hang.py:22), others gave 1,048,576; 3 ranks wait for it"},
      {"gone", "rank 3 left no dump, and is missing in nccl:all_reduce (hang.py:23); 3 ranks wait for it"},
      {"healthy", "nothing hangs: no call of 4 ranks is open"}};
  for (const auto& [folder, line] : lines) EXPECT_EQ(first_line(*hangs, {folder}), line + ", as of these dumps");
}

TEST(FlightRecorder, NamesTheRanksOfThePublicHangs) {
  ASSAY_REAL_FILE(hangs, "hang", "hang/nvrx");
  const std::map<std::string, std::string> lines = {
      {"gpu_error_1st",
       "ranks 12 and 14 are still in nccl:_all_gather_base 42806 of TENSOR_MODEL_PARALLEL_GROUP, which others have "
       "completed: their devices are stuck, or their dumps are older; 14 ranks wait for them"},
      {"lock_gil_1st",
       "ranks 9 and 14 have not called their nccl:recv of PIPELINE_MODEL_PARALLEL_GROUP; 14 ranks wait for them"}};
  for (const auto& [folder, line] : lines) EXPECT_EQ(first_line(*hangs, {folder}), line + ", as of these dumps");
}

TEST(FlightRecorder, LeavesDumpsOfTwoJobsApart) {
  const made::Case made = made::made_case("slow host", 4, 1);
  const TempFolder folder;
  write_dumps(folder, made.job);
  folder.write("more/_dump_0", made::pickle_of(made::made_case("healthy", 4, 2).job, 0));
  const std::string line = first_line(folder.path(), {"."});
  EXPECT_TRUE(contains(line, "has not called") || contains(line, "left")) << line;
  folder.write("copy_rank_0", made::pickle_of(made::made_case("healthy", 4, 2).job, 0));
  EXPECT_TRUE(contains(first_line(folder.path(), {"."}), "dumps of two jobs, since rank 0 has two"));
}

TEST(FlightRecorder, AsksForTheOtherDumpsOfALargeJob) {
  const made::Case made = made::made_case("slow host", 8, 1);
  const TempFolder folder;
  folder.write("nccl_trace_rank_0", made::pickle_of(made.job, 0));
  EXPECT_TRUE(contains(first_line(folder.path(), {"nccl_trace_rank_0"}), "give the dumps of ranks 1, 2, 3"));
}

TEST(FlightRecorder, SaysUnequalVersionsAndMissingDumps) {
  const made::Case made = made::made_case("slow host", 4, 1);
  const TempFolder folder;
  for (std::size_t rank = 0; rank < 3; ++rank)
    folder.write("dump_" + std::to_string(rank), made::pickle_of(made.job, rank, rank == 0 ? "2.3" : "2.10"));
  const Outcome look = run_assay(folder.path(), {"look", "."});
  EXPECT_TRUE(contains(look.out, "No dump of rank 3.")) << look.out;
  EXPECT_TRUE(contains(look.out, "unequal versions (2.10 and 2.3)")) << look.out;
}

TEST(FlightRecorder, ReadsJsonAsThePickle) {
  for (const char* kind : {"slow host", "unlike size", "cut buffer", "send or receive left out"}) {
    const made::Case made = made::made_case(kind, 8, 3);
    const TempFolder pickles, json;
    write_dumps(pickles, made.job);
    write_dumps(json, made.job, true);
    const std::string sql =
        "SELECT record_id, process_group, operation, collective_seq_id, p2p_seq_id, state, input_sizes, input_dtypes, "
        "elements, is_p2p, time FROM collective_records";
    const Outcome of_pickle = run_assay(pickles.path(), {"query", "nccl_trace_rank_1", sql});
    const Outcome of_json = run_assay(json.path(), {"query", "nccl_trace_rank_1.json", sql});
    EXPECT_EQ(of_pickle.exit, 0) << of_pickle.err;
    EXPECT_EQ(of_pickle.out, of_json.out);
  }
}

TEST(FlightRecorder, ReadsDamagedDumpsAsFarAsTheyGo) {
  const made::Case made = made::made_case("slow host", 4, 1);
  for (const std::string& whole : {made::pickle_of(made.job, 1), made::json_of(made.job, 1)}) {
    const std::size_t all = flight_recorder::read_dump(whole, kEnough).entries.size();
    ASSERT_GT(all, 5U);
    std::size_t last = 0;
    for (std::size_t size = 1; size < whole.size(); size += 50) {
      try {
        const flight_recorder::Dump dump = flight_recorder::read_dump(whole.substr(0, size), kEnough);
        EXPECT_FALSE(dump.damage.empty()) << size;
        EXPECT_GE(dump.entries.size(), last);
        last = dump.entries.size();
      } catch (const pickles::Refusal& refusal) {
        EXPECT_EQ(last, 0U) << size;
        EXPECT_TRUE(contains(refusal.what(), "no process groups and no calls; copy it again")) << refusal.what();
      }
    }
    EXPECT_GE(last + 2, all);
  }
}

TEST(FlightRecorder, SurvivesChangedBytes) {
  const made::Case made = made::made_case("slow host", 4, 1);
  std::mt19937 random(7);
  for (const std::string& whole : {made::pickle_of(made.job, 1), made::json_of(made.job, 1)}) {
    for (int variant = 0; variant < 400; ++variant) {
      std::string changed = whole;
      for (int c = 0; c < 4; ++c) changed[random() % changed.size()] = static_cast<char>(random());
      try {
        EXPECT_LE(flight_recorder::read_dump(changed, kEnough).entries.size(), changed.size());
      } catch (const pickles::Refusal& refusal) {
        EXPECT_NE(std::string(refusal.what()), "");
      }
    }
  }
}

TEST(FlightRecorder, CountsADamagedDumpAsMissing) {
  const made::Case made = made::made_case("slow host", 4, 1);
  const TempFolder folder;
  write_dumps(folder, made.job);
  const std::int64_t innocent = (*made.guilty.begin() + 1) % 4;
  const std::string name = "nccl_trace_rank_" + std::to_string(innocent);
  const std::string whole = read_text(folder / name);
  folder.write(name, whole.substr(0, whole.size() / 2));
  const Outcome look = run_assay(folder.path(), {"look", "."});
  EXPECT_TRUE(contains(look.out, "versions 2.3 to 2.10, so it counts as missing")) << look.out;
  EXPECT_FALSE(contains(look.out, "rank " + std::to_string(innocent) + " has not called")) << look.out;
}

/// The answer of `look`'s page on dumps whose calls begin at `origin`, beside traces of ranks 1 to 3.
std::string beside_traces(const std::filesystem::path& traces, const made::MadeJob& job, std::int64_t origin) {
  const TempFolder folder;
  for (std::size_t rank = 0; rank < 4; ++rank) {
    const std::string name = filled("pp_m4_rank{}.pt.trace.json.gz", {std::to_string(rank)});
    if (rank > 0) std::filesystem::create_symlink(traces / name, folder / name);
    folder.write(filled("dump_{}.json", {std::to_string(rank)}), made::json_of(job, rank, origin));
  }
  const Outcome look = run_assay(folder.path(), {"look", "--json", "."});
  EXPECT_EQ(look.exit, 0) << look.err;
  return look.out;
}

// Times beside by SQL over the trace of rank 2: its last kernel ends at 1795703634516235344; its last call but the
// one of 24581 ns with which the profiler stops took 19584764 ns and ended 18229 ns later.
TEST(FlightRecorder, SaysWhatTheProfileOfTheLateRankSawLast) {
  ASSAY_REAL_FILE(traces, "parallel", ".");
  made::MadeJob job;
  job.groups = {{"0", "default_pg", {0, 1, 2, 3}}};
  job.programs = {{{}, {}}, {{}, {}}, {{}}, {{}, {}}};
  job.takings.resize(4);
  job.run();
  constexpr std::int64_t kKernel = 1'795'703'634'516'235'344;
  const std::string near = beside_traces(*traces, job, kKernel - 5'000'000);
  EXPECT_TRUE(contains(near, "\"headline\": \"rank 2 ")) << near;
  EXPECT_TRUE(contains(near, "its last kernel, vectorized_elementwise_kernel, ended 5 ms after the last call")) << near;
  EXPECT_TRUE(contains(near, "cudaDeviceSynchronize (range 'optimizer'), which took 19.6 ms and ended 5.02 ms after"))
      << near;
  const std::string late = beside_traces(*traces, job, kKernel + 7'200'000'000'000);
  EXPECT_TRUE(contains(late, "ends 119 minutes before the last call in its dump, so it does not show the hang"))
      << late;
}

// What was found by trying them as a stranger.
TEST(FlightRecorder, SaysNothingHangsOnlyIfAllWasRead) {
  const made::Case healthy = made::made_case("healthy", 4, 1);
  const auto line = [&](auto&& change) {
    const TempFolder folder;
    for (std::size_t rank = 0; rank < 4; ++rank) {
      std::string text = made::json_of(healthy.job, rank);
      const std::string name = change(rank, text);
      if (!name.empty()) folder.write(name, text);
    }
    return first_line(folder.path(), {"."});
  };
  const auto name_of = [](std::size_t rank) { return filled("nccl_trace_rank_{}.json", {std::to_string(rank)}); };
  const std::string whole = line([&](std::size_t rank, std::string&) { return name_of(rank); });
  EXPECT_TRUE(starts_with(whole, "nothing hangs")) << whole;
  const std::string three = line([&](std::size_t rank, std::string&) { return rank == 3 ? "" : name_of(rank); });
  EXPECT_TRUE(contains(three, "of 1 rank more nothing is known")) << three;
  const std::string unread = line([&](std::size_t rank, std::string& text) {
    for (std::size_t at = 0; (at = text.find("collective_seq_id", at)) != std::string::npos;)
      text.replace(at, 10, "odd_number");
    return name_of(rank);
  });
  EXPECT_FALSE(contains(unread, "nothing hangs")) << unread;
}

TEST(FlightRecorder, EqualDumpsOfTwoRanksAreTwoDumps) {
  const TempFolder folder;
  made::MadeJob job;
  job.groups = {{"0", "default_pg", {0, 1, 2, 3}}};
  job.programs = {{{}, {}}, {{}, {}}, {}, {}};
  job.takings.resize(4);
  job.run();
  write_dumps(folder, job, true);
  ASSERT_EQ(read_text(folder / "nccl_trace_rank_2.json"), read_text(folder / "nccl_trace_rank_3.json"));
  EXPECT_TRUE(starts_with(first_line(folder.path(), {"."}), "ranks 2 and 3 have not called "));
}

TEST(FlightRecorder, NoVerdictLeavesTheClaimOpen) {
  const TempFolder folder;
  const made::Case made = made::made_case("slow host", 4, 1);
  folder.write("nccl_trace_rank_0", made::pickle_of(made.job, 0));
  const Outcome run =
      run_assay(folder.path(), {"run", ASSAY_SOURCE_DIR "/configs/hang.toml", "--gate", "--reports", "."});
  EXPECT_EQ(run.exit, 4) << run.out;
}

TEST(FlightRecorder, TakesNoFilesOfOthers) {
  const test::MadeSnapshot snapshot{.traces = {{}}, .segments = {{0, 1 << 21, {{0, 4096, 4096}}}}};
  EXPECT_FALSE(flight_recorder::begins_like_a_dump(snapshot.text().substr(0, 512)));
  EXPECT_FALSE(flight_recorder::begins_like_a_dump(R"({"version": "1", "traceEvents": []})"));
  EXPECT_FALSE(flight_recorder::begins_like_a_dump(R"({"entries": [], "name": "a list"})"));
  const made::Case made = made::made_case("healthy", 2, 1);
  EXPECT_FALSE(flight_recorder::begins_like_a_dump(
      R"({"schemaVersion": 1, "deviceProperties": [], "distributedInfo": {"pg_config": [{"pg_name": "0"}], "version": 1}})"));
  EXPECT_TRUE(flight_recorder::begins_like_a_dump(made::pickle_of(made.job, 0).substr(0, 512)));
  EXPECT_TRUE(flight_recorder::begins_like_a_dump(made::json_of(made.job, 0).substr(0, 512)));
  const TempFolder folder;
  folder.write("a.pickle", snapshot.text());
  folder.write("b.pickle", made::pickle_of(made.job, 0));
  const Outcome list = run_assay(folder.path(), {"list", "."});
  EXPECT_TRUE(contains(list.out, "a.pickle  memory_snapshot")) << list.out;
  EXPECT_TRUE(contains(list.out, "b.pickle  flight_recorder")) << list.out;
}

}  // namespace assay::dumps_test
