// What each command says of real databases of rocprofv3, beside plain SQL where it is a number.
#include <nlohmann/json.hpp>

#include "real_files.hpp"
#include "support/test.hpp"

namespace assay::commands_test {

using namespace testing;
using Json = nlohmann::json;

constexpr const char* kEarlier = "bmm_20251223_0902.db";
constexpr const char* kLater = "bmm_20251230_0600.db";

/// With one blank where lines were broken.
std::string one_line(const std::string& text) {
  std::istringstream words(text);
  std::string out;
  for (std::string word; words >> word;) out += (out.empty() ? "" : " ") + word;
  return out;
}

class AmdCommands : public RealFiles {
 protected:
  /// Standard output of a command that has to succeed.
  std::string output_of(const std::vector<std::string>& arguments) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    return outcome.out;
  }
};

TEST_F(AmdCommands, ListCountsRowsAndSaysWhereTheyWereMade) {
  const std::string out = output_of({"list", data_.string()});
  EXPECT_TRUE(contains_regex(out, "bmm_21.db +rocpd +301 +- +- +- +624 +- "));
  EXPECT_TRUE(contains(out, "4 rocpd reports"));
  EXPECT_TRUE(contains_regex(out, "AMD Instinct MI300X +2100 MHz +not known +HIP 7.1 +rocprofv3 of ROCm 7.1.1 +4"));
}

TEST_F(AmdCommands, LookShowsWhatTopKernelsShows) {
  const std::string out = output_of({"look", data("bmm_21.db")});
  EXPECT_TRUE(contains_all(out, {"301 kernels, copies not recorded", "HIP calls", "HIP 7.1"}));
  EXPECT_TRUE(contains_regex(out, "matmul +2.83 +74 % +150"));
  EXPECT_TRUE(contains_regex(out, "fill +0.992 +26 % +151"));
  EXPECT_TRUE(contains_regex(out, "device +AMD Instinct MI300X"));
  EXPECT_FALSE(contains(out, "CUDA"));
}

TEST_F(AmdCommands, StatsAreThoseOfAmdsOwnViewInNanoseconds) {
  ReadOnlyDatabase file(data("bmm_21.db"));
  const std::string kernels =
      output_of({"stats", data("bmm_21.db"), "--report", "cuda_gpu_kern_sum", "--format", "csv"});
  const auto top = file.rows("SELECT name, total_duration FROM top_kernels");
  ASSERT_EQ(top.size(), 2U);
  EXPECT_NEAR(top.front().second, 2832.845, 1e-6);
  EXPECT_TRUE(contains(kernels, "\n74.1,2832845,150,18885.6,18788.5,17640,28907,1034.9,\"" + top.front().first));
  const std::string calls = output_of({"stats", data("bmm_21.db"), "--report", "cuda_api_sum", "--format", "csv"});
  const auto regions = file.rows("SELECT name, count(*) FROM regions GROUP BY name");
  ASSERT_EQ(regions.size(), 15U);
  for (const auto& [name, count] : regions)
    EXPECT_TRUE(contains_regex(calls, ",[0-9]+," + std::to_string(static_cast<int>(count)) + ",.*," + name + "\n"));
  const Json json =
      Json::parse(output_of({"stats", data("bmm_21.db"), "--report", "cuda_gpu_kern_sum", "--format", "json"}));
  EXPECT_TRUE(contains(json.dump(), "2832845"));
}

