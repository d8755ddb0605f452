#include "assay/testing/recorder.hpp"

#include "assay/testing/study_builder.hpp"
#include "support/test.hpp"

namespace assay::testing::unit_recorder_test {

struct Author {
  static constexpr MetricSpec kProduces[] = {{"m", "ns", Polarity::kNeutral, "A metric."}};
  static constexpr AttributeSpec kAttributes[] = {{"fingerprint", "A text."}};
};

TEST(Recorder, KeepsFactsWithCanonicalDims) {
  Recorder recorder(DeclaredOutputs::of<Author>());
  ReportSink& sink = recorder;
  sink.fact("m", 1.5, {{"z", "1"}, {"a", "x;y"}});
  const std::vector<double> samples = {1, 2};
  sink.fact("m", 2, samples);
  EXPECT_EQ(recorder.value("m", "a=x%3By;z=1"), 1.5);
  EXPECT_EQ(recorder.fact_of("m")->samples, samples);
  EXPECT_EQ(recorder.value("m", "a=1"), std::nullopt);
}

TEST(Recorder, RefusesWhatTheHostRefuses) {
  Recorder recorder(DeclaredOutputs::of<Author>());
  ReportSink& sink = recorder;
  EXPECT_THROW(sink.fact("undeclared", 1), EmitError);
  EXPECT_THROW(sink.fact("m", std::nan("")), EmitError);
  EXPECT_THROW(sink.fact("m", 1, std::vector<double>{1, std::numeric_limits<double>::infinity()}), EmitError);
  sink.fact("m", 1);
  EXPECT_THROW(sink.fact("m", 1), EmitError);
  EXPECT_THROW(sink.fact("m", 1, {{"k", "1"}, {"k", "2"}}), EmitError);
  EXPECT_THROW(sink.fact("m", 1, {{"", "1"}}), EmitError);
  EXPECT_THROW(sink.attribute("undeclared", "x"), EmitError);
  sink.attribute("fingerprint", "x");
  EXPECT_THROW(sink.attribute("fingerprint", "y"), EmitError);
  EXPECT_EQ(recorder.facts.size(), 1U);
}

TEST(Recorder, ChecksRowsAgainstTheStudy) {
  StudyBuilder s;
  s.report("a").fact("x", 1);
  s.claim("c", "So it is.", {});
  const Study& study = s.build();
  Recorder recorder(DeclaredOutputs::of<Author>(), &study);
  StudySink& sink = recorder;
  sink.report_fact(0, "m", 3);
  EXPECT_THROW(sink.report_fact(1, "m", 3), EmitError);
  EXPECT_EQ(recorder.value("m", "", 0), 3);

  Finding finding;
  finding.title = "t";
  finding.text = "why";
  finding.effect = Effect{};
  finding.effect->metric = "x";
  finding.labels = {{"dim", "384"}};
  finding.evidence = {0};
  sink.finding(finding);
  EXPECT_EQ(recorder.findings.at(0).effect->metric, "x");
  EXPECT_EQ(recorder.findings.at(0).labels.at(0).second, "384");
  finding.evidence = {5};
  EXPECT_THROW(sink.finding(finding), EmitError);

  StratumVerdict stratum;
  stratum.verdict = Verdict::kSupported;
  stratum.effect = Effect{};
  stratum.method = "by eye";
  sink.verdict(0, Verdict::kSupported, "because", std::vector{stratum});
  EXPECT_EQ(recorder.verdicts.at(0).strata.at(0).effect->method, "by eye");
  EXPECT_THROW(sink.verdict(0, Verdict::kRefuted, "again", {}), EmitError);
  EXPECT_THROW(sink.verdict(1, Verdict::kRefuted, "no such claim", {}), EmitError);
}

TEST(Recorder, KeepsTablesAndRefusesRaggedOnes) {
  Recorder recorder;
  ReportSink& sink = recorder;
  Table table("summary", "A table");
  table.add("name", "", std::vector<std::string>{"a", "b"});
  table.add("count", "1", std::vector<std::int64_t>{1, 2});
  sink.table(table);
  ASSERT_NE(recorder.table_of("summary"), nullptr);
  EXPECT_EQ(recorder.table_of("summary")->column("count")->integers[1], 2);
  EXPECT_EQ(recorder.table_of("summary")->column("missing"), nullptr);
  EXPECT_THROW(sink.table(table), EmitError);
  Table ragged("ragged", "A table");
  ragged.add("a", "", std::vector<double>{1});
  ragged.add("b", "", std::vector<double>{1, 2});
  EXPECT_THROW(sink.table(ragged), EmitError);
}

TEST(Recorder, KeepsTextFilesAndRefusesWhatTheHostRefuses) {
  StudyBuilder s;
  s.report("a").fact("x", 1);
  const Study& study = s.build();
  Recorder recorder(DeclaredOutputs::of<Author>(), &study);
  StudySink& sink = recorder;
  sink.text_file(0, "_of.txt", "content");
  EXPECT_EQ(*recorder.text_file_of(0, "_of.txt"), "content");
  EXPECT_EQ(recorder.text_file_of(0, ".txt"), nullptr);
  EXPECT_THROW(sink.text_file(0, "_of.txt", "again"), EmitError);
  EXPECT_THROW(sink.text_file(1, ".txt", "no such report"), EmitError);
  EXPECT_THROW(sink.text_file(kNone, ".txt", "of no report"), EmitError);
  for (const std::string& suffix : {std::string(), std::string("/x"), std::string("a b"), std::string(101, 'x')}) {
    EXPECT_THROW(sink.text_file(0, suffix, "not a suffix"), EmitError) << suffix;
  }
}

TEST(Recorder, KeepsSkipsIssuesAndFailures) {
  Recorder recorder;
  ReportSink& sink = recorder;
  sink.ratio("m", 1, 0, "window");
  sink.emit_issue("odd", Severity::kWarning, 3, "Something is odd.");
  static_cast<StudySink&>(recorder).skip(2, "left out");
  static_cast<ErrorSink&>(recorder).fail("It failed.");
  EXPECT_EQ(recorder.skip_of("m"), "window is 0");
  EXPECT_EQ(recorder.skips.at(1).report, 2);
  EXPECT_EQ(recorder.issues.at(0).count, 3);
  EXPECT_EQ(recorder.failures.at(0), "It failed.");
}

}  // namespace assay::testing::unit_recorder_test
