// The study as it is laid out, and the merging of what analyzers conclude.
#include "concluding.hpp"
#include "support/test.hpp"

namespace assay::conclude_test {

using fixture::A;
using fixture::B;
using fixture::Concluding;

/// Says that the label of the first report lies.
struct Believer {
  static constexpr std::string_view kSummary = "Contradicts a label.";
  static constexpr MetricSpec kProduces[] = {{"label.verdict", "1", Polarity::kNeutral, "A verdict."}};
  explicit Believer(const Options&) {}
  void conclude(const Study&, StudySink& sink) const {
    sink.report_fact(0, "label.verdict", 1, {{"label", "size"}, {"verdict", "contradicted"}});
  }
};
constexpr Descriptor kBeliever = detail::describe<Believer>("believer", "1.0.0");

/// Finds the label of the second report borne out, and cannot tell that of the first.
struct Witness {
  static constexpr std::string_view kSummary = "Looks at labels.";
  static constexpr MetricSpec kProduces[] = {{"label.verdict", "1", Polarity::kNeutral, "A verdict."}};
  explicit Witness(const Options&) {}
  void conclude(const Study&, StudySink& sink) const {
    sink.report_fact(0, "label.verdict", 1, {{"label", "size"}, {"verdict", "unverifiable"}});
    sink.report_fact(1, "label.verdict", 1, {{"label", "size"}, {"verdict", "borne_out"}});
  }
};
constexpr Descriptor kWitness = detail::describe<Witness>("a_witness", "1.0.0");

TEST_F(Concluding, PassesDisbeliefToLaterAnalyzers) {
  add_reports();
  world_.add_linked(fixture::kA);
  world_.add_linked(kBeliever);
  world_.add_linked(fixture::kB);
  std::vector<std::size_t> before, after;
  A::on_conclude = [&](const Study& study, StudySink&) { before = StudyView(study).participants(); };
  B::on_conclude = [&](const Study& study, StudySink&) {
    const StudyView view(study);
    after = view.participants();
    EXPECT_TRUE(contains(view.doubt(0), "label size"));
  };
  world_.conclude();
  EXPECT_TRUE(equals(before, {0, 1}));
  EXPECT_TRUE(equals(after, {1}));
  EXPECT_TRUE(contains(world_.results[0].doubt, "label size")) << "for results.sqlite";
  EXPECT_EQ(world_.results[2].doubt, "");
}

TEST_F(Concluding, ADoubtThatComesWithTheReportStays) {
  add_reports();
  world_.results[2].doubt = "it was not believed then";
  world_.add_linked(fixture::kA);
  std::vector<std::size_t> participants;
  A::on_conclude = [&](const Study& study, StudySink&) { participants = StudyView(study).participants(); };
  world_.conclude();
  EXPECT_TRUE(equals(participants, {0}));
}

TEST_F(Concluding, BelievesTheNameThatTheTraceConfirms) {
  add_reports();
  for (const std::size_t e : {0U, 2U}) world_.catalog.questions[0].entries[e].contested = {{0, "copy.sqlite"}};
  world_.add_linked(fixture::kA);
  world_.add_linked(kWitness);
  world_.add_linked(fixture::kB);
  std::vector<std::size_t> participants;
  B::on_conclude = [&](const Study& study, StudySink&) { participants = StudyView(study).participants(); };
  world_.conclude();
  EXPECT_TRUE(equals(participants, {1}));
  EXPECT_EQ(world_.results[0].doubt,
            "its label size has another value in the name of copy.sqlite, which has the same content");
}

TEST_F(Concluding, RanksOfOneJobHaveOneNumber) {
  for (const char* name : {"x/0.sqlite", "x/1.sqlite", "y.sqlite"}) world_.add_report(name);
  for (CatalogEntry& entry : world_.catalog.questions[0].entries) entry.labels.clear();
  for (const std::size_t r : {0U, 1U})
    world_.results[r].attributes = {{"rank", std::to_string(r)}, {"world_size", "2"}};
  world_.add_linked(fixture::kA);
  A::on_conclude = [&](const Study& study, StudySink&) { EXPECT_TRUE(equals(study.reports->job.view(), {0, 0, 2})); };
  world_.conclude();
}

TEST_F(Concluding, TheStudyIsLaidOutAsDocumented) {
  add_reports();
  world_.add_linked(fixture::kB);
  world_.add_linked(fixture::kA);
  world_.add_linked(fixture::kJudge);
  world_.add_claim("first");
  world_.add_claim("second");
  world_.catalog.questions[0].entries[2].role = ReportRole::kNoise;
  bool seen = false;
  A::on_conclude = [&](const Study& study, StudySink&) {
    seen = true;
    const StudyView view(study);
    EXPECT_EQ(study.question, "q");
    EXPECT_EQ(study.text, "Does it?");
    ASSERT_EQ(view.report_count(), 2U);
    EXPECT_EQ(view.path(0), "x/1.sqlite");
    EXPECT_EQ(view.path(1), "x/3.sqlite");
    EXPECT_FALSE(view.is_noise(0));
    EXPECT_TRUE(view.is_noise(1));

    ASSERT_EQ(study.labels->rows, 2U);
    EXPECT_EQ(study.labels->name[0], "size");
    EXPECT_EQ(study.labels->changes[0], kChangesKernels);
    EXPECT_TRUE(equals(study.labels->numeric.view(), {1, 0}));
    EXPECT_TRUE(equals(study.labels->descriptive.view(), {0, 1}));
    EXPECT_EQ(view.label_text(0, "size"), "0");
    EXPECT_EQ(view.label_text(1, "size"), "2") << "of the third report, not of the one that was not loaded";
    EXPECT_EQ(view.label_text(1, "host"), "");
    EXPECT_EQ(study.label_values->order[1], 2);

    std::vector<std::string_view> metrics(study.metrics->id.begin(), study.metrics->id.end());
    EXPECT_TRUE(equals(metrics, {"a.share", "a.time", "b.share", "b.time", "c.share", "c.time"}));
    EXPECT_EQ(study.metrics->unit[1], "ns");
    EXPECT_EQ(study.metrics->polarity[1], Polarity::kLowerIsBetter);

    ASSERT_EQ(study.facts->rows, 4U) << "the fact of a metric that nobody declares is left out";
    EXPECT_TRUE(equals(study.facts->report.view(), {0, 0, 0, 1}));
    EXPECT_EQ(view.value(0, "a.time", "k=2"), 20);
    EXPECT_EQ(view.value(1, "a.time"), 30);
    EXPECT_EQ(view.value(1, "a.share"), std::nullopt);
    EXPECT_TRUE(equals(view.samples(*view.fact(0, "a.time", "k=1")), {9, 11}));
    EXPECT_TRUE(is_empty(view.samples(*view.fact(0, "a.time", "k=2"))));
    EXPECT_TRUE(equals(view.samples(*view.fact(1, "a.time")), {28, 30, 32}));

    EXPECT_EQ(view.attribute(0, "a.print"), "p");
    EXPECT_EQ(view.attribute(1, "a.print"), std::nullopt);

    ASSERT_EQ(study.claims->rows, 2U);
    EXPECT_EQ(study.claims->id[1], "second");
    EXPECT_EQ(study.claims->keys[1]->text("metric"), "second.metric");
  };
  const QuestionResult result = world_.conclude();
  EXPECT_TRUE(seen);
  ASSERT_EQ(result.metrics.size(), 6U);
  EXPECT_EQ(result.metrics[2].id, "b.share");
  EXPECT_EQ(result.metrics[2].analyzer, "b");
}

TEST_F(Concluding, AnEmptyStudyHasTablesAndColumnsAllTheSame) {
  world_.add_linked(fixture::kA);
  A::on_conclude = [](const Study& study, StudySink&) {
    EXPECT_EQ(study.reports->rows, 0U);
    EXPECT_TRUE(study.reports->path.present());
    EXPECT_TRUE(study.facts->value.present());
    EXPECT_TRUE(study.claims->keys.present());
    EXPECT_EQ(StudyView(study).value(kNone, "a.time"), std::nullopt);
  };
  EXPECT_TRUE(is_empty(world_.conclude().skips));
}

TEST_F(Concluding, FactsOfEarlierAnalyzersAreVisibleToLaterOnes) {
  add_reports();
  world_.add_linked(fixture::kA);
  world_.add_linked(fixture::kB);
  A::on_conclude = [](const Study&, StudySink& sink) {
    sink.fact("a.time", 7, {{"over", "all"}});
    sink.fact("a.share", 0.25);
    sink.report_fact(1, "a.share", 0.75);
    sink.report_fact(0, "a.time", 15, {{"k", "15"}});
  };
  int seen = 0;
  B::on_conclude = [&](const Study& study, StudySink&) {
    const StudyView view(study);
    ++seen;
    ASSERT_EQ(study.facts->rows, 8U);
    EXPECT_TRUE(equals(study.facts->report.view(), {kNone, kNone, 0, 0, 0, 0, 1, 1})) << "study facts come first";
    EXPECT_EQ(view.value(kNone, "a.time", "over=all"), 7);
    EXPECT_EQ(view.value(kNone, "a.share"), 0.25);
    EXPECT_EQ(view.value(1, "a.share"), 0.75);
    EXPECT_EQ(view.value(0, "a.time", "k=15"), 15);
    EXPECT_EQ(view.value(0, "a.time", "k=1"), 10);
  };
  const QuestionResult result = world_.conclude();
  EXPECT_EQ(seen, 1);
  ASSERT_EQ(result.study_facts.size(), 2U);
  EXPECT_EQ(result.study_facts[0].metric, "a.share");
  std::vector<std::string> dims;
  for (const Fact& fact : world_.results[0].facts) dims.push_back(fact.metric + fact.dims);
  EXPECT_TRUE(equals(dims, {"a.share", "a.timek=1", "a.timek=15", "a.timek=2"})) << "sorted anew";
  EXPECT_EQ(world_.results[2].facts.front().metric, "a.share") << "row 1 of the study is the third entry";
}

TEST_F(Concluding, AFailureDropsItsOwnOutputsOnly) {
  add_reports();
  world_.add_linked(fixture::kA);
  world_.add_linked(fixture::kB);
  A::on_conclude = [](const Study&, StudySink& sink) {
    sink.fact("a.time", 7);
    sink.report_fact(0, "a.share", 0.1, {{"k", "1"}});
    sink.finding({FindingRole::kAnswer, "t", "x", {}, {}, {}});
    throw std::runtime_error("gave up");
  };
  B::on_conclude = [](const Study& study, StudySink& sink) {
    EXPECT_EQ(StudyView(study).value(kNone, "a.time"), std::nullopt);
    sink.finding({FindingRole::kEvidence, "t", "y", {}, {}, {}});
  };
  const QuestionResult result = world_.conclude();
  EXPECT_TRUE(is_empty(result.study_facts));
  EXPECT_EQ(world_.results[0].facts.size(), 3U);
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].analyzer, "b");
  ASSERT_EQ(result.skips.size(), 1U);
  EXPECT_EQ(result.skips[0].reason, "conclude failed: gave up");
  EXPECT_TRUE(result.skips[0].failed);
}

