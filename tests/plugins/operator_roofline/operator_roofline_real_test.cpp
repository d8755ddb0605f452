// The 34 operators of known shape on an H100: FLOPs and bytes of the model beside what Nsight Compute counted, and the
// numbers of TraceLens.
#include "assay/quantity.hpp"
#include "assay/words.hpp"
#include "plugins/analyzers.hpp"
#include "plugins/documented_table.hpp"
#include "plugins/operator_roofline/calls.hpp"
#include "plugins/real_report.hpp"
#include "support/test.hpp"

namespace assay::roofline::operator_roofline_real_test {

using namespace testing;

constexpr double kFlopsTolerance = 0.02, kBytesTolerance = 0.15;

/// One case of the reference: counted by Nsight Compute over one call.
struct CountedCase {
  double matrix_ops = 0, core_ops = 0, dram_bytes = 0;
};

std::map<std::string, CountedCase> reference() {
  std::map<std::string, CountedCase> out;
  const auto file = data_file("reference", "ops_h100.tsv");
  if (!file) return out;
  std::ifstream in(*file);
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    std::stringstream cells(line);
    std::vector<std::string> cell(7);
    for (std::string& one : cell) std::getline(cells, one, '\t');
    out[cell[0]] = {std::stod(cell[3]), std::stod(cell[4]), std::stod(cell[5]) + std::stod(cell[6])};
  }
  return out;
}

/// What the model says of one case, over the rounds of the trace.
struct ModelledCase {
  double computed = 0, bytes = 0;
  bool matrix = false;
  int rounds = 0;
};

/// The case around an instant of the host: "case:NAME" annotations.
std::map<std::string, ModelledCase> modelled(const Report& report, const OperatorCalls& calls) {
  constexpr std::string_view kCase = "case:";
  std::map<std::string, ModelledCase> out;
  const OpTable& ops = *report.ops;
  std::vector<std::pair<Interval, std::string>> cases;
  for (std::size_t r = 0; r < ops.rows; ++r) {
    const std::string_view name = report.string(ops.name[r]);
    if (ops.kind[r] != OpKind::kAnnotation || !name.starts_with(kCase)) continue;
    cases.push_back({{ops.start[r], ops.end[r]}, std::string(name.substr(kCase.size()))});
    ++out[cases.back().second].rounds;
  }
  for (const OperatorInstance& instance : calls.instances) {
    const OperatorRow& row = calls.rows[instance.row];
    for (const auto& [time, name] : cases) {
      if (!row.modelled() || instance.host_start < time.start || instance.host_start >= time.end) continue;
      ModelledCase& of = out[name];
      of.computed += row.work.computed;
      of.bytes += row.work.bytes;
      of.matrix = of.matrix || row.work.matrix;
    }
  }
  return out;
}

