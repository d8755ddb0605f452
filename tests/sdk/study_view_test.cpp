// Every look-up of StudyView against a search through all rows.
#include "assay/detail/random.hpp"
#include "assay/testing/study_builder.hpp"
#include "support/test.hpp"

namespace assay::study_view_test {

using testing::StudyBuilder;

class StudyViewTest : public ::testing::Test {
 protected:
  StudyViewTest() {
    Random random("study view");
    s_.label("dim", StudyBuilder::kNumeric).label("px", StudyBuilder::kNumeric).label("mode");
    for (int r = 0; r < 12; ++r) {
      StudyBuilder::LabelValues labels;
      for (const char* label : {"dim", "px", "mode"}) {
        if (random.index(4) != 0) labels.emplace_back(label, std::to_string(random.index(5)));
      }
      auto& report = s_.report(std::string("r").append(std::to_string(r)), labels);
      for (const char* metric : {"a", "a.b", "b", "z"}) {
        for (const char* dims : {"", "k=1", "k=2"}) {
          if (random.index(3) != 0)
            report.fact(metric, random.uniform(), dims, std::vector<double>(random.index(4), 1.0));
        }
      }
      if (random.index(2) != 0) report.attribute("fingerprint", std::to_string(r)).attribute("other", "x");
    }
    s_.fact("b", 7).fact("b", 8, "k=1");
  }
  StudyBuilder s_;
};

TEST_F(StudyViewTest, FactsByReportMetricAndDims) {
  const Study& study = s_.build();
  const StudyView view(study);
  const FactTable& f = *study.facts;
  for (Row r = kNone; r < static_cast<Row>(view.report_count()); ++r) {
    for (const char* metric : {"a", "a.b", "b", "z", "missing"}) {
      std::vector<std::size_t> of_metric, visited;
      for (const char* dims : {"", "k=1", "k=2", "k=3"}) {
        std::optional<std::size_t> expected;
        for (std::size_t i = 0; i < f.rows; ++i) {
          if (f.report[i] == r && study.metrics->id[f.metric[i]] == metric && f.dims[i] == dims) expected = i;
        }
        ASSERT_EQ(view.fact(r, metric, dims), expected) << r << " " << metric << " " << dims;
        ASSERT_EQ(view.value(r, metric, dims).has_value(), expected.has_value());
        if (expected) {
          EXPECT_EQ(*view.value(r, metric, dims), f.value[*expected]);
          EXPECT_EQ(view.samples(*expected).size(), f.sample_end[*expected] - f.sample_begin[*expected]);
          of_metric.push_back(*expected);
        }
      }
      view.each_fact(r, metric, [&](std::size_t i) { visited.push_back(i); });
      EXPECT_EQ(visited, of_metric);
    }
  }
}

TEST_F(StudyViewTest, LabelsAndAttributes) {
  const Study& study = s_.build();
  const StudyView view(study);
  EXPECT_EQ(view.label("px"), 1U);
  EXPECT_EQ(view.label("nothing"), std::nullopt);
  for (std::size_t r = 0; r < view.report_count(); ++r) {
    for (std::size_t l = 0; l < study.labels->rows; ++l) {
      std::optional<std::size_t> expected;
      for (std::size_t i = 0; i < study.label_values->rows; ++i) {
        if (study.label_values->report[i] == r && study.label_values->label[i] == l) expected = i;
      }
      ASSERT_EQ(view.label_value(r, l), expected);
      EXPECT_EQ(view.label_text(r, study.labels->name[l]), expected ? study.label_values->text[*expected].view() : "");
    }
    std::optional<std::string_view> expected;
    for (std::size_t i = 0; i < study.attributes->rows; ++i) {
      if (study.attributes->report[i] == r && study.attributes->name[i] == "fingerprint")
        expected = study.attributes->value[i].view();
    }
    EXPECT_EQ(view.attribute(r, "fingerprint"), expected);
    EXPECT_EQ(view.attribute(r, "missing"), std::nullopt);
  }
}

TEST_F(StudyViewTest, AnEmptyStudyAnswersNothing) {
  StudyBuilder empty;
  const StudyView view(empty.build());
  EXPECT_EQ(view.report_count(), 0U);
  EXPECT_EQ(view.fact(kNone, "a"), std::nullopt);
  EXPECT_EQ(view.metric("a"), std::nullopt);
}

}  // namespace assay::study_view_test