TEST_F(Concluding, FindingsAreOrderedAndEvidenceIsCopied) {
  add_reports();
  world_.add_linked(fixture::kA);
  world_.add_linked(fixture::kB);
  A::on_conclude = [](const Study& study, StudySink& sink) {
    const auto row = static_cast<std::int64_t>(*StudyView(study).fact(1, "a.time"));
    Effect effect{EffectKind::kLevel, Scope::kBetweenRun, "a.time", 30, 28, 32, 0.9, 3, "range"};
    sink.finding({FindingRole::kEvidence, "first", "f", effect, {{"size", "2"}}, {row}});
    sink.finding({FindingRole::kAnswer, "second", "s", {}, {}, {}});
  };
  B::on_conclude = [](const Study&, StudySink& sink) {
    Effect ratio{EffectKind::kRatio, Scope::kWithinRun, "a.time", 2, kNan, kNan, 0.95, 1, ""};
    Effect share = ratio;
    share.kind = EffectKind::kShare;
    sink.finding({FindingRole::kNote, "third", "t", ratio, {}, {}});
    sink.finding({FindingRole::kAnswer, "fourth", "f", share, {}, {}});
  };
  const std::vector<OwnedFinding> findings = world_.conclude().findings;
  ASSERT_EQ(findings.size(), 4U);
  EXPECT_EQ(findings[0].title, "second");
  EXPECT_EQ(findings[1].title, "fourth");
  EXPECT_EQ(findings[2].title, "first");
  EXPECT_EQ(findings[3].title, "third");
  EXPECT_EQ(findings[2].effect->unit, "ns");
  EXPECT_EQ(findings[2].effect->method, "range");
  EXPECT_EQ(findings[2].effect->level, 0.9);
  EXPECT_EQ(findings[3].effect->unit, "1");
  EXPECT_EQ(findings[1].effect->unit, "ratio");
  EXPECT_TRUE(equals(findings[2].labels, {std::pair<std::string, std::string>("size", "2")}));
  ASSERT_EQ(findings[2].evidence.size(), 1U);
  EXPECT_EQ(findings[2].evidence[0].report, "x/3.sqlite");
  EXPECT_EQ(findings[2].evidence[0].metric, "a.time");
  EXPECT_EQ(findings[2].evidence[0].value, 30);
}