/// Why counted and modelled differ, where they do by more than the tolerances.
const std::map<std::string, const char*> kCauses = {
    {"mm_4096x4096x4096_bfloat16", "operands of 100 MB pass through an L2 of 50 MB: tiles are read again"},
    {"mm_8944x2816x1024_bfloat16",
     "43 tiles of 208 become 44 (clusters of two), 2,816 becomes 15 tiles of 192: 9,152 x 2,880 are computed"},
    {"mm_2048x2048x2048_float16", "the result is still in the L2 when counting ends"},
    {"mm_2048x2048x2048_float32", "the result is still in the L2 when counting ends"},
    {"mm_2048_tf32", "the result is still in the L2 when counting ends"},
    {"addmm_4096x3072x1024", "most of the result is still in the L2 when counting ends"},
    {"bmm_64x512x512x128", "most of the result is still in the L2 when counting ends"},
    {"sdpa_flash_2048_64_causal",
     "whole tiles of 128 x 128 are computed on the diagonal: 136 of 256 tiles, 0.531 of all pairs"},
    {"sdpa_efficient_1024_64_full", "the result is still in the L2 when counting ends"},
    {"sdpa_math_1024_64_full",
     "14 kernels: copies to fp32, softmax and masks beside the products, each writing the 268 MB of scores"},
    {"sdpa_gqa_decode_1x4096", "4 queries of a group fill a tile of 64 rows: 16 times the FLOPs"},
    {"sdpa_flash_fwd_bwd_1024", "backward sums dQ in fp32 and converts it: partial sums are written and read"},
    {"conv3x3_16x256x56", "cuDNN changes the layout before and after: 4 kernels, each reading and writing the images"},
    {"conv_patch16_8x224", "cuDNN pads 3 channels and changes the layout: a finding, not an error of the formula"},
    {"conv_depthwise_16x256x56",
     "8.7 % more operations, whose cause is not known; half of the result is still in the L2 when counting ends"},
    {"layer_norm_8192x4096", "the convention is 8 FLOPs an element; Welford's updates and conversions are more"},
    {"rms_norm_8192x4096", "the convention is 4 FLOPs an element; sums over warps come on top"},
    {"softmax_8192x4096", "exponentials are several instructions"},
    {"gelu_8192x4096", "the error function is about 15 instructions"},
    {"add_8192x4096", "PyTorch multiplies by alpha, which is 1, with an fma"},
    {"sum_dim_8192x4096", "sums over threads and warps come on top"},
    {"transpose_copy", "2 operations an element that the model does not have; presumably of indices"},
    {"batch_norm_train", "its input is read twice, and statistics are updates of Welford"},
    {"embedding_8x1024", "9 of 10 bytes of the result are still in the L2 when counting ends"},
    {"cross_entropy_4096x32000",
     "log_softmax writes the logits again and nll_loss reads them; exponentials are several instructions"},
    {"adamw_fused_16x1M", "the convention is 15 FLOPs an element; divisions and roots are several instructions"},
    {"adamw_foreach_16x1M",
     "divisions and roots are several instructions; parts of the lists stay in the L2 between kernels"},
};

double counted_flops(const CountedCase& counted, const ModelledCase& model) {
  return model.matrix && counted.matrix_ops > 0 ? counted.matrix_ops : counted.matrix_ops + counted.core_ops;
}

std::string ratio_text(double counted, double model) {
  if (model <= 0) return counted > 0 ? "-" : "1.000";
  return fixed(counted / model, 3);
}

bool beyond(double counted, double model, double tolerance) {
  return model <= 0 ? counted > 0 : std::abs(counted / model - 1) > tolerance;
}

class Operators : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto trace = data_file("ops", "ops.pt.trace.json.gz");
    counted_ = reference();
    if (!trace || !std::filesystem::exists(*trace) || counted_.empty())
      GTEST_SKIP() << "ASSAY_DATA has no ops/ops.pt.trace.json.gz, or ASSAY_DATA/reference no ops_h100.tsv";
    real_.emplace(under_test::operator_roofline::descriptor, *trace, "", "");
    calls_ = operator_calls(real_->report(), FormulaBook(), {}, {});
    model_ = modelled(real_->report(), calls_);
    for (auto& [name, model] : model_) {
      model.computed /= model.rounds;
      model.bytes /= model.rounds;
    }
  }

  std::map<std::string, CountedCase> counted_;
  std::map<std::string, ModelledCase> model_;
  std::optional<RealReport> real_;
  OperatorCalls calls_;
};

TEST_F(Operators, AllHaveAModel) {
  EXPECT_EQ(counted_.size(), 34U);
  EXPECT_EQ(calls_.unmodelled, 0) << "ns of kernels without a model";
  for (const auto& [name, counted] : counted_) {
    ASSERT_TRUE(model_.contains(name)) << name;
    EXPECT_EQ(model_.at(name).rounds, 3) << name;
    EXPECT_GT(model_.at(name).bytes, 0) << name;
  }
}

