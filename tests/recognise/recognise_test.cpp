#include "assay/algo/named_ranges.hpp"
#include "catalog/foreign.hpp"
#include "catalog/places.hpp"
#include "config/nsys_database.hpp"
#include "config/question_of.hpp"
#include "recognise/profiles.hpp"
#include "recognise/step_name.hpp"
#include "runs/find_runs.hpp"
#include "support/test.hpp"

namespace assay::recognise_test {

/// A trace as PyTorch writes one, of a rank unless `rank` is below 0. `salt` makes its bytes its own.
std::string trace_of(int rank, int world, int salt) {
  std::string text = R"({"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "GPU"}], )";
  if (rank >= 0)
    text += R"("distributedInfo": {"rank": )" + std::to_string(rank) + R"(, "world_size": )" + std::to_string(world) +
            "}, ";
  return text + R"("traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "op", "pid": 1, "tid": 1, "ts": )" +
         std::to_string(1000 + salt) + R"(, "dur": 5}]})";
}

class Recognise : public ::testing::Test {
 protected:
  void rank(const std::string& name, int rank, int world) { folder_.write(name, trace_of(rank, world, ++salt_)); }
  void report(const fs::path& below) { write_nsys(folder_ / below, "report " + std::to_string(100 + ++salt_)); }

  /// "a+b c": names of the runs, ranks of one job joined by '+', in the order of the catalog.
  std::string runs() {
    const fs::path places[] = {folder_.path()};
    const Result<Catalog> catalog = profiles_at(places, {});
    if (!catalog) return catalog.error().sentence;
    std::map<std::string, std::string> by_job;
    std::vector<std::string> order;
    for (const ProfileFiles& one : files_of(*catalog)) {
      const std::string job(property_text(one.file, kJobName));
      const std::string key = job.empty() ? one.file.name : job;
      const auto [at, fresh] = by_job.emplace(key, "");
      if (fresh) order.push_back(key);
      at->second += (at->second.empty() ? "" : "+") + std::string(property_text(one.file, "rank"));
    }
    std::string text;
    for (const std::string& key : order) text += (text.empty() ? "" : " ") + by_job[key];
    return text;
  }

  TempFolder folder_;
  int salt_ = 0;
};

/// The namings of one pair in the field: torchtune, TensorRT-LLM, PyTorch's own handler, vLLM, SGLang, Megatron, and
/// names that say nothing.
TEST_F(Recognise, RanksOfOneJobByWhatFilesStateUnderEachNaming) {
  constexpr std::array<const char*, 2> kNamings[] = {
      {"rank0_trace.pt.trace.json", "rank1_trace.pt.trace.json"},
      {"trace-rank-0.pt.trace.json", "trace-rank-1.pt.trace.json"},
      {"node01_4711.1698925322189.pt.trace.json", "node02_4712.1698925322204.pt.trace.json"},
      {"dp0_pp0_tp0_dcp0_ep0_rank0.1773709742341309550.pt.trace.json",
       "dp0_pp0_tp1_dcp0_ep1_rank1.1773709742341309551.pt.trace.json"},
      {"1763-TP-0-DP-0-PP-0-EP-0.trace.json", "1763-TP-1-DP-0-PP-0-EP-0.trace.json"},
      {"megatron-exp[a]-rank[0].pt.trace.json", "megatron-exp[a]-rank[1].pt.trace.json"},
      {"profile_31001.json", "profile_31002.json"},
      {"alice.json", "bob.json"},
      {"rank0/trace.json", "rank1/trace.json"}};
  for (const auto& names : kNamings) {
    rank(names[0], 0, 2);
    rank(names[1], 1, 2);
    EXPECT_EQ(runs(), "0+1") << names[0];
    for (const char* name : names) fs::remove(folder_ / name);
  }
}

TEST_F(Recognise, RanksInFoldersOfTheirHostsAreOneJobIfAllAreThere) {
  rank("alpha/trace.json", 0, 2);
  rank("beta/trace.json", 1, 2);
  EXPECT_EQ(runs(), "0+1");
  rank("gamma/trace.json", 1, 2);
  EXPECT_EQ(runs(), "0 1 1") << "which of the two is of rank 0's job nothing tells";
}

