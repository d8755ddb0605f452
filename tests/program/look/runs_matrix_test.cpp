// The same files under other names: every command sees equal runs, ranks and verdicts.
#include <nlohmann/json.hpp>

#include "support/program.hpp"
#include "support/real_data.hpp"
#include "support/test.hpp"

namespace assay::runs_matrix_test {

using testing::Outcome;
using testing::run_assay;
using Json = nlohmann::json;

/// Names of two jobs of two ranks: overlap 0, overlap 1, straggler 0, straggler 1.
using Naming = std::array<const char*, 4>;

constexpr Naming kNamings[] = {
    {"job_88123_0_23", "job_88123_1_24", "job_88140_0_23", "job_88140_1_24"},
    {"p_88123_node_0_rank_0_on_ip-10-1-7-23", "p_88123_node_1_rank_1_on_ip-10-1-7-24",
     "p_88140_node_0_rank_0_on_ip-10-1-7-23", "p_88140_node_1_rank_1_on_ip-10-1-7-24"},
    {"overlap_node0_gpu0", "overlap_node1_gpu1", "straggler_node0_gpu0", "straggler_node1_gpu1"},
    {"f3a9c1", "0b77e2", "9911ac", "e01d4f"},
    {"a/rank0", "a/rank1", "b/rank0", "b/rank1"},
    {"h0/one", "h1/one", "h0/two", "h1/two"}};

class RunsMatrix : public ::testing::TestWithParam<std::pair<const char*, const char*>> {
 protected:
  void SetUp() override {
    ASSAY_REAL_FOLDER(folder, "ddp");
    source_ = fs::path(folder) / GetParam().first;
  }

  /// Puts the files under these names; returns the names with their extension.
  std::vector<std::string> named(const Naming& names) {
    constexpr const char* kFiles[] = {"overlap_rank0", "overlap_rank1", "straggler_rank0", "straggler_rank1"};
    fs::remove_all(home_ / "all");
    std::vector<std::string> out;
    for (std::size_t f = 0; f < names.size(); ++f) {
      out.push_back(std::string(names[f]) + GetParam().second);
      const fs::path to = home_ / "all" / out.back();
      fs::create_directories(to.parent_path());
      fs::copy_file(source_ / (kFiles[f] + std::string(GetParam().second)), to);
    }
    return out;
  }

  TempFolder home_;
  fs::path source_;
};

TEST_P(RunsMatrix, JobsAndRanksAreEqualUnderEachNaming) {
  for (const Naming& names : kNamings) {
    const std::vector<std::string> files = named(names);
    const Outcome list = run_assay(home_.path(), {"list", "all", "--json"});
    ASSERT_EQ(list.exit, 0) << list.err;
    std::map<std::string, Json> rows;
    const Json listed = Json::parse(list.out);
    for (const Json& file : listed["result"]) rows[file["file"]] = file["runs"].at(0);
    for (std::size_t f = 0; f < files.size(); ++f) {
      EXPECT_EQ(rows.at(files[f])["rank"], f % 2) << files[f];
      EXPECT_EQ(rows.at(files[f])["world"], 2) << files[f];
      EXPECT_EQ(rows.at(files[f])["run"], rows.at(files[f / 2 * 2])["run"]) << files[f];
    }
    EXPECT_NE(rows.at(files[0])["run"], rows.at(files[2])["run"]);
    const Outcome sql =
        run_assay(home_.path(), {"query", "all", "SELECT count(DISTINCT run), count(*) FROM runs", "--format", "csv"});
    EXPECT_TRUE(contains(sql.out, "2,4")) << sql.out;
  }
}

TEST_P(RunsMatrix, VerdictsAreEqualUnderEachNaming) {
  std::string first;
  for (const Naming& names : kNamings) {
    const std::vector<std::string> files = named(names);
    const Outcome compare =
        run_assay(home_ / "all", {"compare", files[0], files[2], "--before", files[1], "--after", files[3], "--json"});
    ASSERT_EQ(compare.exit, 0) << compare.err;
    const std::string headline = Json::parse(compare.out)["result"]["headline"];
    EXPECT_FALSE(headline.empty());
    if (first.empty()) first = headline;
    EXPECT_EQ(headline, first) << names[0];
  }
}

TEST_P(RunsMatrix, MeansOverDifferentProgramsAreRefused) {
  named(kNamings[2]);
  for (const char* command : {"whatif", "budget"}) {
    const Outcome outcome = run_assay(home_.path(), {command, "all"});
    EXPECT_EQ(outcome.exit, 2) << command << outcome.out;
    EXPECT_TRUE(contains(outcome.err, "overlap_node")) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "straggler_node")) << outcome.err;
  }
}

INSTANTIATE_TEST_SUITE_P(Ddp, RunsMatrix,
                         ::testing::Values(std::pair{"nsys", ".sqlite"}, std::pair{"torch", ".pt.trace.json.gz"}),
                         [](const auto& tool) { return tool.param.first; });

TEST(RunsOfNames, WithoutAFieldAreNotToldToNameOne) {
  ASSAY_REAL_FOLDER(folder, "public");
  const TempFolder home;
  const Outcome list = run_assay(home.path(), {"list", folder});
  EXPECT_TRUE(contains(list.out, "no field that tells different programs apart")) << list.out;
  EXPECT_FALSE(contains(list.out, "--label")) << "each name is one whole label";
}

}  // namespace assay::runs_matrix_test
