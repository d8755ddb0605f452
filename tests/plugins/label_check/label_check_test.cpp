#include <gtest/gtest.h>

#include "assay/detail/expression.hpp"
#include "assay/testing/report_builder.hpp"
#include "label_check_fixture.hpp"
#include "plugins/analyzers.hpp"
#include "support/check.hpp"

namespace assay::label_check_test {

using namespace under_test::label_check;
using namespace testing;

const std::string kInput = "4 * 3 * batch * px * px";
const std::string kTokens = "batch * ((px / patch) * (px / patch) + 1)";

// --- what a trace shows

TEST(LabelCheckEvidence, CopiesOfEveryIterationOnly) {
  ReportBuilder b;
  for (int i = 0; i < 3; ++i) b.iteration(i, 100 * i, 100 * i + 100);
  for (int i = 0; i < 4; ++i) b.copy(CopyDirection::kHostToDevice, 1000, 100 * i, 100 * i + 10);  // one is copied ahead
  for (int i = 0; i < 6; ++i) b.copy(CopyDirection::kHostToDevice, 700, 50 * i + 20, 50 * i + 30);  // two an iteration
  b.copy(CopyDirection::kHostToDevice, 1000000, 5, 10);                                             // weights, once
  b.copy(CopyDirection::kDeviceToHost, 5000, 5, 10);
  const Recorder r = analyzed(b.build());
  EXPECT_EQ(r.value("label.h2d_bytes"), 1400);
  EXPECT_EQ(r.value("label.h2d_copy_bytes"), 700);
}

TEST(LabelCheckEvidence, WithoutIterationsNoBytesAreClaimed) {
  ReportBuilder b;
  b.copy(CopyDirection::kHostToDevice, 1000, 0, 10);
  const Recorder r = analyzed(b.build(), {{"input_bytes", kInput}});
  EXPECT_FALSE(r.value("label.h2d_bytes").has_value());
  EXPECT_EQ(r.skips.size(), 1U);
  EXPECT_TRUE(analyzed(b.build()).skips.empty());  // nobody asked for them
}

TEST(LabelCheckEvidence, RowsAndWidthsByTheKernelsThatShowThem) {
  ReportBuilder b;
  b.kernel("vectorized_Layer_Norm_kernel", 0, 10, {.grid = {1576, 1, 1}});
  b.kernel("vectorized_Layer_Norm_kernel", 10, 20, {.grid = {1576, 1, 1}});
  b.kernel("triton_per_fused_native_layer_norm_1", 20, 30, {.grid = {788, 1, 1}});  // two rows a block
  b.kernel("GeluCUDAKernelImpl", 30, 40, {.grid = {4728, 1, 1}});
  b.kernel("triton_poi_fused_gelu_4", 40, 50, {.grid = {9456, 1, 1}});
  b.kernel("gemm", 50, 60, {.grid = {2, 66, 1}});
  b.kernel("gemm", 50, 60, {.grid = {2147483647, 2147483647, 4}});  // no number of blocks
  const Recorder r = analyzed(b.build());
  EXPECT_EQ(r.attribute_of("label.row_grids"), "1576*2");
  EXPECT_EQ(r.attribute_of("label.compiled_row_grids"), "788*1");
  EXPECT_EQ(r.attribute_of("label.width_grids"), "4728*1");
  EXPECT_EQ(r.attribute_of("label.grids"), "132,788,1576,4728,9456");
}

TEST(LabelCheckEvidence, KernelsOfRowsAndWidthsMayHaveOtherNames) {
  ReportBuilder b;
  b.kernel("My_Norm_kernel", 0, 10, {.grid = {1576, 1, 1}});
  b.kernel("swish", 30, 40, {.grid = {4728, 1, 1}});
  const Recorder r = analyzed(b.build(), {{"row_kernels", "my_norm"}, {"width_kernels", "swish"}});
  EXPECT_EQ(r.attribute_of("label.row_grids"), "1576*1");
  EXPECT_EQ(r.attribute_of("label.width_grids"), "4728*1");
  EXPECT_FALSE(analyzed(b.build()).attribute_of("label.row_grids"));
}

TEST(LabelCheckEvidence, GraphsAreCountedByCallsWhereTheirNodesAreTraced) {
  ReportBuilder b;
  for (int i = 0; i < 40; ++i) {
    const Row launch = b.call(CallKind::kGraphLaunch, 100 * i, 100 * i + 5);
    b.kernel("triton_poi_fused", 100 * i + 10, 100 * i + 20, {.call = launch});
  }
  EXPECT_EQ(analyzed(b.build()).value("label.graph_launches"), 40);
  ReportBuilder without_calls;
  without_calls.kernel("gemm", 0, 10, {});
  EXPECT_FALSE(analyzed(without_calls.build()).value("label.graph_launches").has_value()) << "absent, not 0";
  ReportBuilder rows_alone;
  rows_alone.graph(1, 0, 10);
  EXPECT_EQ(analyzed(rows_alone.build()).value("label.graph_launches"), 1);
}

TEST(LabelCheckEvidence, KernelsOfTheWindow) {
  ReportBuilder b;
  b.device(0).device(1);
  b.kernel("Triton_poi_fused", 0, 10, {.grid = {4, 2, 1}});
  b.kernel("triton_red", 10, 20, {.device = 1, .membership = Membership::kOutside, .grid = {9, 9, 9}});
  b.kernel("gemm", 20, 30, {.grid = {3, 1, 1}});
  b.kernel("gemm", 30, 40, {.grid = {1, 1, 3}});
  const Recorder r = analyzed(b.build());
  EXPECT_EQ(r.value("label.compiled_kernels"), 1);
  EXPECT_EQ(r.attribute_of("label.grids"), "3,8");
  EXPECT_EQ(r.value("label.device_used", "device=0"), 1);
  EXPECT_FALSE(r.value("label.device_used", "device=1").has_value());
  EXPECT_EQ(r.value("label.device_listed", "device=1"), 1);
}

// --- rules

std::string failure(const OptionInputs& options) {
  ReportBuilder b;
  try {
    analyzed(b.build(), options);
  } catch (const std::runtime_error& e) {
    return e.what();
  }
  return {};
}

TEST(LabelCheckRules, RejectUnreadableRulesWithASentence) {
  EXPECT_TRUE(contains(failure({{"input_bytes", "4 * (px"}}), "input_bytes is '4 * (px', which cannot be read"));
  EXPECT_TRUE(contains(failure({{"input_bytes", "4 px"}}), "from byte 3 on"));
  EXPECT_TRUE(contains(failure({{"input_bytes", "99999999999999999999 * px"}}), "cannot be read"));
  EXPECT_TRUE(contains(failure({{"input_bytes", std::string(1000, '(')}}), "cannot be read"));
  EXPECT_TRUE(contains(failure({{"grid_rows", "px *"}}), "grid_rows"));
  EXPECT_TRUE(contains(failure({{"named", "memory=local, numa=0"}}), "named holds 'memory=local'"));
  EXPECT_EQ(failure({{"input_bytes", kInput}, {"named", "memory=local: numa=0"}}), "");
}

TEST(LabelCheckRules, ALabelThatIsNotDeclaredIsRefused) {
  StudyBuilder s;
  s.label("px", StudyBuilder::kNumeric);
  s.report("a", {{"px", "224"}});
  try {
    concluded(s.build(), {{"input_bytes", kInput}});
    FAIL() << "the label batch is not declared";
  } catch (const std::runtime_error& e) {
    EXPECT_TRUE(contains(e.what(), "refers to the label 'batch'"));
  }
}

TEST(LabelCheckExpression, WholeNumbers) {
  const auto value_of = [](const std::string& text) {
    return Expression(text, "it").value([](std::string_view name) {
      return name == "px" ? std::optional<std::int64_t>(230) : std::nullopt;
    });
  };
  EXPECT_EQ(value_of("2 + 3 * 4 - 1"), 13);
  EXPECT_EQ(value_of("(2+3)*4"), 20);
  EXPECT_EQ(value_of("(px / 16) * (px / 16) + 1"), 197);  // 230 / 16 is 14.4
  EXPECT_EQ(value_of("px / (px - 230)"), std::nullopt);
  EXPECT_EQ(value_of("px * patch"), std::nullopt);
  EXPECT_EQ(value_of("px * 4611686018427387904"), std::nullopt);
}

TEST(LabelCheckExpression, SolvesForTheOneUnknown) {
  const Expression bytes(kInput, "it");
  const auto batch = [](std::int64_t n) {
    return [n](std::string_view name) { return name == "batch" ? std::optional<std::int64_t>(n) : std::nullopt; };
  };
  EXPECT_EQ(solve(bytes, "px", 12 * 4 * 256 * 256, batch(4)), 256);
  EXPECT_EQ(solve(bytes, "px", 12 * 4 * 256 * 256, batch(1)), 512);
  EXPECT_EQ(solve(bytes, "px", 12 * 4 * 256 * 256, batch(3)), std::nullopt);
  EXPECT_EQ(solve(bytes, "px", 12, batch(0)), std::nullopt);
}

// --- bytes copied

struct Input {
  std::string px, batch, patch = "16";
  bool px_default = false, batch_default = false;
  std::int64_t true_px = 0, true_batch = 0;
  bool grids = true;
};

void add(StudyBuilder& s, const std::string& path, const Input& in) {
  auto& report = s.report(path, {{"px", in.px}, {"batch", in.batch}, {"patch", in.patch}});
  if (in.px_default) report.origin("px", LabelOrigin::kDefault);
  if (in.batch_default) report.origin("batch", LabelOrigin::kDefault);
  report.fact("label.h2d_bytes", static_cast<double>(12 * in.true_batch * in.true_px * in.true_px));
  const std::int64_t tokens = (in.true_px / 16) * (in.true_px / 16) + 1;
  if (in.grids) report.attribute("label.grids", "5," + std::to_string(in.true_batch * tokens) + ",99999999");
}

struct InputLabels {
  std::string px, batch, patch;
  std::optional<double> shown_px, shown_batch, shown_patch;
  std::set<std::string> conflicts;
};

InputLabels labels_of(const Recorder& r, const StudyBuilder& s) {
  InputLabels out{verdict(r, s, "a", "px"),
                  verdict(r, s, "a", "batch"),
                  verdict(r, s, "a", "patch"),
                  shown(r, s, "a", "px"),
                  shown(r, s, "a", "batch"),
                  shown(r, s, "a", "patch"),
                  {}};
  for (const auto& fact : r.facts) {
    if (fact.metric == "label.conflict") out.conflicts.insert(fact.dims.substr(6));
  }
  return out;
}

InputLabels judged_input(const Input& in) {
  StudyBuilder s;
  s.label("px", StudyBuilder::kNumeric, kChangesKernels | kChangesCopies);
  s.label("batch", StudyBuilder::kNumeric, kChangesKernels | kChangesCopies);
  s.label("patch", StudyBuilder::kNumeric, kChangesKernels);
  add(s, "a", in);
  const Recorder r = concluded(s.build(), {{"input_bytes", kInput}, {"grid_rows", kTokens}});
  return labels_of(r, s);
}

TEST(LabelCheckInput, ConfirmsWhatFits) {
  const auto j = judged_input({.px = "256", .batch = "4", .true_px = 256, .true_batch = 4});
  EXPECT_EQ(j.px, "borne_out");
  EXPECT_EQ(j.batch, "borne_out");
  EXPECT_EQ(j.patch, "borne_out");
  EXPECT_EQ(j.shown_px, 256);
}

TEST(LabelCheckInput, ThePatchNeedsItsGrid) {
  const auto j = judged_input({.px = "256", .batch = "4", .patch = "32", .true_px = 256, .true_batch = 4});
  EXPECT_EQ(j.px, "unverifiable") << "without its rows only the product is known";
  EXPECT_EQ(j.patch, "unverifiable");
}

TEST(LabelCheckInput, OnlyPossibleValuesExplain) {  // batch would be a quarter
  const auto j = judged_input(
      {.px = "1024", .batch = "4", .batch_default = true, .true_px = 256, .true_batch = 4, .grids = false});
  EXPECT_EQ(j.px, "contradicted");
  EXPECT_EQ(j.shown_px, 256);
  EXPECT_EQ(j.batch, "unverifiable") << "the bytes show it only together with px";
}

TEST(LabelCheckInput, GridsDecideAgainstANamedLabel) {  // batch 1 at 512 px copies as much as batch 4 at 256 px
  Input in{.px = "512", .batch = "4", .batch_default = true, .true_px = 256, .true_batch = 4};
  auto j = judged_input(in);
  EXPECT_EQ(j.px, "contradicted");
  EXPECT_EQ(j.shown_px, 256);
  EXPECT_EQ(j.batch, "borne_out");
  in.grids = false;  // then either may be wrong, the default or the name
  j = judged_input(in);
  EXPECT_EQ(j.conflicts, (std::set<std::string>{"batch", "px"}));
  EXPECT_EQ(j.px, "unverifiable");
  EXPECT_EQ(j.batch, "unverifiable");
}

TEST(LabelCheckInput, IsUndecidedIfTwoLabelsExplainTheTrace) {
  const auto j = judged_input({.px = "512", .batch = "4", .true_px = 256, .true_batch = 4, .grids = false});
  EXPECT_EQ(j.px, "unverifiable");
  EXPECT_EQ(j.batch, "unverifiable");
  EXPECT_EQ(j.conflicts, (std::set<std::string>{"batch", "px"}));
  EXPECT_FALSE(j.shown_px || j.shown_batch) << "each would be right only if the other label is";
}

TEST(LabelCheckInput,
     NoValueOfOneAloneFits) {  // 12 * 3 * 100^2 bytes: neither 3*100^2/7^2 nor sqrt(3*100^2/2) is whole
  const auto j = judged_input({.px = "7", .batch = "2", .true_px = 100, .true_batch = 3, .grids = false});
  EXPECT_EQ(j.px, "contradicted");
  EXPECT_EQ(j.batch, "contradicted");
  EXPECT_FALSE(j.shown_px.has_value());
}

// --- rows tell what the product is made of

struct Rows {
  std::string px, batch, patch, rows, compiled_rows = "";
  std::int64_t bytes = 12LL * 8 * 224 * 224;
};

InputLabels judged_rows(const Rows& in) {
  StudyBuilder s;
  s.label("px", StudyBuilder::kNumeric, kChangesKernels | kChangesCopies);
  s.label("batch", StudyBuilder::kNumeric, kChangesKernels | kChangesCopies);
  s.label("patch", StudyBuilder::kNumeric, kChangesKernels);
  auto& report = s.report("a", {{"px", in.px}, {"batch", in.batch}, {"patch", in.patch}});
  report.fact("label.h2d_bytes", static_cast<double>(in.bytes));
  report.attribute("label.grids",
                   "3,400,1570,1576,4728");  // of any kernel: beside those with a block a row no evidence
  if (!in.rows.empty()) report.attribute("label.row_grids", in.rows);
  if (!in.compiled_rows.empty()) report.attribute("label.compiled_row_grids", in.compiled_rows);
  const Recorder r = concluded(s.build(), {{"input_bytes", kInput}, {"grid_rows", kTokens}});
  return labels_of(r, s);
}

TEST(LabelCheckRows, AnotherBatchAndResolutionWithTheSameProduct) {  // 8 at 224 px under the name of 2 at 448 px
  const auto j = judged_rows({.px = "448", .batch = "2", .patch = "16", .rows = "1576*300"});
  EXPECT_EQ(j.px, "contradicted");
  EXPECT_EQ(j.batch, "contradicted");
  EXPECT_EQ(j.shown_px, 224);
  EXPECT_EQ(j.shown_batch, 8);
  EXPECT_EQ(j.patch, "borne_out");
}

TEST(LabelCheckRows, TheRightNamesAreBorneOut) {
  const auto j = judged_rows({.px = "224", .batch = "8", .patch = "16", .rows = "1576*300"});
  EXPECT_EQ(j.px, "borne_out");
  EXPECT_EQ(j.batch, "borne_out");
  EXPECT_EQ(j.patch, "borne_out");
}

TEST(LabelCheckRows, AnotherPatchWithoutItsHonestTwin) {
  const auto j = judged_rows({.px = "224", .batch = "8", .patch = "32", .rows = "1576*300"});
  EXPECT_EQ(j.patch, "contradicted");
  EXPECT_EQ(j.px, "borne_out");
  EXPECT_EQ(j.batch, "borne_out");
}

TEST(LabelCheckRows, WithoutThemOnlyTheProductIsKnown) {
  const auto none = judged_rows({.px = "448", .batch = "2", .patch = "16", .rows = "", .compiled_rows = "788*12"});
  EXPECT_EQ(none.px, "unverifiable");
  EXPECT_EQ(none.batch, "unverifiable");
  EXPECT_EQ(none.patch, "unverifiable");
}

TEST(LabelCheckRows, ConfirmButNeverAccuseForFusedKernels) {
  const auto right =
      judged_rows({.px = "224", .batch = "8", .patch = "16", .rows = "", .compiled_rows = "13*12,1576*288"});
  EXPECT_EQ(right.px, "borne_out");
  // 296 = 8 * 37 would be patch 37: blocks of several rows are no number of rows.
  const auto several = judged_rows({.px = "224", .batch = "8", .patch = "16", .rows = "", .compiled_rows = "296*12"});
  EXPECT_EQ(several.patch, "unverifiable");
  EXPECT_EQ(several.px, "unverifiable");
}

TEST(LabelCheckRows, UnexplainedRowsAccuseNoLabel) {  // of a model without a class token
  const auto j = judged_rows({.px = "224", .batch = "8", .patch = "16", .rows = "1568*300"});
  EXPECT_EQ(j.px, "unverifiable");
  EXPECT_EQ(j.batch, "unverifiable");
  EXPECT_EQ(j.patch, "unverifiable");
}

TEST(LabelCheckRows, IgnoreRemaindersOfACompiler) {  // the norm of the class tokens alone
  StudyBuilder s;
  s.label("px", StudyBuilder::kNumeric).label("batch", StudyBuilder::kNumeric).label("patch", StudyBuilder::kNumeric);
  s.label("depth", StudyBuilder::kNumeric);
  for (const char* path : {"a", "b"}) {
    auto& report = s.report(path, {{"px", "224"}, {"batch", "8"}, {"patch", "16"}, {"depth", "12"}});
    report.fact("label.h2d_bytes", 12.0 * 8 * 224 * 224).fact("iteration.count", 10).fact("graph.opaque_ratio", 0);
    report.attribute("label.row_grids", path[0] == 'a' ? "1576*250" : "8*30");
    if (path[0] == 'b') report.fact("label.compiled_kernels", 100);
  }
  const Recorder r =
      concluded(s.build(), {{"input_bytes", kInput}, {"grid_rows", kTokens}, {"row_launches", "2 * depth + 1"}});
  for (const char* label : {"px", "batch", "patch", "depth"}) {
    EXPECT_EQ(verdict(r, s, "a", label), "borne_out") << label;
    EXPECT_EQ(verdict(r, s, "b", label), "unverifiable") << label;
  }
  EXPECT_EQ(r.value("label.conflict", "label=depth", static_cast<Row>(s.row("b"))), std::nullopt);
}

TEST(LabelCheckRows, RowsOfTheClassTokensAloneAreNotGiganticPatch) {
  const auto j = judged_rows({.px = "224", .batch = "8", .patch = "16", .rows = "8*12"});
  EXPECT_EQ(j.patch, "unverifiable");
}

TEST(LabelCheckRows, TheyDecideWhereTheBytesMisfitToo) {  // 8 at 224 px under the name of 4 at 448 px: 2 would fit
  const auto j = judged_rows({.px = "448", .batch = "4", .patch = "16", .rows = "1576*300"});
  EXPECT_EQ(j.px, "contradicted");
  EXPECT_EQ(j.batch, "contradicted");
  EXPECT_EQ(j.shown_px, 224);
  EXPECT_EQ(j.shown_batch, 8);
}

TEST(LabelCheckRows,
     TwoWrongLabelsLeaveTheThirdAlone) {  // 8 at 224 px in patches of 16, as 4 at 224 px in patches of 32
  const auto j = judged_rows({.px = "224", .batch = "4", .patch = "32", .rows = "1576*300"});
  EXPECT_EQ(j.batch, "contradicted");
  EXPECT_EQ(j.patch, "contradicted");
  EXPECT_EQ(j.px, "borne_out");
  EXPECT_EQ(j.shown_batch, 8);
  EXPECT_EQ(j.shown_patch, 16);
}

TEST(LabelCheckRows, NoValueIsStatedThatTheRowsExclude) {  // batch 8 would fit the bytes, and nothing fits these rows
  const auto j = judged_rows({.px = "224", .batch = "4", .patch = "16", .rows = "1571*300"});
  EXPECT_EQ(j.batch, "contradicted");
  EXPECT_EQ(j.shown_batch, std::nullopt);
}

TEST(LabelCheckInput, AnUnstatedLabelIsShownAndTheOtherUnverifiable) {
  StudyBuilder s;
  s.label("px", StudyBuilder::kNumeric).label("batch", StudyBuilder::kNumeric);
  s.report("a", {{"px", "224"}}).fact("label.h2d_bytes", 12.0 * 8 * 224 * 224);
  const Recorder r = concluded(s.build(), {{"input_bytes", kInput}});
  EXPECT_EQ(shown(r, s, "a", "batch"), 8);
  EXPECT_EQ(verdict(r, s, "a", "px"), "unverifiable");
}

TEST(LabelCheckInput, AGridShowsTheStatedLabelsBesideAnUnstatedOne) {
  StudyBuilder s;
  s.label("px", StudyBuilder::kNumeric).label("batch", StudyBuilder::kNumeric).label("patch", StudyBuilder::kNumeric);
  s.report("a", {{"px", "224"}, {"patch", "16"}})
      .fact("label.h2d_bytes", 12.0 * 8 * 224 * 224)
      .attribute("label.grids", "16,1576");
  const Recorder r = concluded(s.build(), {{"input_bytes", kInput}, {"grid_rows", kTokens}});
  EXPECT_EQ(verdict(r, s, "a", "px"), "borne_out");
  EXPECT_EQ(verdict(r, s, "a", "patch"), "borne_out");
  EXPECT_EQ(verdict(r, s, "a", "batch"), "");
}

TEST(LabelCheckInput, OneOfSeveralCopiesOfAnIterationMayBeTheInput) {
  StudyBuilder s;
  s.label("px", StudyBuilder::kNumeric).label("batch", StudyBuilder::kNumeric);
  s.report("a", {{"px", "224"}, {"batch", "8"}})
      .fact("label.h2d_bytes", 2 * 12.0 * 8 * 224 * 224)
      .fact("label.h2d_copy_bytes", 12.0 * 8 * 224 * 224);
  const Recorder r = concluded(s.build(), {{"input_bytes", kInput}});
  EXPECT_EQ(verdict(r, s, "a", "px"), "unverifiable") << "not contradicted, and only the product is known";
}

TEST(LabelCheckInput, NoiseIsNotJudged) {
  StudyBuilder s;
  s.label("px", StudyBuilder::kNumeric).label("batch", StudyBuilder::kNumeric);
  s.noise_report("a", {{"px", "224"}, {"batch", "1"}}).fact("label.h2d_bytes", 12.0 * 8 * 224 * 224);
  const Recorder r = concluded(s.build(), {{"input_bytes", kInput}});
  EXPECT_EQ(verdict(r, s, "a", "batch"), "");
}

}  // namespace assay::label_check_test