// "_r0", "_r1", ... number repeats as often as ranks.
TEST_F(Recognise, RepeatsNumberedBehindOneLetterAreNotRanks) {
  for (const char* name : {"base_r0.sqlite", "base_r1.sqlite", "base_r2.sqlite"}) report(name);
  EXPECT_EQ(runs(), "") << "no run has a rank";
}

TEST_F(Recognise, JobsOfOneFolderAreToldApart) {
  for (const char* variant : {"overlap", "noreduce"}) {
    for (const int r : {0, 1}) rank(std::string(variant) + "_rank" + std::to_string(r) + ".pt.trace.json", r, 2);
  }
  EXPECT_EQ(runs(), "0+1 0+1");
  rank("single_rank0.pt.trace.json", 0, 1);
  EXPECT_EQ(runs(), "0+1 0+1 0") << "a world of one is no job";
}

TEST_F(Recognise, JobsOfDifferentSizeStayApart) {
  for (const int r : {0, 1}) rank("tp2_rank" + std::to_string(r) + ".json", r, 2);
  for (const int r : {0, 1, 2, 3}) rank("tp4_rank" + std::to_string(r) + ".json", r, 4);
  EXPECT_EQ(runs(), "0+1 0+1+2+3");
}

TEST_F(Recognise, RanksOfSeveralRunsOfPyTorchsHandlerArePairedByTime) {
  rank("n_11.1698925322189.json", 0, 2);
  rank("n_12.1698925322190.json", 1, 2);
  rank("n_13.1698925399189.json", 0, 2);
  rank("n_10.1698925399190.json", 1, 2);
  EXPECT_EQ(runs(), "1+0 0+1") << "by name the last rank 1 comes first";
}

TEST_F(Recognise, NamesAloneTellRanksThatCountUpFromZero) {
  report("run_rank0.sqlite");
  report("run_rank1.sqlite");
  EXPECT_EQ(runs(), "0+1");
  fs::remove(folder_ / "run_rank0.sqlite");
  fs::remove(folder_ / "run_rank1.sqlite");
  report("lora_rank8.sqlite");
  report("lora_rank16.sqlite");
  report("serve_tp2.sqlite");
  report("serve_tp4.sqlite");
  EXPECT_EQ(runs(), "") << "four runs, none of which is a rank";
}

TEST_F(Recognise, ATraceOfTheHostBesideAJobIsNotARun) {
  rank("dp0_tp0_rank0.json", 0, 2);
  rank("dp0_tp1_rank1.json", 1, 2);
  folder_.write(
      "node_6999.async_llm.1773709742341300000.json",
      R"({"schemaVersion": 1, "deviceProperties": [], "cuda_runtime_version": 12040, "cuda_driver_version": 12040, "traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "o", "ts": 1, "dur": 1}]})");
  EXPECT_EQ(runs(), "0+1");
  folder_.write("z_cut.json", R"({"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "o", "ts": 1, "dur": 1}]})");
  EXPECT_EQ(runs(), "0+1 ") << "may be a damaged rank: reported by itself";
}

TEST_F(Recognise, CapturesThatCountUpAreRepeats) {
  for (const char* name : {"serve_tp2.1", "serve_tp2.2", "serve_tp4.1", "serve_tp4.2"})
    report(std::string(name) + ".sqlite");
  const fs::path places[] = {folder_.path()};
  const Question question =
      question_of("[question]\nid = \"q\"\n[labels]\npatterns = [\"serve_tp{tp}\"]\ntp = {type = \"int\"}\n");
  const Result<Catalog> catalog = profiles_at(places, {question});
  ASSERT_TRUE(catalog);
  std::vector<std::string> tps;
  for (const CatalogEntry& entry : catalog->questions.front().entries) {
    ASSERT_EQ(entry.labels.size(), 1U);
    tps.push_back(entry.labels.front().text + "." +
                  std::string(property_text(catalog->files[entry.file], kCaptureName)));
  }
  EXPECT_TRUE(equals(tps, {"2.1", "2.2", "4.1", "4.2"}));
}

