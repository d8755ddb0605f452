// The whole program on real reports: honest names, and real runs under wrong names.
#include <nlohmann/json.hpp>

#include "golden/golden_case.hpp"
#include "support/test.hpp"

namespace assay::label_check_real_test {

using namespace testing;

/// "report label" -> "verdict" for those that are not to be believed, and "report label" -> what the trace shows.
struct LabelVerdicts {
  std::map<std::string, std::string> accused;
  std::map<std::string, std::string> shown;
  std::size_t borne_out = 0;
  std::set<std::string> accused_paths, conflicts;  ///< "folder/report label", without the extension
  std::set<std::string> throughput;                ///< reports that have one
};

LabelVerdicts read_facts(const fs::path& file) {
  LabelVerdicts out;
  std::istringstream lines(read_text(file));
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string> cells;
    std::istringstream row(line);
    for (std::string cell; std::getline(row, cell, ',');) cells.push_back(cell);
    if (cells.size() == 6 && cells[1] == "throughput.samples_per_s")
      out.throughput.insert(fs::path(cells[0]).stem().string());
    if (cells.size() != 6 || !cells[2].starts_with("label=")) continue;
    const std::string label = cells[2].substr(6, cells[2].find(';') - 6);
    const std::string key = fs::path(cells[0]).stem().string() + " " + label;
    const std::string path = fs::path(cells[0]).replace_extension().string() + " " + label;
    if (cells[1] == "label.trace_value") out.shown[key] = cells[4];
    if (cells[1] == "label.conflict") out.conflicts.insert(path);
    if (cells[1] != "label.verdict") continue;
    const std::string verdict = cells[2].substr(cells[2].rfind('=') + 1);
    if (verdict == "borne_out") ++out.borne_out;
    if (verdict == "contradicted" || verdict == "not_borne_out") {
      out.accused[key] = verdict;
      out.accused_paths.insert(path);
    }
  }
  return out;
}

class LabelCheckReal : public ::testing::Test {
 protected:
  void SetUp() override {
    const char* folder = real_data("examples");
    if (folder == nullptr || *folder == '\0') GTEST_SKIP() << "ASSAY_EXAMPLES does not name the unpacked examples";
    examples_ = folder;
  }