TEST_F(Concluding, SkipsOfAllStagesAreMergedAndSorted) {
  add_reports();
  world_.add_linked(fixture::kA);
  world_.add_linked(fixture::kB);
  world_.results[1].skips = {{"x/2.sqlite", "", "unreadable", true}};
  world_.results[0].skips = {{"x/1.sqlite", "a", "no copies", false}, {"x/1.sqlite", "a", "no copies", false}};
  B::on_construct = [] { throw std::runtime_error("no"); };
  A::on_conclude = [](const Study&, StudySink& sink) {
    sink.skip(1, "unmatched");
    sink.skip(kNone, "too few");
  };
  std::vector<std::string> rows;
  for (const Skip& skip : world_.conclude().skips)
    rows.push_back(skip.report + "|" + skip.analyzer + "|" + skip.reason);
  EXPECT_TRUE(equals(rows, {"|a|too few", "|b|its constructor failed: no", "x/1.sqlite|a|no copies",
                            "x/2.sqlite||unreadable", "x/3.sqlite|a|unmatched"}));
}

TEST_F(Concluding, AWantedColumnThatNoReportHasIsLeftOut) {
  add_reports();
  world_.add_linked(fixture::kA);
  world_.results[0].absent = {{"a", "kernels.grid_x"}, {"a", "kernels.registers"}, {"b", "copies.bytes"}};
  world_.results[1].loaded = false;
  world_.results[2].absent = {{"a", "kernels.name"}, {"a", "kernels.registers"}};
  std::vector<std::string> rows;
  for (const Skip& skip : world_.conclude().skips)
    rows.push_back(skip.report + "|" + skip.analyzer + "|" + skip.reason);
  EXPECT_TRUE(equals(rows, {"|a|no profile has kernels.registers, which it would use"}));
}