TEST_F(Recognise, NumbersOfVersionsAndRatesAreNotCaptures) {
  for (const char* name : {"torch2.1", "torch2.2", "lr0.1", "lr0.2"}) report(std::string(name) + ".sqlite");
  const fs::path places[] = {folder_.path()};
  const Result<Catalog> catalog = profiles_at(places, {});
  ASSERT_TRUE(catalog);
  for (const FoundFile& file : catalog->files) EXPECT_EQ(property_text(file, kCaptureName), "") << file.name;
}

TEST_F(Recognise, IgnoresDifferencesBetweenRanks) {
  rank("dp0_tp0_bs8_rank0.json", 0, 2);
  rank("dp0_tp1_bs8_rank1.json", 1, 2);
  const Question question = question_of(
      "[question]\nid = \"q\"\n[labels]\npatterns = [\"dp0_tp{tp}_bs{bs}_rank{rank}\"]\ntp = {type = \"int\"}\n"
      "bs = {type = \"int\"}\nrank = {type = \"int\", rank = true}\n");
  const fs::path places[] = {folder_.path()};
  const Result<Catalog> catalog = profiles_at(places, {question});
  ASSERT_TRUE(catalog);
  for (const CatalogEntry& entry : catalog->questions.front().entries) {
    ASSERT_EQ(entry.labels.size(), 2U);
    EXPECT_EQ(entry.labels[0].text, "8");
  }
}

std::vector<std::string> names_at(const std::vector<fs::path>& places) {
  const Result<Catalog> catalog = profiles_at(places, {});
  std::vector<std::string> names;
  for (std::size_t e = 0; catalog && e < catalog->questions.front().entries.size(); ++e)
    names.push_back(catalog->files[catalog->questions.front().entries[e].file].path.lexically_normal().string());
  return names;
}

TEST_F(Recognise, FilesFoldersAndGlobsAreMixed) {
  report("a/x.sqlite");
  report("a/y.sqlite");
  report("b/x.sqlite");
  report("b/deep/z.sqlite");
  const auto at = [&](const char* below) { return (folder_ / below).string(); };
  EXPECT_TRUE(permutes(names_at({at("a"), at("b/x.sqlite")}), {at("a/x.sqlite"), at("a/y.sqlite"), at("b/x.sqlite")}));
  EXPECT_TRUE(equals(names_at({at("b/*.sqlite")}), {at("b/x.sqlite")})) << "as in a shell";
  EXPECT_TRUE(equals(names_at({at("b/**/*.sqlite")}), {at("b/deep/z.sqlite"), at("b/x.sqlite")}));
  EXPECT_EQ(names_at({at("a/x.sqlite"), at("a")}).size(), 2U) << "no file twice";
  fs::copy_file(at("a/x.sqlite"), at("a/copy.sqlite"));
  EXPECT_EQ(names_at({at("a/x.sqlite"), at("a/copy.sqlite")}).size(), 2U) << "both were asked for";
  EXPECT_EQ(names_at({at("a")}).size(), 2U) << "a copy is no measurement of its own";
}

TEST_F(Recognise, AResultStandsForItsProfiles) {
  report("profiles/x.sqlite");
  folder_.write("result/results.sqlite", "");
  folder_.write("result/run.json", R"({"folder": ")" + folder_.path().string() + R"(", "reports": ["profiles"]})");
  EXPECT_TRUE(equals(names_at({folder_ / "result"}), {(folder_ / "profiles/x.sqlite").string()}));
  fs::remove_all(folder_ / "profiles");
  EXPECT_TRUE(contains(trees_at(std::vector<fs::path>{folder_ / "result"}).error().sentence, "no longer exist"));
}

TEST_F(Recognise, CountersBesideANamedProfileJoinIt) {
  report("run.sqlite");
  folder_.write("run.ncu.csv", "\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n");
  const fs::path places[] = {folder_ / "run.sqlite"};
  const Result<Catalog> catalog = profiles_at(places, {});
  ASSERT_TRUE(catalog);
  ASSERT_EQ(files_of(*catalog).size(), 1U);
}

