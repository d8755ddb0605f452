#include "render/stored_results.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "sample_run.hpp"
#include "scratch_folder.hpp"

namespace assay::testing {
namespace {

using ::testing::HasSubstr;

class StoredResults : public ::testing::Test {
 protected:
  StoredResults() { fill(sample); }
  void write() { ASSERT_TRUE(write_outputs(sample.run, folder.path())); }

  ScratchFolder folder;
  SampleRun sample;
};

TEST_F(StoredResults, PrintWhatTheRunPrinted) {
  write();
  const auto questions = read_results(folder.path(), false);
  ASSERT_TRUE(questions) << questions.error().sentence;
  std::vector<SummaryInput> inputs;
  for (const StoredQuestion& question : *questions) inputs.push_back(question.summary());
  for (const bool whole : {false, true}) {
    TerminalStyle style;
    style.whole = whole;
    std::ostringstream then, now;
    print_summary(sample.run, then, style);
    print_summary(inputs, now, style);
    EXPECT_FALSE(then.str().empty());
    EXPECT_EQ(then.str(), now.str());
  }
}

TEST_F(StoredResults, HaveTheFactsOfTheirReports) {
  sample.report(0, 0).facts = {{"a.time_ns", "", 1.5, {1, 2}}, {"b.ratio", "k=v", 0.25, {}}};
  write();
  const auto questions = read_results(folder.path(), true);
  ASSERT_TRUE(questions) << questions.error().sentence;
  const std::vector<Fact>& facts = questions->front().reports.front().facts;
  ASSERT_EQ(facts.size(), 2U);
  EXPECT_EQ(facts[0].metric, "a.time_ns");
  EXPECT_EQ(facts[0].value, 1.5);
  EXPECT_EQ(facts[1].dims, "k=v");
  EXPECT_EQ(facts[1].value, 0.25);
}

TEST_F(StoredResults, KeepWhoWasNotBelievedAndWhichLabelsAreRanks) {
  sample.report(0, 1).doubt = "its label depth is contradicted by the trace";
  sample.first_question().labels.labels[0].rank = true;
  write();
  const auto questions = read_results(folder.path(), false);
  ASSERT_TRUE(questions) << questions.error().sentence;
  EXPECT_EQ(questions->front().reports[0].doubt, "");
  EXPECT_EQ(questions->front().reports[1].doubt, "its label depth is contradicted by the trace");
  EXPECT_TRUE(questions->front().labels[0].rank);
}

TEST_F(StoredResults, AFolderWithoutResultsIsSaid) {
  const auto questions = read_results(folder.path() / "nothing", false);
  ASSERT_FALSE(questions);
  EXPECT_THAT(questions.error().sentence, HasSubstr("expected a folder that 'assay run -o' wrote"));
}

TEST_F(StoredResults, AnotherDatabaseOrVersionIsRefused) {
  std::ofstream(folder.path() / "results.sqlite") << "not a database at all, but long enough to be looked at";
  auto questions = read_results(folder.path(), false);
  ASSERT_FALSE(questions);
  EXPECT_THAT(questions.error().sentence, HasSubstr("cannot be read as results of assay"));
  std::ofstream(folder.path() / "results.sqlite", std::ios::trunc);
  questions = read_results(folder.path(), false);
  ASSERT_FALSE(questions);
  EXPECT_THAT(questions.error().sentence, HasSubstr("was not written by this version"));
}

TEST_F(StoredResults, ATruncatedFileIsRefusedInASentence) {
  write();
  const auto file = folder.path() / "results.sqlite";
  const auto size = std::filesystem::file_size(file);
  for (std::uintmax_t kept = size / 8; kept < size; kept += size / 8) {
    std::filesystem::copy_file(file, folder.path() / "cut.sqlite", std::filesystem::copy_options::overwrite_existing);
    std::filesystem::resize_file(folder.path() / "cut.sqlite", kept);
    const auto questions = read_results(folder.path() / "cut.sqlite", true);
    ASSERT_FALSE(questions) << kept << " of " << size << " bytes";
    EXPECT_THAT(questions.error().sentence, HasSubstr("run 'assay run' again"));
  }
}

}  // namespace
}  // namespace assay::testing
