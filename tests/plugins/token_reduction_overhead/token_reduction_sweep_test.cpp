// token_reduction_overhead on sweeps. Expected numbers: Python over the same rows, written independently of the plugin.
#include "plugins/analyzers.hpp"
#include "plugins/token_reduction_overhead/spread.hpp"
#include "plugins/with_kernel_rules.hpp"
#include "support/test.hpp"
#include "token_reduction_study.hpp"

namespace assay::token_reduction_sweep_test {

testing::Recorder concluded(const Study& study, const testing::OptionInputs& options = {}) {
  return under_test::token_reduction_overhead::concluded(study, testing::with_rules(options));
}

using namespace testing;

std::size_t skips_with(const Recorder& recorder, const std::string& text) {
  return static_cast<std::size_t>(std::count_if(recorder.skips.begin(), recorder.skips.end(), [&](const auto& skip) {
    return skip.reason.find(text) != std::string::npos;
  }));
}

TEST(TokenReductionSweep, BundledSweepsGiveSpeedupsFlopsAndCrossovers) {
  StudyBuilder study;
  declare_labels(study);
  add_sweeps(study);
  const Recorder r = concluded(study.build());
  EXPECT_NEAR(*r.value("token.flop_reduction", "px=224"), 0.557336, 1e-6);
  EXPECT_NEAR(*r.value("token.flop_reduction", "px=448"), 0.570486, 1e-6);
  EXPECT_NEAR(*r.value("token.speedup", "batch=1;px=224"), 0.825279, 1e-6);
  EXPECT_NEAR(*r.value("token.speedup", "batch=2;px=224"), 0.864847, 1e-6);
  EXPECT_NEAR(*r.value("token.speedup", "batch=8;px=448"), 2.104618, 1e-6);
  EXPECT_EQ(r.value("token.crossover_last_loss", "px=224"), 2);
  EXPECT_EQ(r.value("token.crossover_first_win", "px=224"), 4);
  EXPECT_EQ(r.value("token.crossover_last_loss", "px=448"), std::nullopt) << "it wins at every tested batch";
  EXPECT_EQ(r.value("token.crossover_first_win", "px=448"), 1);
  EXPECT_EQ(r.value("token.mislabelled_rows", "sheet=token/sweep_224.csv"), 0);
  EXPECT_TRUE(r.skips.empty());
  ASSERT_FALSE(r.findings.empty());
  EXPECT_EQ(r.findings[0].role, FindingRole::kAnswer);
  EXPECT_TRUE(contains(r.findings[0].title, "at px=224 it begins to win between batch 2 and 4"));
  EXPECT_TRUE(contains(r.findings[0].title, "at px=448 it wins at every tested batch, from 1 on"));
  EXPECT_TRUE(contains_all(r.findings[0].text, {"17.5 % slower at batch 1", "no interval"}));
}

TEST(TokenReductionSweep, SpreadOfSweepAndProfilesTogether) {
  StudyBuilder study;
  declare_labels(study);
  add_sweeps(study);
  add_profiles(study);
  const Recorder r = concluded(study.build());
  EXPECT_NEAR(*r.value("token.rate_sd_log"), 0.0538353945, 1e-9);
  EXPECT_EQ(r.value("token.rate_df"), 14);
  EXPECT_NEAR(*r.value("token.combined_speedup", "batch=1;px=224"), 0.80747171, 1e-8);
  EXPECT_NEAR(*r.value("token.combined_speedup_sd_log", "batch=1;px=224"), 0.0538353945, 1e-9)
      << "two measurements a side";
  EXPECT_NEAR(*r.value("token.combined_speedup_sd_log", "batch=2;px=224"), 0.0538353945 * std::sqrt(2), 1e-9)
      << "one measurement per side";
  EXPECT_NEAR(*r.value("token.profile_speedup", "batch=1;px=224"), 0.79004837, 1e-8);
}

TEST(TokenReductionSweep, ABatchSweepWhoseBatchesWereAllOneIsMislabelled) {
  StudyBuilder study;
  declare_labels(study);
  study.sheet("sweep", "s.csv", kSweepColumns,
              {{"1", "baseline", "160", "6.25", "17.5"},
               {"1", "with_tr", "128", "7.8125", "5.6"},
               {"2", "baseline", "160", "6.25", "17.5"},
               {"2", "with_tr", "128", "7.8125", "5.6"},
               {"4", "baseline", "160", "6.25", "17.5"},
               {"4", "with_tr", "640", "6.25", "5.6"}});
  const Recorder r = concluded(study.build());
  EXPECT_EQ(r.value("token.mislabelled_rows", "sheet=s.csv"), 3);
  EXPECT_EQ(skips_with(r, "mislabelled: tp * latency_ms / 1000 = 1.000 images per batch"), 3U);
  EXPECT_EQ(skips_with(r, "batch 4: no usable row of the model baseline"), 1U);
  EXPECT_EQ(r.value("token.speedup", "batch=1"), 0.8);
  EXPECT_EQ(r.value("token.speedup", "batch=2"), std::nullopt);
  EXPECT_EQ(r.value("token.speedup", "batch=4"), std::nullopt);
  EXPECT_EQ(r.value("token.crossover_first_win"), std::nullopt);
  EXPECT_EQ(r.value("token.crossover_last_loss"), 1);
  EXPECT_NEAR(*r.value("token.flop_reduction"), 0.68, 1e-12) << "FLOPs of an image do not depend on the batch";
}

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
  return cells;
}

