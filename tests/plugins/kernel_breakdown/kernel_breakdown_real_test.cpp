// kernel_breakdown on real reports. Expected numbers: SQL and Python over the same files, written independently of the
// plugin.
#include <cctype>

#include "plugins/analyzers.hpp"
#include "plugins/kernel_rules.hpp"
#include "plugins/real_report.hpp"
#include "support/test.hpp"

namespace assay::kernel_breakdown_real_test {

using namespace under_test::kernel_breakdown;
using namespace testing;

OptionInputs bundled_rules(OptionInputs more = {}) {
  OptionInputs out = {{"rules", testing::kernel_rules("rules")},
                      {"tensor_core_rules", testing::kernel_rules("tensor_core_rules")}};
  out.insert(out.end(), more.begin(), more.end());
  return out;
}

const std::vector<std::string> kRanges = {"forward", "backward", "optimizer"};

TEST(KernelBreakdownReal, TrainingStepWithWarmUp) {
  ASSAY_REAL_FILE(file, "examples", "transformer/small_training_step_ctx512.sqlite");
  const RealReport real(descriptor, *file, "", "step_{i}");
  const Recorder r = analyzed(real.report(), bundled_rules({{"ranges", kRanges}}));
  double kernels = 0, time = 0;
  for (const auto& f : r.facts) {
    if (f.dims.find("range") != std::string::npos) continue;
    if (f.metric == "kernel_class.count") kernels += f.value;
    if (f.metric == "kernel_class.time_sum_ns") time += f.value;
  }
  EXPECT_EQ(kernels, 12329);
  EXPECT_EQ(time, 702942645);
  EXPECT_TRUE(has_values(r, {{"range.kernel_count{range=backward}", 7306},
                             {"range.kernel_time_sum_ns{range=backward}", 449229058},
                             {"range.other_thread_kernel_count{range=backward}", 7293},
                             {"range.other_thread_kernel_time_ns{range=backward}", 449218690},
                             {"range.kernel_count{range=forward}", 4095},
                             {"range.kernel_time_sum_ns{range=forward}", 215569795},
                             {"range.other_thread_kernel_count{range=forward}", 0},
                             {"range.kernel_count{range=optimizer}", 902}}));
}

TEST(KernelBreakdownReal, TrainingStepWithoutWarmUp) {
  ASSAY_REAL_FILE(file, "examples", "transformer/small_training_step_ctx512.sqlite");
  const RealReport real(descriptor, *file, "", "step_{i}");
  const Recorder r = analyzed(real.report(), bundled_rules({{"ranges", kRanges}, {"measure", "iterations"}}));
  EXPECT_EQ(r.value("kernel_class.time_sum_ns", "class=matmul"), 385375876);
  EXPECT_NEAR(*r.value("kernel_class.time_ratio", "class=matmul"), 0.713136048667095, 1e-12);
  EXPECT_TRUE(has_values(r, {{"kernel_class.count{class=elementwise}", 3600},
                             {"kernel_class.time_ratio{class=unknown}", 0},
                             {"tensor_core.time_ratio{uses=no}", 1},
                             {"top_kernel.count", 480}}));
  EXPECT_EQ(r.fact_of("top_kernel.count_per_iteration")->samples, std::vector<double>(10, 48.0));
  EXPECT_EQ(r.value("range.kernel_count", "range=backward"), 5620);
  EXPECT_NEAR(*r.value("kernel_class.time_ratio", "class=matmul;range=backward"), 0.7380454911361817, 1e-12);
  EXPECT_NEAR(*r.value("kernel_class.time_ratio", "class=matmul;range=forward"), 0.7862423215707963, 1e-12);
  ASSERT_FALSE(r.issues.empty());
  EXPECT_EQ(r.issues[0].name, "outside_iterations");
  EXPECT_EQ(r.issues[0].count, 2979);
}

TEST(KernelBreakdownReal, ForwardPass) {
  ASSAY_REAL_FILE(file, "examples", "transformer/small_forward_ctx512.sqlite");
  const RealReport real(descriptor, *file, "", "step_{i}");
  const Recorder r = analyzed(real.report(), bundled_rules({{"measure", "iterations"}}));
  EXPECT_NEAR(*r.value("kernel_class.time_ratio", "class=matmul"), 0.7860753180135999, 1e-12);
  EXPECT_TRUE(has_values(r, {{"top_kernel.count", 240}, {"top_kernel.count_per_iteration", 24}}));
}

/// One line of the reference CSV: nine fields, the last in quotes when it holds commas.
std::vector<std::string> fields(std::string line) {
  std::vector<std::string> out;
  for (int i = 0; i < 8; ++i) {
    out.push_back(line.substr(0, line.find(',')));
    line.erase(0, out.back().size() + 1);
  }
  if (line.starts_with('"')) line = line.substr(1, line.size() - 2);
  out.push_back(line);
  return out;
}

std::vector<std::vector<std::string>> reference(const std::string& report) {
  const auto archive = data_file("reference", "nsys_stats.tar.xz");
  if (!archive) return {};
  const std::string command = "tar -xJOf '" + archive->string() + "' nsys_stats/" + report + "/cuda_gpu_kern_sum.csv";
  const std::string text = testing::run_shell(".", command).out;
  std::vector<std::vector<std::string>> rows;
  for (std::size_t at = text.find('\n') + 1; at < text.size() && at > 0;) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string line = text.substr(at, end - at);
    if (line.ends_with('\r')) line.pop_back();
    if (!line.empty()) rows.push_back(fields(line));
    at = end + 1;
  }
  return rows;
}