TEST_F(AmdCommands, QueryAsksTheSameTables) {
  const std::string out =
      output_of({"query", data("bmm_21.db"), "--format", "csv",
                 "SELECT count(*), sum(duration), union_ns(start, end), count(DISTINCT stream) FROM kernels"});
  EXPECT_TRUE(contains(out, "\n301,3825007,3825007,1")) << "GpuTime of AMD's view busy is 3825007: nothing overlaps";
  ReadOnlyDatabase file(data("bmm_21.db"));
  const auto busy = file.rows("SELECT GpuTime, Busy FROM busy");
  ASSERT_EQ(busy.size(), 1U);
  EXPECT_NEAR(busy.front().second, 0.2019, 0.00005);
  const std::string share = output_of({"query", data("bmm_21.db"), "--format", "csv",
                                       "SELECT 1.0 * sum(duration) / (max(end) - min(start)) AS busy FROM kernels"});
  EXPECT_NEAR(std::stod(share.substr(share.find('\n') + 1)), busy.front().second, 1e-9);
  EXPECT_FALSE(contains(output_of({"query", data("bmm_21.db"), "SELECT * FROM properties"}), "/opt/venv"))
      << "PATH stands in the environment, and is not read out";
  EXPECT_TRUE(
      contains(output_of({"query", data("bmm_21.db"), "--format", "csv", "SELECT count(*) FROM threads"}), "\n1\n"))
      << "however few tables are named beside it";
}

TEST_F(AmdCommands, TimelineHasEveryKernelCallAndLaunch) {
  output_of({"timeline", data("bmm_21.db"), "-o", "timeline.json"});
  std::map<std::string, int> count;
  const Json timeline = Json::parse(read_text(scratch_ / "timeline.json"));
  for (const Json& event : timeline.at("traceEvents"))
    ++count[event.at("ph").get<std::string>() + " " + event.value("cat", "")];
  EXPECT_EQ(count["X kernel"], 301);
  EXPECT_EQ(count["X call"], 624);
  EXPECT_EQ(count["s launch"], 301);
  EXPECT_EQ(count["f launch"], 301);
}

TEST_F(AmdCommands, CompareSaysFirstThatTheWorkIsUnlike) {
  const std::string out = one_line(output_of({"compare", data(kEarlier), data(kLater)}));
  EXPECT_LT(out.find("Not comparable"), out.find("Largest differences"));
  EXPECT_TRUE(contains_all(out, {"4.00 times fewer blocks after: another batch or other shapes",
                                 "per block in z batched_matrix_multiplication_matrix_core_128x128x16 takes 141 ns "
                                 "before and 299 ns after, 2.12 times as long (one run per side, not confirmed)"}));
  const Outcome gate = run({"compare", data(kEarlier), data(kLater), "--gate"});
  EXPECT_EQ(gate.exit, 4);
}

TEST_F(AmdCommands, TheClaimThatComparesUnlikeWorkIsUntestable) {
  install("reports", {kEarlier, kLater});
  output_of({"run", ASSAY_SOURCE_DIR "/configs/amd_batched_gemm.toml", "--reports", "reports", "-o", "out"});
  std::map<std::string, Json> claims;
  const Json findings = Json::parse(read_text(scratch_ / "out/findings.json"));
  for (const Json& claim : findings.at("questions").at(0).at("claims")) claims[claim.at("id")] = claim;
  ASSERT_EQ(claims.size(), 2U);
  EXPECT_EQ(claims["amd.twice_as_fast"]["verdict"], "untestable");
  EXPECT_EQ(claims["amd.twice_as_fast"]["reason"], "unlike work (batch by grid z: 128 against 32)");
  EXPECT_EQ(claims["amd.slower_per_matrix"]["verdict"], "inconclusive");
  EXPECT_TRUE(
      contains_all(claims["amd.slower_per_matrix"]["reason"].get<std::string>(), {"2.1x slower", "not confirmed"}));
  ReadOnlyDatabase results(scratch_ / "out/results.sqlite");
  const auto times =
      results.rows("SELECT report, value FROM facts WHERE metric = 'gemm.matrix_time_ns' ORDER BY report");
  ASSERT_EQ(times.size(), 2U);
  EXPECT_NEAR(times[0].second, 2701083 / 150.0 / 128, 1e-6);
  EXPECT_NEAR(times[1].second, 1434113 / 150.0 / 32, 1e-6);
}