TEST(TokenReductionSweep, ThePublishedBatchSweepNeverLeftBatchOne) {
  ASSAY_REAL_FOLDER(folder, "public");
  std::ifstream file(std::string(folder) + "/sweep/sweep_tokenreduction_batch.csv");
  std::string line;
  ASSERT_TRUE(std::getline(file, line)) << "no such file";
  const std::vector<std::string> columns = cells_of(line);
  std::vector<std::vector<std::string>> rows;
  while (std::getline(file, line)) rows.push_back(cells_of(line));
  StudyBuilder study;
  declare_labels(study);
  study.sheet("sweep", "public.csv", columns, rows);
  const Recorder r = concluded(study.build());
  EXPECT_EQ(r.value("token.mislabelled_rows", "sheet=public.csv"), 8) << "all but the two of batch 1";
  EXPECT_NEAR(*r.value("token.speedup", "batch=1"), 137.2527 / 152.6756, 1e-12);
  EXPECT_EQ(r.value("token.speedup", "batch=2"), std::nullopt);
  EXPECT_EQ(r.value("token.crossover_first_win"), std::nullopt);
  EXPECT_NEAR(*r.value("token.flop_reduction"), 1 - 5.5531 / 17.5687, 1e-12);
}

TEST(TokenReductionSweep, ListsEverythingLeftOut) {
  StudyBuilder study;
  declare_labels(study);
  study.sheet("sweep", "s.csv", {"batch_size", "model", "tp", "latency_ms", "flops", "memory", "note"},
              {{"1", "baseline", "100", "10", "2", "7", "x"},
               {"1", "with_tr", "50", "20", "1"},
               {"1", "with_tr", "50", "20", "1"},      // the same again
               {"2", "baseline", "", "10", "2"},       // no throughput
               {"", "baseline", "100", "10", "2"},     // no batch
               {"2", "with_tr", "-5", "10", "1"},      // no positive number
               {"2", "other", "100", "20", "2"},       // unknown model
               {"4", "baseline", "400", "", "2"},      // cannot be checked, but stays
               {"4", "with_tr", "600", "6.6667", ""},  // no FLOPs
               {"8", "baseline", "nan", "6.6667", "2"}});
  study.sheet("sweep", "t.csv", {"batch_size", "model"}, {{"1", "baseline"}});
  const Recorder r = concluded(study.build());
  EXPECT_EQ(skips_with(r, "s.csv, row 3: the same row a second time"), 1U);
  EXPECT_EQ(skips_with(r, "row 4: no positive number in column 'tp'"), 1U);
  EXPECT_EQ(skips_with(r, "row 5: no positive number in column 'batch_size'"), 1U);
  EXPECT_EQ(skips_with(r, "row 6: no positive number in column 'tp'"), 1U);
  EXPECT_EQ(skips_with(r, "row 7: the model 'other'"), 1U);
  EXPECT_EQ(skips_with(r, "row 8: the check of its batch size"), 1U);
  EXPECT_EQ(skips_with(r, "row 9: its FLOPs"), 1U);
  EXPECT_EQ(skips_with(r, "row 10: no positive number"), 1U);
  EXPECT_EQ(skips_with(r, "column memory and note"), 1U);
  EXPECT_EQ(skips_with(r, "t.csv: the whole sheet, because it has no column 'tp'"), 1U);
  EXPECT_TRUE(
      has_values(r, {{"token.speedup{batch=1}", 0.5}, {"token.speedup{batch=4}", 1.5}, {"token.flop_reduction", 0.5}}));
}