struct Reference {
  const char* report;
  const char* variable;
  const char* file;
  friend void PrintTo(const Reference& reference, std::ostream* to) { *to << reference.report; }
};

/// A name that a test may have: what is no letter or digit becomes '_'.
std::string name_of(const ::testing::TestParamInfo<Reference>& info) {
  std::string name = info.param.report;
  std::replace_if(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

class NsysStats : public ::testing::TestWithParam<Reference> {};

TEST_P(NsysStats, TableOfTheWholeCaptureEqualsItsKernelSummary) {
  const auto rows = reference(GetParam().report);
  if (rows.empty()) GTEST_SKIP() << "ASSAY_DATA/reference is not set: nothing to compare with";
  const auto file = data_file(GetParam().variable, GetParam().file);
  if (!file) GTEST_SKIP() << GetParam().variable << " is not set: the report is not unpacked";
  const RealReport real(descriptor, *file, "", "");
  const Recorder r = analyzed(real.report(), bundled_rules());
  const auto* table = r.table_of("kernel_summary");
  ASSERT_NE(table, nullptr);
  ASSERT_EQ(table->column("Name")->texts.size(), rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto number = [&](std::size_t field) { return std::stod(rows[i][field]); };
    EXPECT_EQ(table->column("Name")->texts[i], rows[i][8]);
    EXPECT_NEAR(table->column("Time")->numbers[i], number(0), 0.0501);
    EXPECT_EQ(table->column("Total Time")->integers[i], std::stoll(rows[i][1]));
    EXPECT_EQ(table->column("Instances")->integers[i], std::stoll(rows[i][2]));
    EXPECT_NEAR(table->column("Avg")->numbers[i], number(3), 0.0501);
    EXPECT_NEAR(table->column("Med")->numbers[i], number(4), 0.0501);
    EXPECT_EQ(table->column("Min")->integers[i], std::stoll(rows[i][5]));
    EXPECT_EQ(table->column("Max")->integers[i], std::stoll(rows[i][6]));
    EXPECT_NEAR(table->column("StdDev")->numbers[i], number(7), 0.0501);
  }
}

INSTANTIATE_TEST_SUITE_P(Files, NsysStats,
                         ::testing::Values(Reference{"gpu0_numa0_vit16x12x768", "h200",
                                                     "rq1_model_architecture_impact/gpu0_numa0_vit16x12x768.sqlite"},
                                           Reference{"cs336_zx_a100_2.7B_nvtx_2024.6", "public",
                                                     "nsys/cs336_zx_a100_2.7B_nvtx_2024.6.sqlite"},
                                           Reference{"nsysai_mfu_2gpu_before_2026.2", "public",
                                                     "nsys/nsysai_mfu_2gpu_before_2026.2.sqlite"}),
                         name_of);

}  // namespace assay::kernel_breakdown_real_test