TEST_F(Operators, FlopsAreThoseThatWereCounted) {
  for (const char* name :
       {"mm_4096x4096x4096_bfloat16", "mm_64x4096x4096_bfloat16", "mm_4096x64x4096_bfloat16",
        "mm_2048x2048x2048_float16", "mm_2048x2048x2048_float32", "mm_2048_tf32", "addmm_4096x3072x1024",
        "bmm_64x512x512x128", "linear_8x1024x4096", "sdpa_flash_2048_128_full", "sdpa_efficient_1024_64_full",
        "sdpa_flash_fwd_bwd_1024", "conv3x3_16x256x56"}) {
    const double ratio = counted_flops(counted_.at(name), model_.at(name)) / model_.at(name).computed;
    EXPECT_NEAR(ratio, 1, kFlopsTolerance) << name;
  }
  // By its tiles: 43 of 208 rows, which clusters of two make 44, and 15 of 192 columns.
  EXPECT_DOUBLE_EQ(counted_.at("mm_8944x2816x1024_bfloat16").matrix_ops, 2.0 * (44 * 208) * (15 * 192) * 1024);
  // Causal attention by its tiles of 128 x 128: 16 x 17 / 2 of 16 x 16.
  const double full = 4.0 * 4 * 16 * 2048 * 2048 * 64;
  EXPECT_DOUBLE_EQ(counted_.at("sdpa_flash_2048_64_causal").matrix_ops, full * 136 / 256);
}

TEST_F(Operators, BytesAreThoseThatWereCounted) {
  for (const char* name :
       {"layer_norm_8192x4096", "rms_norm_8192x4096", "softmax_8192x4096", "gelu_8192x4096", "add_8192x4096",
        "mul_scalar_8192x4096", "cast_bf16_fp32", "transpose_copy", "adamw_fused_16x1M"}) {
    EXPECT_NEAR(counted_.at(name).dram_bytes / model_.at(name).bytes, 1, kBytesTolerance) << name;
  }
}

TEST_F(Operators, HaveACauseBeyondTheTolerances) {
  std::string table =
      "| operator | FLOPs | counted / model | least MB | counted / least | cause |\n|---|---|---|---|---|---|\n";
  for (const auto& [name, counted] : counted_) {
    const ModelledCase& model = model_.at(name);
    const double flops = counted_flops(counted, model);
    const bool differs =
        beyond(flops, model.computed, kFlopsTolerance) || beyond(counted.dram_bytes, model.bytes, kBytesTolerance);
    const auto cause = kCauses.find(name);
    EXPECT_EQ(differs, cause != kCauses.end())
        << name << ": a cause for what is beyond the tolerances, and for nothing else";
    table += "| " + name + " | " + quantity(model.computed, "FLOP") + " | " + ratio_text(flops, model.computed) +
             " | " + fixed(model.bytes / 1e6, 1) + " | " + ratio_text(counted.dram_bytes, model.bytes) + " | " +
             (cause == kCauses.end() ? "" : cause->second) + " |\n";
  }
  testing::expect_documented("counted", table);
}

/// Of one row of TraceLens' unified_perf_summary.csv.
struct TraceLensRow {
  std::string name, dims, types, strides, concrete;
  double flops = 0, bytes = 0;
  bool modelled = false;
};

/// Cells of a CSV line; quotes hold commas.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> out(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      out.emplace_back();
    else
      out.back() += c;
  }
  return out;
}

/// Python's tuples as the lists of a trace: ((2, 3), ()) is [[2, 3], []], ('a',) is ["a"].
std::string json_of(const std::string& tuple) {
  std::string out;
  for (std::size_t i = 0; i < tuple.size(); ++i) {
    const char c = tuple[i];
    const bool trailing = c == ',' && i + 1 < tuple.size() && tuple[i + 1] == ')';
    if (!trailing) out += c == '(' ? '[' : c == ')' ? ']' : c == '\'' ? '"' : c;
  }
  return out;
}