TEST_F(Recognise, EveryCommandRefusesWhatIsNotThereAlike) {
  const fs::path nowhere[] = {folder_ / "nowhere"};
  const Result<Catalog> none = profiles_at(nowhere, {}, {.option = "BEFORE"});
  EXPECT_TRUE(starts_with(none.error().sentence, "BEFORE: '"));
  EXPECT_EQ(none.error().exit, Exit::kUsage);
  const fs::path text[] = {folder_.write("notes.txt", "x")};
  EXPECT_EQ(profiles_at(text, {}, {.strict = true}).error().exit, Exit::kUsage);
  const Result<Catalog> row = profiles_at(text, {});
  ASSERT_TRUE(row);
  EXPECT_TRUE(contains(row->files.front().problem, "rocprofv3")) << "what is expected comes from the formats";
}

TEST_F(Recognise, FilesOfOthersAreNamed) {
  EXPECT_TRUE(contains(foreign_file(folder_.write("a.zip", "PK\x03\x04rest")).problem, "a zip archive"));
  EXPECT_TRUE(contains(foreign_file(folder_.write("b.bin", "PAR1....")).problem, "Parquet"));
  EXPECT_TRUE(contains(
      foreign_file(folder_.write("c.json", R"({"traceEvents":[{"args":{"name":"/device:GPU:0"}}]})")).problem, "JAX"));
  EXPECT_EQ(foreign_file(folder_.write("d.txt", "words")).problem, "");
  const auto trace = folder_.write("h.trace.json", R"({"traceEvents":[{"args":{"name":"/device:GPU:0"}}]})");
  EXPECT_EQ(sniff(trace, "h.trace.json").kind, FileKind::kUnreadable);
  folder_.write("h.xplane.pb", "x");
  EXPECT_EQ(sniff(trace, "h.trace.json").kind, FileKind::kSidecar) << "the file that is read instead is next to it";
  run_sql(folder_ / "nvprof.sqlite",
          "CREATE TABLE StringTable (id, value); CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (a)");
  const FoundFile found = sniff(folder_ / "nvprof.sqlite", "nvprof.sqlite");
  EXPECT_EQ(found.kind, FileKind::kUnreadable);
  EXPECT_TRUE(contains(found.problem, "nvprof"));
}

/// A file of each row of understanding.md's first line: named by itself it is left out as what it is, with what to do.
TEST_F(Recognise, EachToolOfOthersHasItsNextStep) {
  const std::string tar = "\x01" + std::string(256, 'x') + "ustar";
  const std::pair<std::pair<std::string, std::string>, std::string> rows[] = {
      {{"a.json", R"({"traceEvents": [{"args": {"name": "/device:GPU:0"}}]})"}, "trace of JAX"},
      {{"b.json", R"({"frame": {}, "metrics": {}, "children": []})"}, "Proton"},
      {{"c.json", R"({"traceEvents": [{"cat": "triton", "name": "k"}]})"}, "Proton"},
      {{"d.json", R"({"CudaEvent": {"startNs": "1"}})"}, "JSON export of Nsight"},
      {{"e.arrow", "ARROW1\0\0"}, "Arrow"},
      {{"f.parquet", "PAR1"}, "Parquet"},
      {{"g.h5", "\x89HDF\r\n\x1a\n"}, "HDF5"},
      {{"i.zip", "PK\x03\x04"}, "zip"},
      {{"j.sqlite.xz", std::string("\xfd"
                                   "7zXZ\0",
                                   6)},
       "xz"},
      {{"k.zst", "\x28\xb5\x2f\xfd"}, "zstd"},
      {{"l.tar", tar}, "tar archive"},
      {{"m.json", "\xff\xfe{"}, "UTF-16"},
      {{"n.csv", "timestamp, power.draw [W]\n"}, "power samples"},
      {{"o.qdrep", "QDREP"}, "nsys export --type sqlite"}};
  for (const auto& [file, words] : rows) {
    const fs::path places[] = {folder_.write(file.first, file.second)};
    const Result<Catalog> catalog = profiles_at(places, {});
    ASSERT_TRUE(catalog) << file.first;
    const FoundFile& found = catalog->files.front();
    EXPECT_FALSE(is_report(found.kind)) << file.first;
    EXPECT_TRUE(contains(found.problem, words)) << file.first << ": " << found.problem;
    EXPECT_GT(found.remedy.size(), 10U) << file.first << ": what to do";
  }
}

