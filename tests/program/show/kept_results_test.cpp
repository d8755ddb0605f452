// Results that older versions wrote, kept in tests/kept as they wrote them, are printed, compared and followed by the
// built program.
#include <sqlite3.h>

#include "golden/golden_case.hpp"
#include "support/test.hpp"

namespace assay::testing::kept_results_test {

/// Copies of the kept results: the program may write beside what it reads, and tests change versions.
class KeptResults : public ::testing::Test {
 protected:
  KeptResults() {
    for (const auto& kept : fs::directory_iterator(fs::path(ASSAY_SOURCE_DIR) / "tests/kept")) {
      fs::copy(kept.path(), folder.path() / kept.path().filename(), fs::copy_options::recursive);
      names.push_back(kept.path().filename().string());
    }
  }

  /// The database of these results after `sql`.
  void change(const std::string& name, const std::string& sql) const {
    sqlite3* db = nullptr;
    ASSERT_EQ(sqlite3_open((folder.path() / name / "results.sqlite").c_str(), &db), SQLITE_OK);
    char* message = nullptr;
    const int outcome = sqlite3_exec(db, sql.c_str(), nullptr, nullptr, &message);
    const std::string problem = message == nullptr ? "" : message;
    sqlite3_free(message);
    sqlite3_close(db);
    ASSERT_EQ(outcome, SQLITE_OK) << problem;
  }

  TempFolder folder;
  std::vector<std::string> names;
};

TEST_F(KeptResults, AreShownComparedAndFollowed) {
  ASSERT_FALSE(names.empty());
  for (const std::string& name : names) {
    const Outcome shown = run_assay(folder.path(), {"show", name});
    EXPECT_EQ(shown.exit, 0) << name << shown.err;
    EXPECT_TRUE(contains(shown.out, "Does the node that a run is bound to matter for the time of its kernels?"))
        << name;
    EXPECT_TRUE(contains(shown.out, "kept.node")) << name;
    fs::copy(folder.path() / name, folder.path() / "again", fs::copy_options::recursive);
    const Outcome compared = run_assay(folder.path(), {"compare", name, "again"});
    EXPECT_EQ(compared.exit, 0) << name << compared.err;
    EXPECT_TRUE(contains(compared.out, "What changed between two results of 'kept'?")) << name;
    const Outcome followed = run_assay(folder.path(), {"history", "--no-index", name, "again"});
    EXPECT_EQ(followed.exit, 0) << name << followed.err;
    EXPECT_TRUE(contains(followed.out, "2 results (2 read")) << name;
    fs::remove_all(folder.path() / "again");
  }
}

TEST_F(KeptResults, AreReadWithoutNotesAndSourcesFromVersion3) {
  const std::string before = run_assay(folder.path(), {"show", "results_4"}).out;
  change("results_4",
         "DROP TABLE sources; CREATE TABLE old AS SELECT question, title, text, expected, present FROM questions;"
         "DROP TABLE questions; ALTER TABLE old RENAME TO questions; DROP TABLE meta; PRAGMA user_version = 3;");
  const Outcome shown = run_assay(folder.path(), {"show", "results_4"});
  EXPECT_EQ(shown.exit, 0) << shown.err;
  EXPECT_TRUE(contains(before, "kept.node"));
  EXPECT_EQ(shown.out, before) << "notes and sources are not printed by show";
}

TEST_F(KeptResults, AreRejectedWithARemedyIfNewer) {
  change("results_4", "PRAGMA user_version = 7;");
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"show", "results_4"}, {"compare", "results_4", "results_4"}}) {
    const Outcome refused = run_assay(folder.path(), command);
    EXPECT_EQ(refused.exit, 2);
    EXPECT_TRUE(contains(refused.err,
                         "was written by a newer version of assay (its results have version 7, this assay reads 3 "
                         "to 6); update assay"));
  }
}

}  // namespace assay::testing::kept_results_test
