// Which shard reads which report, and what a part keeps.
#include "shards/catalog_bytes.hpp"
#include "shards/cut.hpp"
#include "support/kinds.hpp"
#include "support/test.hpp"

namespace assay::shards_test {

/// A question over reports of given sizes; `rank` of a name "job3_rank1" is in its environment.
struct Campaign {
  Question question;
  Plan plan;
  Catalog catalog;

  explicit Campaign(const std::vector<std::pair<std::string, std::uint64_t>>& files) {
    question.id = "q";
    plan.questions.emplace_back().question = &question;
    QuestionCatalog& found = catalog.questions.emplace_back();
    for (const auto& [name, size] : files) {
      FoundFile file;
      file.name = name;
      file.kind = kind::kNsys;
      file.size = size;
      if (const std::size_t at = name.find("_rank"); at != std::string::npos)
        file.environment = {{"rank", name.substr(at + 5)}, {"world_size", "4"}};
      CatalogEntry entry{};
      entry.file = catalog.files.size();
      found.entries.push_back(entry);
      catalog.files.push_back(std::move(file));
    }
  }
};

TEST(Cut, EveryReportIsInOneShardAndShardsAreEvenlyFilled) {
  std::vector<std::pair<std::string, std::uint64_t>> files;
  for (int i = 0; i < 100; ++i) files.emplace_back("r" + std::to_string(100 + i), 50 + static_cast<std::uint64_t>(i));
  const Campaign campaign(files);
  const std::vector<std::uint64_t> shard = cut(campaign.plan, campaign.catalog, 7);
  ASSERT_EQ(shard.size(), files.size());
  std::vector<std::uint64_t> bytes(8);
  for (std::size_t f = 0; f < files.size(); ++f) {
    ASSERT_GE(shard[f], 1U);
    ASSERT_LE(shard[f], 7U);
    bytes[shard[f]] += files[f].second;
  }
  const auto [least, most] = std::minmax_element(bytes.begin() + 1, bytes.end());
  EXPECT_LE(*most - *least, 150U) << "one report's size";
}

TEST(Cut, GoesBetweenJobsOfSeveralRanksNeverInside) {
  std::vector<std::pair<std::string, std::uint64_t>> files;
  for (int job = 0; job < 9; ++job) {
    for (int rank = 0; rank < 4; ++rank)
      files.emplace_back("n" + std::to_string(job) + "/run_rank" + std::to_string(rank), 100);
  }
  const Campaign campaign(files);
  for (const std::uint64_t shards : {2U, 5U, 9U, 20U}) {
    const std::vector<std::uint64_t> shard = cut(campaign.plan, campaign.catalog, shards);
    std::set<std::uint64_t> used;
    for (std::size_t f = 0; f < files.size(); ++f) {
      EXPECT_EQ(shard[f], shard[f - f % 4]) << files[f].first;
      used.insert(shard[f]);
    }
    EXPECT_EQ(used.size(), std::min<std::uint64_t>(shards, 9)) << shards;
  }
}

TEST(ShardNumber, IsReadAndRefused) {
  EXPECT_EQ(shard_number("2/4"), (ShardNumber{2, 4}));
  for (const char* text : {"", "/", "5/3", "0/3", "2", "2/", "/4", "a/4", "2/4 ", "-1/4", "1/99999999"})
    EXPECT_FALSE(shard_number(text)) << text;
}

/// A study in which every member has a value.
FoundStudy full_study() {
  FoundStudy study;
  FoundFile file;
  file.name = "a/b.sqlite";
  file.path = "/somewhere/a/b.sqlite";
  file.kind = kind::kTorch;
  file.size = 12;
  file.problem = "none";
  file.environment = {{"device", "H200"}};
  study.catalog.files = {file, file};
  QuestionCatalog question;
  const LabelOfReport label{1, "768", 768.5, LabelOrigin::kResults};
  question.entries.push_back({1, ReportRole::kNoise, {label}, {"odd"}, {0}, {{2, "c"}}});
  question.sheets.push_back({0, 1, {label}, {"why"}});
  question.completeness = {3, 1, {{{{"dim", "1"}}, "oom"}}, {"d"}, {"u"}, {"l"}, {"x"}};
  question.notes = {"note"};
  RunnerRun run;
  run.name = "r";
  run.source = 1;
  run.own = true;
  run.files = {0};
  run.labels = {label};
  run.failure = "f";
  run.process_s = 1.5;
  run.batches = 4.0;
  question.runs = {run};
  question.issues = {{"f", "n", Severity::kError, 5, "t"}};
  question.left_out = {{"g", "h"}};
  study.catalog.questions = {question};
  Sheets sheets;
  sheets.read.push_back({"s", "p", {label}, {{{"c", {{"1", {1.0}}, {"", {}}}}}, 2, {"bad row"}}});
  sheets.problems = {{"p", "sentence"}};
  study.sheets = {sheets};
  return study;
}

TEST(StudyBytes, GiveEverythingBackButPaths) {
  const FoundStudy study = full_study();
  const std::string bytes = to_bytes(study);
  const std::optional<FoundStudy> back = study_from_bytes(bytes);
  ASSERT_TRUE(back);
  EXPECT_EQ(to_bytes(*back), bytes);
  EXPECT_EQ(back->catalog.files[0].kind, kind::kTorch);
  EXPECT_TRUE(back->catalog.files[0].path.empty());
  EXPECT_EQ(back->catalog.questions[0].entries[0].labels[0].order, 768.5);
  EXPECT_EQ(back->catalog.questions[0].runs[0].process_s, 1.5);
  EXPECT_FALSE(back->catalog.questions[0].runs[0].pass_s);
  EXPECT_EQ(back->sheets[0].read[0].table.columns[0].cells[0].numbers, std::vector<double>{1.0});
  FoundStudy elsewhere = study;
  elsewhere.catalog.files[0].path = "/mnt/other";
  EXPECT_EQ(to_bytes(elsewhere), bytes) << "where the reports are mounted does not matter";
}

TEST(StudyBytes, AreNotBelieved) {
  const std::string bytes = to_bytes(full_study());
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(study_from_bytes(std::string_view(bytes).substr(0, size))) << size;
  EXPECT_FALSE(study_from_bytes(bytes + "x"));
  FoundStudy study = full_study();
  study.catalog.questions[0].entries[0].file = 2;
  EXPECT_FALSE(study_from_bytes(to_bytes(study))) << "a file that is not there";
}

}  // namespace assay::shards_test
