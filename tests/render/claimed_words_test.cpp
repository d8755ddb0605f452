// What is claimed beside what was measured.
#include "render/claimed_words.hpp"

#include "render/answer_parts.hpp"
#include "render/glossary.hpp"
#include "render/metric_words.hpp"
#include "render/outputs.hpp"
#include "render/plots/drawing.hpp"
#include "sample_run.hpp"
#include "support/test.hpp"

namespace assay::testing::claimed_words_test {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

OwnedClaim claim_of(EffectKind kind, std::string unit, double low, double high) {
  OwnedClaim claim{"id", "text", "R", Verdict::kRefuted, "", {}};
  claim.claimed = ClaimedRange{"b.ratio", std::move(unit), kind, low, high};
  return claim;
}

void measure(OwnedClaim& claim, double value, double lo, double hi, Verdict verdict = Verdict::kRefuted) {
  claim.strata.push_back(
      {{}, verdict, "", effect(claim.claimed->kind, "b.ratio", claim.claimed->unit, value, lo, hi), {}});
}

TEST(ClaimedWords, RangesAreInAPersonsUnit) {
  EXPECT_EQ(claimed_text(claim_of(EffectKind::kRatio, "1", 0.6, 0.7)), "×\u00a00.600 to 0.700");
  EXPECT_EQ(claimed_text(claim_of(EffectKind::kRatio, "1", 0.95, kInfinite)), "at least ×\u00a00.950");
  EXPECT_EQ(claimed_text(claim_of(EffectKind::kLevel, "bytes/s", 21e9, 23e9)), "21.0 to 23.0 GB/s");
  EXPECT_EQ(claimed_text(claim_of(EffectKind::kLevel, "ratio", 0.25, 0.35)), "25.0 to 35.0 %");
  EXPECT_EQ(claimed_text(claim_of(EffectKind::kLevel, "ratio", 1, 1)), "100 %");
  EXPECT_EQ(claimed_text(claim_of(EffectKind::kLevel, "ns", -kInfinite, 2e6)), "at most 2 ms");
  EXPECT_EQ(claimed_text(OwnedClaim{}), "");
}

TEST(ClaimedWords, PrintLargeFactorsWithoutPercent) {
  OwnedClaim claim = claim_of(EffectKind::kLevel, "ratio", 2.7, 3.3);
  EXPECT_EQ(claimed_text(claim), "2.700 to 3.300");
  measure(claim, 2.1, 1.82, 2.43);
  EXPECT_EQ(measured_text(claim), "2.100 [1.820, 2.430]");
  EXPECT_EQ(claimed_text(claim_of(EffectKind::kLevel, "ratio", 10, kInfinite)), "at least 10");
}

TEST(ClaimedWords, OmitMissingBoundsAndIntervalsOfCounts) {
  EXPECT_EQ(claimed_text(claim_of(EffectKind::kRatio, "1", 0, 1)), "at most ×\u00a01");
  EXPECT_EQ(claimed_text(claim_of(EffectKind::kDifference, "ns", 0, 2e6)), "0.000 to 2.000 ms");
  OwnedClaim claim = claim_of(EffectKind::kLevel, "1", 1, kInfinite);
  measure(claim, 51.2, 51.2, 51.2, Verdict::kSupported);
  EXPECT_EQ(measured_text(claim), "51.2");
}

TEST(ClaimedWords, MeasuredIsAnIntervalOrARangeOverStrata) {
  OwnedClaim claim = claim_of(EffectKind::kLevel, "ratio", 0.25, 0.35);
  EXPECT_EQ(measured_text(claim), "nothing");
  EXPECT_EQ(runs_text(claim), "0");
  measure(claim, 0.117, 0.1, 0.2);
  EXPECT_EQ(measured_text(claim), "11.7 [10.0, 20.0] %");
  EXPECT_EQ(runs_text(claim), "12");
  measure(claim, 0.486, kNone, kNone);
  EXPECT_EQ(measured_text(claim), "11.7 to 48.6 % in 2 settings");
  claim.strata.push_back({{}, Verdict::kUntestable, "", std::nullopt, {}});
  EXPECT_EQ(measured_text(claim), "11.7 to 48.6 % in 2 settings") << "a stratum without an effect is not measured";
  EXPECT_EQ(runs_text(claim), "12 each");
}

/// x of what begins with `mark` in a drawing, up to its quote or the letter H.
double number_after(const std::string& drawing, const std::string& mark, std::size_t from = 0) {
  const std::size_t at = drawing.find(mark, from);
  return at == std::string::npos ? kNone : std::stod(drawing.substr(at + mark.size()));
}

TEST(ClaimDrawing, ABandHoldsWhatLiesInTheClaimedRange) {
  OwnedClaim claim = claim_of(EffectKind::kLevel, "ns", 10, 20);
  measure(claim, 15, 12, 18, Verdict::kSupported);
  measure(claim, 40, 35, 45);
  const std::string drawing = claim_drawing(claim);
  const double left = number_after(drawing, " x=\""),
               width = number_after(drawing, "width=\"", drawing.find("class=\"band\""));
  const double inside = number_after(drawing, "cx=\""),
               outside = number_after(drawing, "cx=\"", drawing.find("cx=\"") + 1);
  EXPECT_GT(inside, left);
  EXPECT_LT(inside, left + width);
  EXPECT_GT(outside, left + width);
  EXPECT_TRUE(contains_all(drawing, {"class=\"supported\"", "class=\"refuted\""}));
  EXPECT_FALSE(contains(drawing, "class=\"one\"")) << "only ratios have a 1 that means no change";
}

TEST(ClaimDrawing, RatiosAreLogarithmicAndShowOne) {
  OwnedClaim claim = claim_of(EffectKind::kRatio, "1", 0.5, 2);
  measure(claim, 1, 0.9, 1.1, Verdict::kSupported);
  const std::string drawing = claim_drawing(claim);
  const double one = number_after(drawing, "class=\"one\" d=\"M"), left = number_after(drawing, " x=\"");
  const double width = number_after(drawing, "width=\"", drawing.find("class=\"band\""));
  EXPECT_NEAR(one, left + width / 2, 0.2) << "half and double are equally far from 1";
}

TEST(ClaimDrawing, EndsIntervalsBeyondTheAxisInAnArrow) {
  OwnedClaim claim = claim_of(EffectKind::kLevel, "ns", 10, 20);
  measure(claim, 15, -1000, 18);
  EXPECT_TRUE(contains(claim_drawing(claim), "L6.0 ")) << "the arrow's point lies at the left end";
}

TEST(ClaimDrawing, NothingIsDrawnOfNothing) {
  OwnedClaim claim = claim_of(EffectKind::kLevel, "ns", 10, 20);
  EXPECT_EQ(claim_drawing(claim), "");
  measure(claim, 15, 12, 18);
  claim.claimed.reset();
  EXPECT_EQ(claim_drawing(claim), "");
}

TEST(ClaimDrawing, AUnitCannotLeaveItsAttribute) {
  OwnedClaim claim = claim_of(EffectKind::kLevel, "\"><script>", 10, 20);
  measure(claim, 15, 12, 18);
  EXPECT_FALSE(contains(claim_drawing(claim), "<script>"));
}

TEST(AnswerParts, ThePlotAndTheTableAreOfTheAnalyzerThatAnswers) {
  QuestionResult result;
  const auto table = [](std::string analyzer, std::string id, std::size_t rows) {
    OwnedTable out;
    out.analyzer = std::move(analyzer);
    out.id = std::move(id);
    out.columns.resize(1);
    out.columns[0].type = CellType::kText;
    out.columns[0].texts.resize(rows);
    return out;
  };
  result.findings = {{"other", FindingRole::kEvidence, "", "", {}, {}, {}},
                     {"own", FindingRole::kAnswer, "", "", {}, {}, {}}};
  result.tables = {table("other", "effects", 2), table("own", "all", 100), table("own", "sections", 2),
                   table("own", "few", 3)};
  result.plots.resize(2);
  result.plots[0].analyzer = "other";
  result.plots[1].analyzer = "own";
  EXPECT_EQ(answer_parts(result).plot, &result.plots[1]);
  EXPECT_EQ(answer_parts(result).table, &result.tables[3]) << "the layout of pages is for nobody to read";
  result.tables.push_back(table("own", "effects", 40));
  EXPECT_EQ(answer_parts(result).table, &result.tables[4]) << "the table of effects goes before the first of few rows";
  result.findings.clear();
  EXPECT_EQ(answer_parts(result).plot, nullptr);
  EXPECT_EQ(answer_parts(result).table, nullptr);
}

TEST(Glossary, ATermIsExplainedWhereItFirstStandsInText) {
  const std::string out = with_glossary(
      "<p title=\"strata\">All strata, and strata.</p><a href=\"#\">launch-bound</a><p>Launch-bound runs; "
      "substrata</p>");
  EXPECT_TRUE(contains(out, "All <abbr class=\"term\" title=\"Groups of runs"));
  EXPECT_TRUE(contains(out, "</abbr>, and strata.")) << "once";
  EXPECT_TRUE(contains_all(
      out, {"<p title=\"strata\">", "<a href=\"#\">launch-bound</a>", "\">Launch-bound</abbr> runs; substrata"}));
  EXPECT_EQ(with_glossary("no <b>such"), "no <b>such");
}

OwnedPlot plot_of_classes(std::vector<std::string> classes) {
  OwnedPlot plot;
  plot.series_title = "class";
  OwnedLayer layer;
  layer.data.columns.resize(3);
  layer.data.columns[0] = {"report", "", CellType::kText, std::vector<std::string>(classes.size(), "one"), {}, {}};
  layer.data.columns[1] = {"time", "ns", CellType::kNumber, {}, {}, std::vector<double>(classes.size(), 1.0)};
  layer.data.columns[2] = {"class", "", CellType::kText, std::move(classes), {}, {}};
  layer.channels = {.x = 1, .y = 0, .series = 2};
  plot.layers.push_back(std::move(layer));
  return plot;
}

TEST(Colours, ASeriesHasOneColourInAllPlotsOfItsTitle) {
  std::vector<QuestionResult> results(2);
  results[0].plots = {plot_of_classes({"matmul", "norm", "copy"})};
  results[1].plots = {plot_of_classes({"copy", "matmul", "softmax"})};
  colour_alike(results);
  EXPECT_TRUE(equals(drawing_of(results[0].plots[0]).places, {0U, 1U, 2U}));
  EXPECT_TRUE(equals(drawing_of(results[1].plots[0]).places, {2U, 0U, 3U}));
  results[1].plots[0].alike = {"copy", "1", "2", "3", "4", "5", "6", "7", "matmul", "softmax"};
  EXPECT_TRUE(equals(drawing_of(results[1].plots[0]).places, {0U, 1U, 2U}))
      << "within one plot no two series may look alike";
}

TEST(SummaryMd, HasAtMostTwentyFiveLines) {
  const auto lines = [](const std::string& text) { return std::ranges::count(text, '\n'); };
  SampleRun sample;
  fill(sample);
  const std::string text = summary_md(sample.run);
  for (const OwnedFinding& finding : sample.result(0).findings) {
    if (finding.role != FindingRole::kAnswer) continue;
    EXPECT_TRUE(contains(text, finding.title));
  }
  EXPECT_TRUE(text.starts_with("**1 refuted, 1 untestable** of 2 claims.")) << text;
  EXPECT_EQ(text.find("!["), std::string::npos) << "a comment has no folder that an image could be in";
  OwnedClaim supported = sample.result(0).claims.front();
  supported.verdict = Verdict::kSupported;
  sample.result(0).claims.insert(sample.result(0).claims.begin(), 20, supported);
  sample.result(0).findings.insert(sample.result(0).findings.end(), 20,
                                   {"a", FindingRole::kAnswer, std::string(3000, 'x'), "", {}, {}, {}});
  const std::string many = summary_md(sample.run);
  EXPECT_LE(lines(many), 25) << many;
  EXPECT_LT(many.find("- refuted"), many.find("- supported")) << "what needs a look is first";
  for (int i = 0; i < 40; ++i) {
    sample.add_question();
    sample.result(sample.run.questions.size() - 1).findings = {
        {"a", FindingRole::kAnswer, std::string(3000, 'x'), "", {}, {}, {}}};
  }
  const std::string longer = summary_md(sample.run);
  EXPECT_LE(lines(longer), 25);
  EXPECT_LT(longer.size(), 60'000U);
  EXPECT_TRUE(contains(longer, "25 more questions"));
}

TEST(SummaryMd, BeginsWithTheAnswerWithoutClaims) {
  SampleRun sample;
  fill(sample);
  sample.result(0).claims.clear();
  EXPECT_TRUE(summary_md(sample.run).starts_with("- **")) << summary_md(sample.run);
}

}  // namespace assay::testing::claimed_words_test
