// The whole program on real reports: honest names, and real runs under wrong names.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "golden_case.hpp"
#include "scratch_folder.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;
using testing::read_text;
using testing::run_assay;
using testing::ScratchFolder;

/// "report label" -> "verdict" for those that are not to be believed, and "report label" -> what the trace shows.
struct Judged {
  std::map<std::string, std::string> accused;
  std::map<std::string, std::string> shown;
  std::size_t borne_out = 0;
};

Judged read_facts(const fs::path& file) {
  Judged out;
  std::istringstream lines(read_text(file));
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string> cells;
    std::istringstream row(line);
    for (std::string cell; std::getline(row, cell, ',');) cells.push_back(cell);
    if (cells.size() != 6 || !cells[2].starts_with("label=")) continue;
    const std::string label = cells[2].substr(6, cells[2].find(';') - 6);
    const std::string key = fs::path(cells[0]).stem().string() + " " + label;
    if (cells[1] == "label.trace_value") out.shown[key] = cells[4];
    if (cells[1] != "label.verdict") continue;
    const std::string verdict = cells[2].substr(cells[2].rfind('=') + 1);
    if (verdict == "borne_out") ++out.borne_out;
    if (verdict == "contradicted" || verdict == "not_borne_out") out.accused[key] = verdict;
  }
  return out;
}

class LabelCheckReal : public ::testing::Test {
 protected:
  void SetUp() override {
    const char* folder = std::getenv("ASSAY_EXAMPLES");
    if (folder == nullptr || *folder == '\0') GTEST_SKIP() << "ASSAY_EXAMPLES does not name the unpacked examples";
    examples_ = folder;
  }

  /// Names the reports of a folder of the examples as they are.
  void take(const std::string& folder) {
    fs::create_directories(reports() / folder);
    for (const auto& entry : fs::directory_iterator(examples_ / folder)) {
      if (entry.path().extension() == ".sqlite") {
        fs::create_symlink(entry.path(), reports() / folder / entry.path().filename());
      }
    }
  }
  void remove(const std::string& report) { ASSERT_TRUE(fs::remove(reports() / (report + ".sqlite"))) << report; }
  /// Names a report of the examples as another one.
  void disguise(const std::string& report, const std::string& as) {
    const fs::path to = reports() / (as + ".sqlite");
    fs::remove(to);
    fs::create_symlink(examples_ / (report + ".sqlite"), to);
  }
  Judged judge(const std::string& rules, const std::string& without = {}) {
    std::string toml = read_text(fs::path(ASSAY_SOURCE_DIR) / "tests/plugins/label_check" / rules);
    if (!without.empty()) {
      const std::size_t at = toml.find("\n" + without);
      EXPECT_NE(at, std::string::npos) << without;
      toml.erase(at + 1, toml.find('\n', at + 1) - at);
    }
    testing::write_text(scratch_ / "rules.toml", toml);
    const auto outcome = run_assay(scratch_.path(), {"run", "rules.toml", "--reports", "reports", "-o", "out", "-q"});
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    return read_facts(scratch_ / "out/facts.csv");
  }
  Judged judge_honest(const std::string& rules, const std::string& folder) {
    take(folder);
    return judge(rules);
  }

  [[nodiscard]] fs::path reports() const { return scratch_ / "reports"; }

  using Accused = std::map<std::string, std::string>;
  ScratchFolder scratch_;
  fs::path examples_;
};

constexpr const char* kRq1 = "rq1_model_architecture_impact";
constexpr const char* kRq2 = "rq2_resolution_scaling";
constexpr const char* kRq3 = "rq3_compilation_optimization";
constexpr const char* kRq4 = "rq4_numa_locality_effects";
constexpr const char* kRq5 = "rq5_pipeline_design";

std::string in(const char* folder, const std::string& name) { return std::string(folder) + "/gpu0_numa0_vit" + name; }

// --- honest names

TEST_F(LabelCheckReal, NoReportOfRq1IsAccused) {
  const Judged j = judge_honest("rq1.toml", kRq1);
  EXPECT_EQ(j.accused, Accused{});
  EXPECT_EQ(j.borne_out, 39U * 4 + 34 + 38);  // gpu, patch, px, batch of all; depth of 34, dim of 38
}