TEST(TokenReductionSweep, DifferentFlopsOfOneModelGiveNoReduction) {
  StudyBuilder study;
  declare_labels(study);
  study.sheet(
      "sweep", "s.csv", kSweepColumns,
      {{"1", "baseline", "100", "10", "2"}, {"1", "with_tr", "50", "20", "1"}, {"2", "with_tr", "50", "40", "1.5"}});
  const Recorder r = concluded(study.build());
  EXPECT_EQ(r.value("token.flop_reduction"), std::nullopt);
  EXPECT_EQ(skips_with(r, "different FLOPs, 1 and 1.5"), 1U);
}

TEST(TokenReductionSweep, RepeatedRowsGiveTheCrossoverAnInterval) {
  StudyBuilder study;
  declare_labels(study);
  std::vector<std::vector<std::string>> rows;
  const auto add = [&](const std::string& batch, const std::string& model, const std::vector<std::string>& rates) {
    for (const std::string& rate : rates) rows.push_back({batch, model, rate, "", "1"});
  };
  add("1", "baseline", {"100", "101", "99"});
  add("1", "with_tr", {"80", "81", "79"});
  add("2", "baseline", {"200", "202", "198"});
  add("2", "with_tr", {"202", "203", "201"});
  add("4", "baseline", {"300", "303", "297"});
  add("4", "with_tr", {"600", "606", "594"});
  study.sheet("sweep", "s.csv", kSweepColumns, rows);
  const Recorder r = concluded(study.build());
  EXPECT_EQ(r.value("token.crossover_first_win"), 2) << "by the medians";
  EXPECT_TRUE(contains(r.findings[0].text,
                       "By the 95 % intervals of repeated rows the crossover lies between batch 1 and batch 4."));
}

TEST(TokenReductionSweep, FitFindsHostTimeAndAffineGpuTime) {
  const std::vector<double> batches = {1, 2, 4, 8, 16};
  std::vector<double> latencies;
  for (const double batch : batches) latencies.push_back(std::max(5.0, 2 + 0.9 * batch));
  const auto exact = tokens::fit_latency(batches, latencies);
  ASSERT_TRUE(exact);
  EXPECT_NEAR(exact->squares, 0, 1e-12);
  EXPECT_EQ(exact->host_bound, 2U);
  EXPECT_EQ(exact->degrees, 2);

  latencies[3] *= 1.2;
  EXPECT_GT(tokens::fit_latency(batches, latencies)->squares, 1e-3) << "a row off the curve is not fitted away";
  const std::vector<double> two = {1, 2}, times = {3, 4};
  EXPECT_FALSE(tokens::fit_latency(two, times)) << "as many parameters as rows";
}

TEST(TokenReductionSweep, OneRowTellsNothingOfItsSpread) {
  StudyBuilder study;
  declare_labels(study);
  study.sheet("sweep", "s.csv", kSweepColumns,
              {{"1", "baseline", "100", "10", "2"}, {"1", "with_tr", "50", "20", "1"}});
  const Recorder r = concluded(study.build());
  EXPECT_NEAR(*r.value("token.combined_speedup", "batch=1"), 0.5, 1e-12);
  EXPECT_EQ(r.value("token.combined_speedup_sd_log", "batch=1"), std::nullopt);
}

TEST(TokenReductionSweep, NothingToCompareIsSaid) {
  StudyBuilder study;
  declare_labels(study);
  const Recorder r = concluded(study.build());
  EXPECT_TRUE(r.findings.empty());
  EXPECT_EQ(skips_with(r, "nothing can be compared"), 1U);
}

}  // namespace assay::token_reduction_sweep_test