// configs/amd_kernels.toml on all four files: times by library sum up to those of the dispatches.
TEST_F(AmdCommands, RunSplitsKernelTimeByLibrary) {
  output_of({"run", ASSAY_SOURCE_DIR "/configs/amd_kernels.toml", "--reports", data_.string(), "-o", "out"});
  ReadOnlyDatabase results(scratch_ / "out/results.sqlite");
  const auto sums = results.rows(
      "SELECT report, sum(value) FROM facts WHERE metric = 'amd.library_time_ns' GROUP BY report ORDER BY report");
  ASSERT_EQ(sums.size(), 4U);
  for (const auto& [report, sum] : sums) {
    ReadOnlyDatabase file(data(report));
    EXPECT_EQ(sum, file.rows("SELECT '', sum(end - start) FROM rocpd_kernel_dispatch").at(0).second) << report;
  }
  const auto of = [&](const std::string& report) {
    std::map<std::string, double> by;
    for (const auto& [dims, value] : results.rows("SELECT dims, value FROM facts WHERE report = '" + report +
                                                  "' AND metric = 'amd.library_time_ns'"))
      by[dims] = value;
    return by;
  };
  EXPECT_EQ(of("bmm_21.db")["library=other"], 2832845) << "the product of the example is its own";
  EXPECT_GT(of("bmm_21.db")["library=hip_runtime"], 0);
  EXPECT_GT(of("ck_bmm_28.db")["library=composable_kernel"], 0);
}

TEST_F(AmdCommands, InitProposesAQuestionThatRuns) {
  output_of({"init", data_.string()});
  EXPECT_TRUE(contains(read_text(scratch_ / "rocpd.toml"), "bmm_{date}_{time}"));
  EXPECT_EQ(run({"run", "rocpd.toml", "--reports", data_.string(), "-o", "out"}).exit, 0);
}

TEST_F(AmdCommands, HistoryReadsResultsOfRocpd) {
  write_text(scratch_ / "small.toml",
             "[question]\nid = \"small\"\ntext = \"t\"\n[labels]\npatterns = [\"bmm\"]\n[analyzers.run_summary]\n");
  for (int day = 0; day < 6; ++day) {
    const std::string folder = "day" + std::to_string(day);
    std::filesystem::create_directories(scratch_ / folder);
    std::filesystem::create_symlink(data_ / (day < 3 ? kEarlier : kLater), scratch_ / folder / "bmm.db");
    output_of({"run", "small.toml", "--reports", folder, "-o", "out/" + folder});
  }
  EXPECT_TRUE(contains_all(
      output_of({"history", "out", "--no-index", "--metric", "kernel.time_mean_ns"}),
      {"6 results (6 read, 0 remembered), 1 series examined", "1 of 1 series were exactly constant and changed once"}))
      << "the same file three times is no noise to compare with";
  EXPECT_TRUE(contains(output_of({"history", "out/day0", "out/day3", "--no-index", "--metric", "kernel.time_mean_ns"}),
                       "No series has six results yet: a change needs three on each side"));
}

TEST_F(AmdCommands, RocpdConvertIsNotNeeded) {
  const Outcome outcome = run({"convert", data("bmm_21.db")});
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_TRUE(contains(outcome.err, "is a rocpd report, which needs no conversion"));
}

TEST_F(AmdCommands, AnEmptyFolderOfOutputSaysWhatToRecord) {
  std::filesystem::create_directories(scratch_ / "csv");
  write_text(scratch_ / "csv/7_kernel_trace.csv",
             "\"Kind\",\"Agent_Id\",\"Kernel_Name\",\"Correlation_Id\",\"Start_Timestamp\",\"End_Timestamp\"\n");
  const Outcome outcome = run({"look", "csv"});
  EXPECT_NE(outcome.exit, 0);
  EXPECT_TRUE(contains(one_line(outcome.out + outcome.err), "record the run with rocprofv3 --output-format rocpd"));
}

}  // namespace assay::commands_test