  /// Names the reports of a folder of the examples as they are.
  void use_folder(const std::string& folder) {
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
  /// By the rules without the lines that begin so.
  template <class... Lines>
  LabelVerdicts judge(const std::string& rules, const Lines&... without) {
    std::string toml = read_text(fs::path(ASSAY_SOURCE_DIR) / "tests/plugins/label_check" / rules);
    for (const std::string& line : std::initializer_list<std::string>{without...}) {
      const std::size_t at = toml.find("\n" + line);
      EXPECT_NE(at, std::string::npos) << line;
      toml.erase(at + 1, toml.find('\n', at + 1) - at);
    }
    testing::write_text(scratch_ / "rules.toml", toml);
    const auto outcome = run_assay(scratch_.path(), {"run", "rules.toml", "--reports", "reports", "-o", "out", "-q"});
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    return read_facts(scratch_ / "out/facts.csv");
  }
  LabelVerdicts judge_honest(const std::string& rules, const std::string& folder) {
    use_folder(folder);
    return judge(rules);
  }

  [[nodiscard]] fs::path reports() const { return scratch_ / "reports"; }

  using AccusedLabels = std::map<std::string, std::string>;
  TempFolder scratch_;
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
  const LabelVerdicts j = judge_honest("rq1.toml", kRq1);
  EXPECT_EQ(j.accused, AccusedLabels{});
  EXPECT_EQ(j.borne_out, 39U * 6);  // gpu, patch, depth, dim, px and batch of all
  EXPECT_EQ(j.throughput.size(), 39U);
}

TEST_F(LabelCheckReal, NoReportOfRq2IsAccused) {
  const LabelVerdicts j = judge_honest("rq2.toml", kRq2);
  EXPECT_EQ(j.accused, AccusedLabels{});
  EXPECT_EQ(j.borne_out, 17U * 6);
  EXPECT_EQ(j.shown.at("gpu0_numa0_vit32x6x384_2048px px"), "2048");
}

TEST_F(LabelCheckReal, NoReportOfRq3IsAccused) {
  const LabelVerdicts j = judge_honest("rq3.toml", kRq3);
  EXPECT_EQ(j.accused, AccusedLabels{});
  EXPECT_EQ(j.shown.at("gpu0_numa0_vit32x12x768_compiled_batch32 batch"), "32");
}

TEST_F(LabelCheckReal, OnlyTheWordsOfRq4AreContradicted) {
  const LabelVerdicts j = judge_honest("rq4.toml", kRq4);
  EXPECT_EQ(j.accused.size(), 26U);
  for (const auto& [key, verdict] : j.accused) {
    EXPECT_TRUE(ends_with(key, " memory"));
    EXPECT_EQ(verdict, "contradicted");
    EXPECT_EQ(key.find("_numa2_") != std::string::npos, key.find("_local") != std::string::npos) << key;
  }
}

TEST_F(LabelCheckReal, OnlyManyPatchesOfRq5IsContradicted) {  // its rules do not say that it means 512 px
  const LabelVerdicts j = judge_honest("rq5.toml", kRq5);
  EXPECT_EQ(j.accused, (AccusedLabels{{"gpu0_numa0_vit8x6x384_async_many_patches px", "contradicted"}}));
  EXPECT_EQ(j.shown.at("gpu0_numa0_vit8x6x384_async_many_patches px"), "512");
}

// --- what rests on names

TEST_F(LabelCheckReal, NoClaimIsJudgedOnARunUnderAWrongName) {
  use_folder(kRq2);
  remove(in(kRq2, "32x6x384_2048px"));  // else the copy under the wrong name is a duplicate, and not read
  disguise(in(kRq2, "32x6x384_2048px"), in(kRq2, "8x6x384_512px"));
  fs::copy_file(fs::path(ASSAY_SOURCE_DIR) / "configs/rq2_resolution.toml", scratch_ / "rq2.toml");
  fs::copy(fs::path(ASSAY_SOURCE_DIR) / "configs/data", scratch_ / "data");
  const auto outcome = run_assay(scratch_.path(), {"run", "rq2.toml", "--reports", "reports", "-o", "out", "-q"});
  ASSERT_EQ(outcome.exit, 0) << outcome.err;
  const LabelVerdicts j = read_facts(scratch_ / "out/facts.csv");
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
  use_folder(kRq2);
  remove(in(kRq2, "16x6x384_256px"));
  disguise(in(kRq2, "16x6x384_256px"), in(kRq2, "16x6x384_1024px"));
  const LabelVerdicts j = judge("rq2.toml");
  EXPECT_EQ(j.accused, (AccusedLabels{{"gpu0_numa0_vit16x6x384_1024px px", "contradicted"}}));
  EXPECT_EQ(j.shown.at("gpu0_numa0_vit16x6x384_1024px px"), "256");
}

TEST_F(LabelCheckReal, A256PxRunNamed512PxIsToldByItsGrids) {  // batch 1 would be possible
  use_folder(kRq2);
  remove(in(kRq2, "16x12x768_256px"));
  disguise(in(kRq2, "16x12x768_256px"), in(kRq2, "16x12x768_512px"));
  EXPECT_EQ(judge("rq2.toml").accused, (AccusedLabels{{"gpu0_numa0_vit16x12x768_512px px", "contradicted"}}));
  const LabelVerdicts open = judge("rq2.toml", "grid_rows");
  EXPECT_EQ(open.accused, AccusedLabels{});
  const std::string run = std::string(kRq2) + "/gpu0_numa0_vit16x12x768_512px ";
  EXPECT_EQ(open.conflicts, (std::set<std::string>{run + "batch", run + "px"}));
}

TEST_F(LabelCheckReal, ABatch8RunNamedBatch1) {
  use_folder(kRq3);
  disguise(in(kRq1, "32x12x768"), in(kRq3, "32x12x768_uncompiled_batch1"));
  const LabelVerdicts j = judge("rq3.toml");
  EXPECT_EQ(j.accused, (AccusedLabels{{"gpu0_numa0_vit32x12x768_uncompiled_batch1 batch", "contradicted"}}));
  EXPECT_EQ(j.shown.at("gpu0_numa0_vit32x12x768_uncompiled_batch1 batch"), "8");
}

TEST_F(LabelCheckReal, AnUncompiledRunNamedCompiled) {
  use_folder(kRq3);
  disguise(in(kRq1, "32x12x768"), in(kRq3, "32x12x768_compiled"));
  EXPECT_EQ(judge("rq3.toml").accused, (AccusedLabels{{"gpu0_numa0_vit32x12x768_compiled compile", "contradicted"}}));
}

TEST_F(LabelCheckReal, ACompiledRunNamedAfterAnotherMode) {
  use_folder(kRq3);
  remove(in(kRq3, "32x12x768_compiled"));
  remove(in(kRq3, "32x18x1024_compiled_reduce-overhead"));
  disguise(in(kRq3, "32x12x768_compiled"), in(kRq3, "32x12x768_compiled_reduce-overhead"));
  disguise(in(kRq3, "32x18x1024_compiled_reduce-overhead"), in(kRq3, "32x18x1024_uncompiled"));
  EXPECT_EQ(judge("rq3.toml").accused,
            (AccusedLabels{{"gpu0_numa0_vit32x12x768_compiled_reduce-overhead compile", "contradicted"},
                           {"gpu0_numa0_vit32x18x1024_uncompiled compile", "contradicted"}}));
}

TEST_F(LabelCheckReal, EqualRunsNamedCpuAndGpuPreprocessing) {
  use_folder(kRq5);
  remove(in(kRq5, "16x12x768_async_queue2"));
  disguise(in(kRq5, "16x12x768_async_queue2"), in(kRq5, "16x12x768_async_gpu_preproc"));
  EXPECT_EQ(judge("rq5.toml").accused,
            (AccusedLabels{{"gpu0_numa0_vit16x12x768_async_cpu_preproc preproc", "not_borne_out"},
                           {"gpu0_numa0_vit16x12x768_async_gpu_preproc preproc", "not_borne_out"},
                           {"gpu0_numa0_vit8x6x384_async_many_patches px", "contradicted"}}));
}

TEST_F(LabelCheckReal, ASynchronousRunNamedAsynchronous) {
  use_folder(kRq5);
  remove(in(kRq5, "16x12x768_sync_baseline"));
  disguise(in(kRq5, "16x12x768_sync_baseline"), in(kRq5, "16x12x768_async_queue2"));
  EXPECT_EQ(judge("rq5.toml").accused,
            (AccusedLabels{{"gpu0_numa0_vit16x12x768_async_queue2 mode", "contradicted"},
                           {"gpu0_numa0_vit8x6x384_async_many_patches px", "contradicted"}}));
}

TEST_F(LabelCheckReal, Numa2NamedLocal) {
  fs::create_directories(reports() / kRq4);
  disguise(std::string(kRq4) + "/gpu0_numa2_vit32x6x384_numa_remote",
           std::string(kRq4) + "/gpu0_numa2_vit32x6x384_numa_local");
  disguise(in(kRq4, "32x6x384_numa_local"), in(kRq4, "32x6x384_numa_local"));
  EXPECT_EQ(judge("rq4.toml").accused, (AccusedLabels{{"gpu0_numa2_vit32x6x384_numa_local memory", "contradicted"}}));
}

TEST_F(LabelCheckReal, ARunOfDepth12NamedDepth24) {
  use_folder(kRq1);
  disguise(in(kRq4, "32x12x768_numa_local"), in(kRq1, "32x24x768"));
  const LabelVerdicts j = judge("rq1.toml");
  EXPECT_EQ(j.accused, (AccusedLabels{{"gpu0_numa0_vit32x24x768 depth", "contradicted"}}));
  EXPECT_EQ(j.shown.at("gpu0_numa0_vit32x24x768 depth"), "12");
}

TEST_F(LabelCheckReal, ARunOfPatch32NamedPatch16) {  // neither name is believed unless its grids bear it out
  use_folder(kRq1);
  disguise(in(kRq4, "32x12x768_numa_local"), in(kRq1, "16x12x768"));
  EXPECT_EQ(judge("rq1.toml").accused, (AccusedLabels{{"gpu0_numa0_vit16x12x768 patch", "contradicted"}}));
}

TEST_F(LabelCheckReal, AWrongDimAndAWrongPatchWithoutTheirHonestTwins) {
  use_folder(kRq1);
  remove(in(kRq1, "16x12x768"));
  disguise(in(kRq1, "16x12x768"), in(kRq1, "16x12x1024"));
  remove(in(kRq1, "32x24x1280"));
  disguise(in(kRq1, "32x24x1280"), in(kRq1, "8x24x1280"));
  const LabelVerdicts j = judge("rq1.toml");
  EXPECT_EQ(j.accused, (AccusedLabels{{"gpu0_numa0_vit16x12x1024 dim", "contradicted"},
                                      {"gpu0_numa0_vit8x24x1280 patch", "contradicted"}}));
  EXPECT_EQ(j.shown.at("gpu0_numa0_vit16x12x1024 dim"), "768");
}

TEST_F(LabelCheckReal, AnotherBatchAndResolutionWithTheSameBytes) {
  fs::create_directories(reports());
  disguise(in(kRq1, "16x12x768"), "vit16x12x768_bs2_is448");
  disguise(in(kRq1, "16x6x384"), "vit16x6x384_bs8_is224");
  disguise(in(kRq3, "32x12x768_compiled"), "vit32x12x768_bs2_is448");  // its fused kernels run 400 rows too
  disguise(in(kRq3, "16x6x384_compiled"), "vit16x6x384_bs2_is448");    // several rows a block: no evidence
  disguise(in(kRq3, "32x18x1024_compiled_reduce-overhead"), "vit32x18x1024_bs2_is448");  // hidden in graphs
  const LabelVerdicts j = judge("named.toml");
  EXPECT_EQ(j.accused, (AccusedLabels{{"vit16x12x768_bs2_is448 batch", "contradicted"},
                                      {"vit16x12x768_bs2_is448 px", "contradicted"}}));
  EXPECT_EQ(j.shown.at("vit16x12x768_bs2_is448 batch"), "8");
  EXPECT_EQ(j.shown.at("vit16x12x768_bs2_is448 px"), "224");
  EXPECT_FALSE(j.throughput.contains("vit16x12x768_bs2_is448")) << "its batch is not what it says";
  EXPECT_TRUE(j.throughput.contains("vit16x6x384_bs8_is224"));
}

// --- two folders of the same runs

TEST_F(LabelCheckReal, ARunOf768Named1024BesideARealOne) {
  fs::create_directories(reports() / "one");
  fs::create_directories(reports() / "two");
  disguise(in(kRq1, "16x12x1024"), "one/gpu0_numa0_vit16x12x1024");
  disguise(in(kRq1, "16x12x768"), "two/gpu0_numa0_vit16x12x1024");
  const LabelVerdicts j = judge("rq1.toml", "folder");
  EXPECT_EQ(j.accused_paths, (std::set<std::string>{"two/gpu0_numa0_vit16x12x1024 dim"}));
  EXPECT_TRUE(j.conflicts.empty());
}

TEST_F(LabelCheckReal, ARunOf768Named1024BesideARealOneWhereNoRuleKnowsTheWidth) {
  fs::create_directories(reports() / "one");
  fs::create_directories(reports() / "two");
  disguise(in(kRq1, "16x12x1024"), "one/gpu0_numa0_vit16x12x1024");
  disguise(in(kRq1, "16x12x768"), "two/gpu0_numa0_vit16x12x1024");
  const LabelVerdicts j = judge("rq1.toml", "folder", "grid_widths");
  EXPECT_TRUE(j.accused.empty());
  EXPECT_TRUE(j.conflicts.contains("one/gpu0_numa0_vit16x12x1024 dim"));
  EXPECT_TRUE(j.conflicts.contains("two/gpu0_numa0_vit16x12x1024 dim"));
}

/// The whole runs beside the first iterations of them: replicates, since both are traces of one program.
class LabelCheckTwice : public LabelCheckReal {
 protected:
  void SetUp() override {
    LabelCheckReal::SetUp();
    if (IsSkipped()) return;
    const char* folder = real_data("h200");
    if (folder == nullptr || *folder == '\0') GTEST_SKIP() << "ASSAY_DATA has no folder h200";
    whole_ = folder;
  }
  void use_folder_twice(const std::string& folder) {
    for (const auto& [root, as] : {std::pair(examples_, "excerpt"), std::pair(whole_, "whole")}) {
      fs::create_directories(reports() / as);
      for (const auto& entry : fs::directory_iterator(root / folder)) {
        if (entry.path().extension() != ".sqlite") continue;
        fs::create_symlink(entry.path(), reports() / as / entry.path().filename());
      }
    }
  }
  void swap_in(const std::string& folder, const std::string& run, const std::string& as) {
    const fs::path to = reports() / "excerpt" / ("gpu0_numa0_vit" + as + ".sqlite");
    fs::remove(to);
    fs::create_symlink(examples_ / folder / ("gpu0_numa0_vit" + run + ".sqlite"), to);
  }
  fs::path whole_;
};

TEST_F(LabelCheckTwice, ThreeSwappedNamesAreFoundAndNoHonestRunIsAccused) {
  use_folder_twice(kRq1);
  swap_in(kRq1, "16x12x768", "16x12x1024");
  swap_in(kRq1, "16x12x1024", "16x12x768");
  swap_in(kRq1, "8x6x1024", "8x12x1024");
  const LabelVerdicts j = judge("rq1.toml", "folder");
  EXPECT_EQ(j.accused_paths,
            (std::set<std::string>{"excerpt/gpu0_numa0_vit16x12x1024 dim", "excerpt/gpu0_numa0_vit16x12x768 dim",
                                   "excerpt/gpu0_numa0_vit8x12x1024 depth"}));
  EXPECT_TRUE(j.conflicts.empty());
}

TEST_F(LabelCheckTwice, NoHonestRunOfTwoFoldersIsAccused) {
  for (const char* question : {"rq1", "rq2", "rq3"}) {
    fs::remove_all(reports());
    use_folder_twice(std::string(question) == "rq1" ? kRq1 : std::string(question) == "rq2" ? kRq2 : kRq3);
    const LabelVerdicts j = judge(std::string(question) + ".toml", "folder");
    EXPECT_TRUE(j.accused_paths.empty()) << question << " " << *j.accused_paths.begin();
    EXPECT_TRUE(j.conflicts.empty()) << question << " " << *j.conflicts.begin();
  }
}

TEST_F(LabelCheckTwice, ContradictsOnlyTheWordsOfRq4) {
  use_folder_twice(kRq4);
  const LabelVerdicts j = judge("rq4.toml", "folder");
  EXPECT_EQ(j.accused_paths.size(), 52U);
  EXPECT_EQ(j.accused.size(), 26U);
  for (const auto& [key, verdict] : j.accused) EXPECT_TRUE(ends_with(key, " memory"));
  EXPECT_TRUE(j.conflicts.empty());
}

TEST_F(LabelCheckTwice, ContradictsOnlyManyPatchesOfRq5) {
  use_folder_twice(kRq5);
  const LabelVerdicts j = judge("rq5.toml", "folder");
  EXPECT_EQ(j.accused, (AccusedLabels{{"gpu0_numa0_vit8x6x384_async_many_patches px", "contradicted"}}));
  EXPECT_TRUE(j.conflicts.empty());
}

}  // namespace assay::label_check_real_test