TEST_F(LabelCheckReal, NoReportOfRq2IsAccused) {
  const Judged j = judge_honest("rq2.toml", kRq2);
  EXPECT_EQ(j.accused, Accused{});
  EXPECT_EQ(j.borne_out, 17U * 4);
  EXPECT_EQ(j.shown.at("gpu0_numa0_vit32x6x384_2048px px"), "2048");
}

TEST_F(LabelCheckReal, NoReportOfRq3IsAccused) {
  const Judged j = judge_honest("rq3.toml", kRq3);
  EXPECT_EQ(j.accused, Accused{});
  EXPECT_EQ(j.shown.at("gpu0_numa0_vit32x12x768_compiled_batch32 batch"), "32");
}

TEST_F(LabelCheckReal, OnlyTheWordsOfRq4AreContradicted) {
  const Judged j = judge_honest("rq4.toml", kRq4);
  EXPECT_EQ(j.accused.size(), 26U);
  for (const auto& [key, verdict] : j.accused) {
    EXPECT_THAT(key, ::testing::EndsWith(" memory"));
    EXPECT_EQ(verdict, "contradicted");
    EXPECT_EQ(key.find("_numa2_") != std::string::npos, key.find("_local") != std::string::npos) << key;
  }
}

TEST_F(LabelCheckReal, OnlyManyPatchesOfRq5IsContradicted) {  // its rules do not say that it means 512 px
  const Judged j = judge_honest("rq5.toml", kRq5);
  EXPECT_EQ(j.accused, (Accused{{"gpu0_numa0_vit8x6x384_async_many_patches px", "contradicted"}}));
  EXPECT_EQ(j.shown.at("gpu0_numa0_vit8x6x384_async_many_patches px"), "512");
}

// --- what rests on names

TEST_F(LabelCheckReal, NoClaimIsJudgedOnARunUnderAWrongName) {
  take(kRq2);
  disguise(in(kRq2, "32x6x384_2048px"), in(kRq2, "8x6x384_512px"));
  fs::copy_file(fs::path(ASSAY_SOURCE_DIR) / "configs/rq2_resolution.toml", scratch_ / "rq2.toml");
  const auto outcome = run_assay(scratch_.path(), {"run", "rq2.toml", "--reports", "reports", "-o", "out", "-q"});
  ASSERT_EQ(outcome.exit, 0) << outcome.err;
  const Judged j = read_facts(scratch_ / "out/facts.csv");
  ASSERT_FALSE(j.accused.empty()) << "the 2048 px run that is named 512 px";
  const auto findings = nlohmann::json::parse(read_text(scratch_ / "out/findings.json"));
  std::size_t judged = 0;
  for (const auto& claim : findings.at("questions").at(0).at("claims")) {
    judged += claim.at("strata").size();
    for (const auto& stratum : claim.at("strata")) {
      EXPECT_EQ(stratum.at("evidence").dump().find("vit8x6x384_512px"), std::string::npos)
          << claim.at("id") << " rests on a run that is not believed";
    }
  }
  EXPECT_GT(judged, 0U);
}

// --- wrong names

TEST_F(LabelCheckReal, A256PxRunNamed1024Px) {
  take(kRq2);
  remove(in(kRq2, "16x6x384_256px"));
  disguise(in(kRq2, "16x6x384_256px"), in(kRq2, "16x6x384_1024px"));
  const Judged j = judge("rq2.toml");
  EXPECT_EQ(j.accused, (Accused{{"gpu0_numa0_vit16x6x384_1024px px", "contradicted"}}));
  EXPECT_EQ(j.shown.at("gpu0_numa0_vit16x6x384_1024px px"), "256");
}

TEST_F(LabelCheckReal, A256PxRunNamed512PxIsToldByItsGrids) {  // batch 1 would be possible
  take(kRq2);
  remove(in(kRq2, "16x12x768_256px"));
  disguise(in(kRq2, "16x12x768_256px"), in(kRq2, "16x12x768_512px"));
  EXPECT_EQ(judge("rq2.toml").accused, (Accused{{"gpu0_numa0_vit16x12x768_512px px", "contradicted"}}));
  EXPECT_EQ(judge("rq2.toml", "grid_rows").accused, (Accused{{"gpu0_numa0_vit16x12x768_512px batch", "contradicted"}}));
}

