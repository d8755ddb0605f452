// Rows of facts against what is said of them, worked out row by row from all pairs.
#include "render/fact_rows.hpp"

#include <random>

#include "sample_run.hpp"
#include "support/test.hpp"

namespace assay::fact_rows_test {

using testing::SampleRun;

std::string written(const FactRow& row) {
  return std::string(row.report) + '|' + row.fact->metric + '|' + row.dims() + '|' + std::string(row.unit) + '|' +
         std::to_string(row.fact->value);
}

std::vector<std::string> written(const FactRows& rows) {
  std::vector<std::string> lines;
  for (const FactRow row : rows) lines.push_back(written(row));
  return lines;
}

/// A fact with what it belongs to.
struct Belonging {
  std::size_t question;
  std::string report;
  const Fact* fact;

  [[nodiscard]] bool same_place(const Belonging& other) const {
    return report == other.report && fact->metric == other.fact->metric && fact->dims == other.fact->dims;
  }
  [[nodiscard]] bool agrees(const Belonging& other) const {
    return fact->value == other.fact->value && fact->samples == other.fact->samples;
  }
};

std::vector<Belonging> all_facts(const SampleRun& sample) {
  std::vector<Belonging> all;
  for (const QuestionRun& question : sample.run.each_question()) {
    for (const Fact& fact : question.result.study_facts) all.push_back({question.number, "", &fact});
    for (const ReportRun& report : question.reports) {
      for (const Fact& fact : report.result.facts) all.push_back({question.number, report.file.name, &fact});
    }
  }
  return all;
}

/// Dims that sort before, around and behind `question=`.
const std::vector<std::string> kDims = {"", "a=1", "a=1;z=1", "q=1", "questions=1", "z=0", "z=1"};

std::string with_question(const std::string& dims, std::size_t question) {
  const std::string added = "question=q" + std::to_string(question);
  if (dims == "a=1;z=1") return "a=1;" + added + ";z=1";
  if (dims.empty()) return added;
  return dims < "question" ? dims + ';' + added : added + ';' + dims;
}

/// What the row of a fact says its dims are: with the question where another question says otherwise.
std::string dims_of(const Belonging& fact, const std::vector<Belonging>& all, std::size_t questions) {
  const bool apart = (fact.report.empty() && questions > 1) ||
                     std::any_of(all.begin(), all.end(),
                                 [&](const auto& other) { return fact.same_place(other) && !fact.agrees(other); });
  return apart ? with_question(fact.fact->dims, fact.question) : fact.fact->dims;
}

void fill_by_chance(SampleRun& sample, std::size_t questions, std::mt19937_64& random) {
  const auto facts = [&] {
    std::vector<Fact> some;
    for (const char* metric : {"a.time_ns", "b.ratio"}) {
      for (const std::string& dims : kDims) {
        if (random() % 3 == 0) continue;
        some.push_back({metric, dims, static_cast<double>(random() % 2), {}});
        if (random() % 2 == 0) some.back().samples = {static_cast<double>(random() % 2)};
      }
    }
    return some;
  };
  for (const char* name : {"r/0", "r/1", "s"}) sample.add_file(name);
  for (std::size_t q = 0; q < questions; ++q) {
    sample.add_question();
    for (std::size_t e = 0; e < 3; ++e) {
      if (random() % 4 != 0) sample.report(q, e).facts = facts();
    }
    sample.result(q).study_facts = facts();
  }
}

TEST(FactRows, AreWhatTheFactsOfAllPairsSay) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 200; ++round) {
    SampleRun sample;
    const std::size_t questions = 1 + random() % 4;
    fill_by_chance(sample, questions, random);
    const std::vector<Belonging> all = all_facts(sample);
    const FactRows rows(sample.run);
    std::vector<std::tuple<std::string, std::string, std::string, double>> expected, seen;
    for (const Belonging& one : all)
      expected.emplace_back(one.report, one.fact->metric, dims_of(one, all, questions), one.fact->value);
    std::sort(expected.begin(), expected.end());
    expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
    for (const FactRow row : rows) seen.emplace_back(row.report, row.fact->metric, row.dims(), row.fact->value);
    ASSERT_EQ(seen, expected) << "round " << round;
    for (const Belonging& one : all) {
      const std::size_t place =
          rows.row_of(one.report, one.fact->metric, one.fact->dims, "q" + std::to_string(one.question));
      ASSERT_LT(place, rows.size());
      EXPECT_EQ(rows[place].report, one.report);
      EXPECT_EQ(rows[place].fact->metric, one.fact->metric);
      EXPECT_EQ(rows[place].dims(), dims_of(one, all, questions));
    }
    for (const char* report : {"", "r", "r/0", "t"})
      EXPECT_EQ(rows.row_of(report, "b.none", "", "q0"), rows.size()) << "no such metric";
    EXPECT_EQ(rows.row_of("t", "a.time_ns", "", "q0"), rows.size()) << "no such report";
    EXPECT_EQ(rows.row_of("r/0", "a.time_ns", "b=1", "q0"), rows.size()) << "no such dims";
  }
}

TEST(FactRows, OnlyKeepsTheWantedRowsAndFindsThem) {
  SampleRun sample;
  for (const char* name : {"a", "b", "c", "d"}) sample.add_file(name);
  sample.add_question();
  for (const std::size_t e : {0U, 2U, 3U})
    sample.report(0, e).facts = {{"a.time_ns", "", 1, {}}, {"b.ratio", "", 2, {}}};
  sample.result(0).study_facts = {{"c.count", "", 3, {}}};
  const FactRows all(sample.run);  // of the study one, of a, c and d two each
  std::vector<bool> wanted(all.size(), true);
  wanted[3] = wanted[4] = false;
  const FactRows chosen = all.only(wanted);
  EXPECT_TRUE(equals(written(chosen), {"|c.count||1|3.000000", "a|a.time_ns||ns|1.000000", "a|b.ratio||ratio|2.000000",
                                       "d|a.time_ns||ns|1.000000", "d|b.ratio||ratio|2.000000"}))
      << "b has no facts, and those of c are not wanted";
  EXPECT_EQ(chosen.row_of("d", "b.ratio", "", "q0"), 4U);
  EXPECT_EQ(chosen.row_of("c", "b.ratio", "", "q0"), chosen.size());
}

}  // namespace assay::fact_rows_test
