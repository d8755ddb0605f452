#include "sample_run.hpp"

#include <limits>

#include "support/kinds.hpp"

namespace assay::testing {

SampleRun::SampleRun() {
  run.plan = &plan;
  run.catalog = &catalog;
}

Question& SampleRun::add_question() {
  Question& question = questions_.emplace_back();
  question.id = "q" + std::to_string(questions_.size() - 1);
  question.title = "Question " + question.id;
  question.text = "What does it cost?";
  question.labels.labels.push_back(label("depth"));
  PlannedQuestion planned;
  planned.question = &question;
  plan.questions.push_back(std::move(planned));
  QuestionCatalog seen;
  for (std::size_t i = 0; i < catalog.files.size(); ++i) seen.entries.emplace_back().file = i;
  run.analysis.questions.emplace_back(seen.entries.size());
  for (ReportResult& report : run.analysis.questions.back()) report.loaded = true;
  catalog.questions.push_back(std::move(seen));
  QuestionResult result;
  result.metrics = {{"a.time_ns", "ns", "Time of a, from start to end.", "alpha", Polarity::kLowerIsBetter},
                    {"b.ratio", "ratio", "Share of b in a.", "alpha", Polarity::kHigherIsBetter},
                    {"c.count", "1", "How often c happened.", "alpha", Polarity::kNeutral}};
  run.questions.push_back(std::move(result));
  return question;
}

void SampleRun::add_file(const std::string& name) {
  catalog.files.push_back({.name = name, .path = name, .kind = kind::kNsys, .size = 4096, .problem = {}});
}

LabelSpec label(const std::string& name) {
  LabelSpec spec;
  spec.name = name;
  return spec;
}

OwnedEffect effect(EffectKind kind, std::string metric, std::string unit, double value, double lo, double hi) {
  return {kind, Scope::kBetweenRun, std::move(metric), std::move(unit), value, lo, hi, 0.95, 12, "bootstrap BCa"};
}

void fill(SampleRun& sample) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  sample.add_file("runs/one.sqlite");
  sample.add_file("runs/two, second.sqlite");
  sample.add_question();
  sample.entry(0, 0).labels.push_back({0, "6", 6, LabelOrigin::kName});
  sample.report(0, 0).facts = {{"a.time_ns", "", 16664228, {16664227, 16664228, 16664229}},
                               {"b.ratio", "", 0.1, {}},
                               {"c.count", "kind=x", 3, {}}};
  sample.report(0, 1).facts = {{"a.time_ns", "", 1e15, {}}};
  sample.report(0, 1).attributes = {{"fingerprint", "h2d:12"}};
  sample.report(0, 1).lacking = true;
  sample.report(0, 1).issues = {{"unlinked", Severity::kWarning, 7, "7 kernels have no launch row."}};

  QuestionResult& result = sample.result(0);
  result.study_facts = {{"c.count", "", 2, {}}};
  result.findings.push_back({"alpha",
                             FindingRole::kAnswer,
                             "It costs 8 of 100",
                             "Measured on two runs.",
                             effect(EffectKind::kRatio, "a.time_ns", "1", 1.08, 1.05, 1.12),
                             {{"depth", "6"}},
                             {{"runs/one.sqlite", "a.time_ns", "", 16664228}}});
  result.findings.push_back({"alpha",
                             FindingRole::kEvidence,
                             "Level of a",
                             "",
                             effect(EffectKind::kLevel, "a.time_ns", "ns", 16664228, nan, nan),
                             {},
                             {}});
  result.findings.push_back(
      {"alpha", FindingRole::kNote, "One report is short", "It has 7 rows less.", std::nullopt, {}, {}});
  result.claims.push_back({"cheap",
                           "it costs less than 1 in 100",
                           "guide, p. 3",
                           Verdict::kRefuted,
                           "the interval is outside",
                           {{{{"depth", "6"}},
                             Verdict::kRefuted,
                             "",
                             effect(EffectKind::kRatio, "a.time_ns", "1", 1.08, 1.05, 1.12),
                             {}}}});
  result.claims.push_back({"deep", "deeper is better", "guide, p. 4", Verdict::kUntestable, "only one depth", {}});
  result.skips = {{"runs/two, second.sqlite", "alpha", "needs graphs: this profile has no graph table", false,
                   SkipCause::kOther, "graphs"},
                  {"", "beta", "its constructor threw: no luck", true}};
  result.completeness.expected = 3;
  result.completeness.present = 2;
  result.completeness.missing = {{{{"depth", "12"}}}};
  result.completeness.lacking = {"runs/two, second.sqlite"};
  OwnedTable table{"alpha", "levels", "Levels", {}};
  table.columns.push_back({"level", "", CellType::kText, {"low", "high|er"}, {}, {}});
  table.columns.push_back({"busy", "ratio", CellType::kNumber, {}, {}, {0.123456, nan}});
  result.tables.push_back(table);
}

}  // namespace assay::testing