std::vector<TraceLensRow> tracelens_rows(const std::filesystem::path& file) {
  constexpr double kMebi = 1048576, kGiga = 1e9;
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  const std::vector<std::string> heads = cells_of(line);
  const auto at = [&](const char* head) {
    return static_cast<std::size_t>(std::find(heads.begin(), heads.end(), head) - heads.begin());
  };
  std::vector<TraceLensRow> rows;
  while (std::getline(in, line)) {
    const std::vector<std::string> cells = cells_of(line);
    if (cells.size() != heads.size()) continue;
    TraceLensRow row{cells[at("name")], json_of(cells[at("Input Dims")]), json_of(cells[at("Input type")]),
                     json_of(cells[at("Input Strides")]), json_of(cells[at("Concrete Inputs")])};
    row.modelled = cells[at("has_perf_model")] == "True";
    if (row.modelled) {
      row.flops = std::stod(cells[at("GFLOPS")]) * kGiga;
      row.bytes = std::stod(cells[at("Data Moved (MB)")]) * kMebi;
    }
    rows.push_back(row);
  }
  return rows;
}

/// Where TraceLens counts otherwise, and who is right (docs/operators.md).
bool counts_otherwise(const std::string& name) {
  for (const char* one : {"aten::copy_", "aten::silu", "aten::layer_norm"})
    if (name == one) return true;
  return false;
}

/// A step of one model with unfused fp32 attention and with flash attention; the numbers are those of plain Python over
/// the traces: 13,155.5 and 1,848.2 GFLOP a step.
TEST(Mfu, IsHigherInTheFasterStepOfAModel) {
  for (const auto& [name, mfu] : {std::pair{"gpubound_base", 0.0916},
                                  {"gpubound_flash", 0.2453},
                                  {"step_base", 0.0268},
                                  {"step_flash", 0.0340}}) {
    const auto trace = data_file("step", filled("torch/{}.pt.trace.json.gz", {name}));
    if (!trace || !std::filesystem::exists(*trace)) GTEST_SKIP() << "ASSAY_DATA has no step/torch";
    const RealReport real(under_test::operator_roofline::descriptor, *trace, "", "");
    EXPECT_NEAR(*under_test::operator_roofline::analyzed(real.report()).value("step.mfu_ratio"), mfu, 5e-5) << name;
  }
}

TEST(TraceLens, AgreesWhereItsFormulasHold) {
  const auto folder = data_file("public2", "tracelens");
  if (!folder || !std::filesystem::exists(*folder)) GTEST_SKIP() << "ASSAY_DATA has no public2/tracelens";
  const FormulaBook book;
  std::size_t compared = 0, otherwise = 0;
  for (const char* run : {"h100_Qwen_Qwen1.5-0.5B-Chat", "h100_gaunernst_bert-small-uncased",
                          "mi300_Qwen_Qwen1.5-0.5B-Chat", "mi300_gaunernst_bert-small-uncased"}) {
    for (const TraceLensRow& row : tracelens_rows(*folder / run / "unified_perf_summary.csv")) {
      if (!row.modelled) continue;
      const auto operands = read_operands(row.dims, row.types, row.strides, row.concrete);
      ASSERT_TRUE(operands) << row.dims;
      const auto found = book.find(row.name);
      ASSERT_TRUE(found) << row.name;
      const auto work = found->work({row.name, *operands});
      ASSERT_TRUE(work) << row.name << row.dims;
      if (counts_otherwise(row.name)) {
        ++otherwise;
        EXPECT_GT(std::abs(work->flops / row.flops - 1), 0.1) << row.name << ": agrees, so that the page is wrong";
        EXPECT_NEAR(work->bytes / row.bytes, 1, 0.02) << row.name;
        continue;
      }
      ++compared;
      EXPECT_NEAR(work->flops / row.flops, 1, 0.002) << row.name << row.dims;  // causal: N (N + 1) / 2 for N^2 / 2
      EXPECT_NEAR(work->bytes / row.bytes, 1, 0.002)
          << row.name << row.dims;  // a row's mean: one number, not one in all
    }
  }
  EXPECT_EQ(compared, 52U);
  EXPECT_EQ(otherwise, 16U);
}

}  // namespace assay::roofline::operator_roofline_real_test
