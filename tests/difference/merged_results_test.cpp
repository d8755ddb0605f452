// What `assay compare` concludes from: two stored results made one.
#include "difference/merged_results.hpp"

#include "conclude/study_tables.hpp"
#include "support/test.hpp"

namespace assay::merged_results_test {

StoredReport report(const std::string& name, const std::string& batch) {
  StoredReport out;
  out.name = name;
  out.loaded = true;
  if (!batch.empty()) out.labels = {{"batch", batch}};
  out.attributes = {{"fingerprint", "of batch " + batch}};
  out.facts = {{"time_ns", "", 100, {}}};
  return out;
}

/// Two believed runs of batch 1 and one that says batch 4 and is not; one of the [noise] whose name says nothing.
StoredQuestion stored() {
  StoredQuestion question;
  question.id = "q";
  question.labels = {{"batch", true, false, false}};
  question.reports = {report("a", "1"), report("b", "1"), report("c", "4"), report("n", "")};
  question.reports[2].doubt = "its label batch is contradicted by the trace";
  question.reports[2].facts = {{"label.verdict", "label=batch;verdict=contradicted", 1, {}}, {"time_ns", "", 100, {}}};
  question.reports[3].role = ReportRole::kNoise;
  question.result.metrics = {{"label.verdict", "1", "", "label_check", Polarity::kNeutral},
                             {"time_ns", "ns", "", "x", Polarity::kLowerIsBetter}};
  return question;
}

class MergedFolders : public ::testing::Test {
 protected:
  /// The study that analyzers see of two such results.
  const Study& study(const std::vector<std::string>& metrics) {
    const StoredQuestion question = stored();
    std::vector<Measurement> results = {{&question, kBefore}, {&question, kAfter}};
    for (const char* side : more_) results.push_back({&question, side});
    merged_ = merge(results, metrics);
    planned_.question = &merged_.question;
    tables_.emplace(AnalyzedQuestion{planned_, merged_.catalog, merged_.catalog.questions.front(), merged_.reports},
                    no_sheets_, merged_.metrics);
    tables_->set_facts({}, merged_.reports);
    return tables_->study();
  }
  std::vector<const char*> more_;
  MergedResults merged_;
  PlannedQuestion planned_;
  std::vector<OwnedSheet> no_sheets_;
  std::optional<StudyTables> tables_;
};

TEST_F(MergedFolders, ARunThatWasNotBelievedIsNotBelievedAgain) {
  for (const std::vector<std::string>& metrics : {std::vector<std::string>{}, {"time_ns"}}) {
    const StudyView view(study(metrics));
    ASSERT_EQ(view.report_count(), 8U);
    for (std::size_t r = 0; r < view.report_count(); ++r) {
      EXPECT_EQ(view.believed(r), !view.path(r).ends_with("/c")) << view.path(r);
    }
    EXPECT_EQ(view.participants().size(), 4U) << "also where --metric leaves out what label_check said";
  }
}

TEST_F(MergedFolders, EachResultOfASideIsAMeasurementAndOthersTellOnlyOfNoise) {
  more_ = {kBefore, kNoise, kNoise};
  const StudyView view(study({}));
  std::map<std::string, std::size_t> noise, question;
  for (std::size_t r = 0; r < view.report_count(); ++r)
    ++(view.is_noise(r) ? noise : question)[std::string(view.label_text(r, "measurement"))];
  EXPECT_EQ(question, (std::map<std::string, std::size_t>{{"after", 3}, {"before", 3}, {"before 2", 3}}));
  EXPECT_EQ(noise["noise"], 2U) << "neither the one that is not believed nor the [noise] of that result";
  EXPECT_EQ(noise["noise 2"], 2U);
}

TEST_F(MergedFolders, NoiseWithoutANameIsNotAVariantOfItsOwn) {
  const StudyView view(study({}));
  for (std::size_t r = 0; r < view.report_count(); ++r) {
    if (!view.is_noise(r)) continue;
    EXPECT_EQ(view.label_text(r, "report"), "") << view.path(r);
  }
}

}  // namespace assay::merged_results_test