TEST_F(LabelCheckReal, ABatch8RunNamedBatch1) {
  take(kRq3);
  disguise(in(kRq1, "32x12x768"), in(kRq3, "32x12x768_uncompiled_batch1"));
  const Judged j = judge("rq3.toml");
  EXPECT_EQ(j.accused, (Accused{{"gpu0_numa0_vit32x12x768_uncompiled_batch1 batch", "contradicted"}}));
  EXPECT_EQ(j.shown.at("gpu0_numa0_vit32x12x768_uncompiled_batch1 batch"), "8");
}

TEST_F(LabelCheckReal, AnUncompiledRunNamedCompiled) {
  take(kRq3);
  disguise(in(kRq1, "32x12x768"), in(kRq3, "32x12x768_compiled"));
  EXPECT_EQ(judge("rq3.toml").accused, (Accused{{"gpu0_numa0_vit32x12x768_compiled compile", "contradicted"}}));
}

TEST_F(LabelCheckReal, ACompiledRunNamedAfterAnotherMode) {
  take(kRq3);
  remove(in(kRq3, "32x12x768_compiled"));
  remove(in(kRq3, "32x18x1024_compiled_reduce-overhead"));
  disguise(in(kRq3, "32x12x768_compiled"), in(kRq3, "32x12x768_compiled_reduce-overhead"));
  disguise(in(kRq3, "32x18x1024_compiled_reduce-overhead"), in(kRq3, "32x18x1024_uncompiled"));
  EXPECT_EQ(judge("rq3.toml").accused,
            (Accused{{"gpu0_numa0_vit32x12x768_compiled_reduce-overhead compile", "contradicted"},
                     {"gpu0_numa0_vit32x18x1024_uncompiled compile", "contradicted"}}));
}

TEST_F(LabelCheckReal, EqualRunsNamedCpuAndGpuPreprocessing) {
  take(kRq5);
  remove(in(kRq5, "16x12x768_async_queue2"));
  disguise(in(kRq5, "16x12x768_async_queue2"), in(kRq5, "16x12x768_async_gpu_preproc"));
  EXPECT_EQ(judge("rq5.toml").accused, (Accused{{"gpu0_numa0_vit16x12x768_async_cpu_preproc preproc", "not_borne_out"},
                                                {"gpu0_numa0_vit16x12x768_async_gpu_preproc preproc", "not_borne_out"},
                                                {"gpu0_numa0_vit8x6x384_async_many_patches px", "contradicted"}}));
}

TEST_F(LabelCheckReal, ASynchronousRunNamedAsynchronous) {
  take(kRq5);
  remove(in(kRq5, "16x12x768_sync_baseline"));
  disguise(in(kRq5, "16x12x768_sync_baseline"), in(kRq5, "16x12x768_async_queue2"));
  EXPECT_EQ(judge("rq5.toml").accused, (Accused{{"gpu0_numa0_vit16x12x768_async_queue2 mode", "contradicted"},
                                                {"gpu0_numa0_vit8x6x384_async_many_patches px", "contradicted"}}));
}

TEST_F(LabelCheckReal, Numa2NamedLocal) {
  fs::create_directories(reports() / kRq4);
  disguise(std::string(kRq4) + "/gpu0_numa2_vit32x6x384_numa_remote",
           std::string(kRq4) + "/gpu0_numa2_vit32x6x384_numa_local");
  disguise(in(kRq4, "32x6x384_numa_local"), in(kRq4, "32x6x384_numa_local"));
  EXPECT_EQ(judge("rq4.toml").accused, (Accused{{"gpu0_numa2_vit32x6x384_numa_local memory", "contradicted"}}));
}

TEST_F(LabelCheckReal, ARunOfDepth12NamedDepth24) {
  take(kRq1);
  disguise(in(kRq4, "32x12x768_numa_local"), in(kRq1, "32x24x768"));
  const Judged j = judge("rq1.toml");
  EXPECT_EQ(j.accused, (Accused{{"gpu0_numa0_vit32x24x768 depth", "contradicted"}}));
  EXPECT_EQ(j.shown.at("gpu0_numa0_vit32x24x768 depth"), "12");
}

TEST_F(LabelCheckReal, ARunOfPatch32NamedPatch16) {  // neither name is believed unless its grids bear it out
  take(kRq1);
  disguise(in(kRq4, "32x12x768_numa_local"), in(kRq1, "16x12x768"));
  EXPECT_EQ(judge("rq1.toml").accused, (Accused{{"gpu0_numa0_vit16x12x768 patch", "not_borne_out"}}));
}

}  // namespace
}  // namespace assay
