// Reports of several devices or drivers in one study: kept apart by labels that nobody declares, and said first.
#include "assay/algo/matching.hpp"
#include "assay/detail/noise.hpp"
#include "concluding.hpp"
#include "support/test.hpp"

namespace assay::mixture_test {

using fixture::A;
using fixture::Concluding;

class Mixture : public Concluding {
 protected:
  Mixture() { world_.question.answered_by = {"a"}; }  // else what was measured would be the answer

  /// A report with what it says of itself; of an empty text it says nothing.
  void add(const std::string& name, const std::string& device, const std::string& driver, double time = 10) {
    world_.add_report(name);
    ReportResult& result = world_.results.back();
    result.facts = {{"a.time", "", time, {}}};
    if (!device.empty()) result.attributes.push_back({"device", device});
    if (!driver.empty()) result.attributes.push_back({"driver", driver});
    result.attributes.push_back({"fingerprint", "same"});
  }
  /// Gives all reports the same declared label.
  void name_alike() {
    for (CatalogEntry& entry : world_.catalog.questions[0].entries) entry.labels = {{0, "1", 1, LabelOrigin::kName}};
  }
  /// An option of the analyzer that names a label.
  void name_label(OptionType type, const std::string& label) {
    OptionSet::Entry entry{"label", type, true, label};
    if (type != OptionType::kLabel) entry.value = std::vector<std::string>{label};
    std::vector<OptionSet::Entry> entries;
    entries.push_back(std::move(entry));
    std::vector<PlannedAnalyzer>& analyzers = world_.plan.questions.front().analyzers;
    const Plugin* plugin = analyzers.front().plugin;
    analyzers.clear();
    analyzers.push_back({plugin, OptionSet(std::move(entries)), {}});
  }
  /// Names of the study's labels, as an analyzer sees them.
  std::vector<std::string> labels() {
    std::vector<std::string> names;
    A::on_conclude = [&](const Study& study, StudySink&) {
      names.clear();
      for (const Str name : study.labels->name) names.emplace_back(name.view());
    };
    world_.conclude();
    A::reset();  // it refers to `names`
    return names;
  }
};

TEST_F(Mixture, ReportsOfOneDeviceHaveNoLabelMore) {
  world_.add_linked(fixture::kA);
  add("1", "H100", "");
  add("2", "H100", "");
  EXPECT_TRUE(equals(labels(), {"size", "host"}));
  EXPECT_TRUE(is_empty(world_.conclude().findings));
}

TEST_F(Mixture, RunsOfSeveralDevicesAreNeverPaired) {
  world_.add_linked(fixture::kA);
  add("1", "H100", "570");
  add("2", "H200", "580");
  EXPECT_TRUE(equals(labels(), {"size", "host", "device", "driver"}));
  A::on_conclude = [&](const Study& study, StudySink&) {
    const StudyView view(study);
    EXPECT_EQ(view.label_text(0, "device"), "H100");
    EXPECT_EQ(view.label_text(1, "device"), "H200");
    EXPECT_EQ(study.label_values->origin[*view.label_value(0, *view.label("device"))], LabelOrigin::kReport);
    const Matching matching = match_pairs(view, "size", "0", "1");
    EXPECT_TRUE(is_empty(matching.strata));
    ASSERT_EQ(matching.unmatched.size(), 2U);
  };
  const QuestionResult result = world_.conclude();
  ASSERT_EQ(result.findings.size(), 2U);
  EXPECT_EQ(result.findings[0].analyzer, "");
  EXPECT_EQ(result.findings[0].title, "Several devices: H100 (1 profile, 1) and H200 (1 profile, 2)");
  EXPECT_TRUE(contains(result.findings[0].text, "never paired"));
  EXPECT_TRUE(contains(result.findings[1].title, "Several drivers"));
}

TEST_F(Mixture, DistinguishesUnknownFromKnownDevices) {
  world_.add_linked(fixture::kA);
  add("1", "H100", "");
  add("2", "", "");
  add("3", "", "");
  EXPECT_TRUE(equals(labels(), {"size", "host", "device"}));
  A::on_conclude = [&](const Study& study, StudySink&) {
    EXPECT_TRUE(is_empty(match_pairs(StudyView(study), "size", "0", "1").strata));
    EXPECT_EQ(match_pairs(StudyView(study), "size", "1", "2").strata.size(), 1U) << "two that say nothing, as is said";
  };
  EXPECT_EQ(world_.conclude().findings.front().title,
            "Not every profile records its device: H100 (1 profile, 1) and not known (2 profiles, such as 2)");
}

TEST_F(Mixture, TheDeviceCanBeWhatIsCompared) {
  world_.add_linked(fixture::kA);
  add("1", "H100", "570", 20);
  add("2", "H200", "580", 10);
  name_alike();
  name_label(OptionType::kLabel, "device");
  EXPECT_TRUE(equals(labels(), {"size", "host", "device"})) << "another device has another driver";
  A::on_conclude = [&](const Study& study, StudySink&) {
    EXPECT_EQ(match_pairs(StudyView(study), "device", "H100", "H200").strata.size(), 1U);
  };
  EXPECT_TRUE(contains(world_.conclude().findings.front().text, "what the question compares"));
}

TEST_F(Mixture, TheQuestionMayCompareAcrossDevices) {
  world_.add_linked(fixture::kA);
  world_.question.across = {"device"};
  add("1", "H100", "570");
  add("2", "H200", "580");
  EXPECT_TRUE(equals(labels(), {"size", "host"}));
  A::on_conclude = [&](const Study& study, StudySink&) {
    EXPECT_EQ(match_pairs(StudyView(study), "size", "0", "1").strata.size(), 1U);
  };
  const QuestionResult result = world_.conclude();
  ASSERT_EQ(result.findings.size(), 2U) << "it is said all the same";
  EXPECT_TRUE(contains(result.findings.front().text, "They are compared anyway"));
}

TEST_F(Mixture, AConditionOnADeviceHasItsLabel) {
  world_.add_linked(fixture::kA);
  add("1", "H100", "");
  add("2", "H100", "");
  name_label(OptionType::kConditionList, "device=H100");
  EXPECT_TRUE(equals(labels(), {"size", "host", "device"}));
}

TEST_F(Mixture, ReportsThatWereNotReadAndCudaAreNotStratum) {
  world_.add_linked(fixture::kA);
  add("1", "H100", "");
  add("2", "H100", "");
  add("3", "H200", "");
  world_.results[2].loaded = false;
  world_.results[0].attributes.push_back({"cuda", "12.8"});
  EXPECT_TRUE(equals(labels(), {"size", "host"}));
  EXPECT_TRUE(contains(world_.conclude().findings.front().title, "CUDA version"));
}

TEST_F(Mixture, TheFindingsOfTheHostStandBeforeAnswers) {
  world_.add_linked(fixture::kA);
  add("1", "H100", "");
  add("2", "H200", "");
  A::on_conclude = [&](const Study&, StudySink& sink) {
    Finding finding;
    finding.role = FindingRole::kAnswer;
    finding.title = "Yes";
    finding.text = "They do.";
    sink.finding(finding);
  };
  const QuestionResult result = world_.conclude();
  ASSERT_EQ(result.findings.size(), 2U);
  EXPECT_EQ(result.findings[0].analyzer, "");
  EXPECT_EQ(result.findings[1].title, "Yes");
}

TEST_F(Mixture, FormatsAreKeptApartAndSaidOnce) {
  world_.add_linked(fixture::kA);
  const auto of = [&](const std::string& name, const std::string& format, const std::string& profiler) {
    add(name, "H100", "");
    world_.results.back().attributes.push_back({"format", format});
    world_.results.back().attributes.push_back({"profiler", profiler});
  };
  of("1", "nsys", "Nsight Systems");
  of("2", "nsys", "Nsight Systems");
  of("3", "torch", "PyTorch profiler");
  EXPECT_TRUE(equals(labels(), {"size", "host", "format"}));
  const QuestionResult result = world_.conclude();
  ASSERT_EQ(result.findings.size(), 1U) << "not of the profilers too, which follow from it";
  EXPECT_EQ(result.findings[0].title, "Several formats: nsys (2 profiles, such as 1) and torch (1 profile, 3)");
  EXPECT_TRUE(contains(result.findings[0].text, "never paired, pooled or treated as repeat runs"));
}

/// Runs of one program on two devices differ by the devices, which is no noise.
TEST_F(Mixture, DoesNotCountDevicesAsNoise) {
  world_.add_linked(fixture::kA);
  add("1", "H100", "", 10);
  add("2", "H100", "", 10.1);
  add("3", "H200", "", 5);
  add("4", "H200", "", 5.05);
  name_alike();
  A::on_conclude = [&](const Study& study, StudySink&) {
    const NoiseFloor floor = noise_floor(StudyView(study), "a.time", "", "size");
    EXPECT_EQ(floor.groups, 2U);
    EXPECT_LT(floor.largest_ratio, 1.02);
  };
  world_.conclude();
}

}  // namespace assay::mixture_test