TEST_F(Concluding, CompletenessLearnsFromReading) {
  world_.add_linked(fixture::kA);
  for (const char* name : {"0.sqlite", "1.sqlite", "2.sqlite", "3.sqlite", "4.sqlite"}) world_.add_report(name);
  world_.catalog.questions[0].entries[4].labels = {{0, "0", 0, LabelOrigin::kName}};  // a replicate of the first
  world_.question.matrix = {{{{"size", {"0", "1", "2", "9"}}}}};
  Completeness& found = world_.catalog.questions[0].completeness;
  found.expected = 4;
  found.present = 3;
  found.missing = {{{{"size", "9"}}}};
  found.unexpected = {"3.sqlite"};
  const auto fail = [&](std::size_t report) {
    world_.results[report].loaded = false;
    world_.results[report].skips = {{world_.catalog.files[report].name, "", "truncated", true}};
  };
  fail(0);  // but 4.sqlite stands for the same cell
  fail(1);  // nothing else does
  fail(3);  // is in no cell
  world_.results[2].lacking = true;
  const Completeness completeness = world_.conclude().completeness;
  EXPECT_EQ(completeness.expected, 4U);
  EXPECT_EQ(completeness.present, 2U);
  ASSERT_EQ(completeness.missing.size(), 2U);
  EXPECT_EQ(completeness.missing[0].labels[0].second, "1") << "in the order of the TOML";
  EXPECT_EQ(completeness.missing[1].labels[0].second, "9");
  EXPECT_TRUE(equals(completeness.unreadable, {"0.sqlite", "1.sqlite", "3.sqlite"}));
  EXPECT_TRUE(equals(completeness.lacking, {"2.sqlite"}));
}

}  // namespace assay::conclude_test