TEST_F(Recognise, ATraceOfAnotherToolThatIsReadInPartSaysSo) {
  const fs::path places[] = {folder_.write(
      "trace_view.json",
      R"([{"ph": "M", "name": "process_name", "pid": 2, "args": {"name": "Ascend Hardware"}}, {"ph": "X", "cat": "cpu_op", "name": "o", "pid": 1, "tid": 1, "ts": 1, "dur": 1}])")};
  const Result<Catalog> catalog = profiles_at(places, {});
  ASSERT_TRUE(catalog);
  EXPECT_TRUE(is_report(catalog->files.front().kind));
  EXPECT_TRUE(contains(catalog->files.front().problem, "read in part"));
}

TEST_F(Recognise, ATraceOfJaxInAFolderIsMentioned) {
  report("x.sqlite");
  folder_.write("x.trace.json", R"({"traceEvents": [{"args": {"name": "/device:GPU:0"}}]})");
  folder_.write("notes.json", "{}");
  const fs::path places[] = {folder_.path()};
  const Result<Catalog> catalog = profiles_at(places, {});
  ASSERT_TRUE(catalog);
  EXPECT_EQ(catalog->questions.front().entries.size(), 2U) << "the export, and what is left out";
}

TEST_F(Recognise, StepsAreCalledByTheirFoldedName) {
  const fs::path file = folder_ / "steps.sqlite";
  std::string sql =
      "CREATE TABLE StringIds(id INTEGER PRIMARY KEY, value TEXT); INSERT INTO StringIds VALUES "
      "(1,'cudaLaunchKernel'),(3,'k');"
      "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INT, end INT, deviceId INT, contextId INT, streamId INT,"
      " correlationId INT, globalPid INT, demangledName INT, shortName INT, gridX INT, gridY INT, gridZ INT);"
      "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME(start INT, end INT, eventClass INT, globalTid INT, correlationId INT,"
      " nameId INT, returnValue INT);"
      "CREATE TABLE NVTX_EVENTS(start INT, end INT, eventType INT, text TEXT, globalTid INT, endGlobalTid INT, "
      "textId INT, domainId INT);";
  for (int i = 0; i < 4; ++i) {
    const std::string at = std::to_string(1000 * (i + 1)), id = std::to_string(i + 1);
    sql += "INSERT INTO NVTX_EVENTS VALUES(" + at + "," + at + "+900,59,'graph_deadbeef0" + id +
           "_run',16777217,NULL,NULL,0);";
    sql += "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES(" + at + "+10," + at + "+20,0,16777217," + id + ",1,0);";
    sql += "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES(" + at + "+30," + at + "+800,0,1,7," + id +
           ",16777216,3,3,1,1,1);";
  }
  run_sql(file, sql);
  const fs::path places[] = {file};
  const Result<Catalog> catalog = profiles_at(places, {});
  ASSERT_TRUE(catalog);
  const std::vector<ProfileReading> readings = read_each(*catalog);
  ASSERT_EQ(readings.size(), 1U);
  EXPECT_EQ(readings.front().step, "graph_{i}_run");
  EXPECT_EQ(readings.front().left_out, "");
}

TEST(FoldedName, ReplacesWhatCounts) {
  EXPECT_EQ(folded_name("request_12"), "request_{i}");
  EXPECT_EQ(folded_name("execute_8192_context_9(72)_generation_37(37)"), "execute_{i}_context_{j}_generation_{k}");
  EXPECT_EQ(folded_name("graph_deadbeef01_run"), "graph_{i}_run");
  EXPECT_EQ(folded_name("prefill"), "prefill");
  EXPECT_TRUE(range_name_matches("execute_{i}_context_{j}", "execute_1_context_2(3)"));
  EXPECT_FALSE(range_name_matches("execute_{i}_context_{j}", "execute_1_context"));
  EXPECT_TRUE(range_name_matches("graph_{i}_run", "graph_deadbeef01_run")) << "a hash counts as a number does";
  EXPECT_FALSE(range_name_matches("graph_{i}_run", "graph_first_run"));
}

}  // namespace assay::recognise_test
