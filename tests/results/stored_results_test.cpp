#include "results/stored_results.hpp"

#include <sqlite3.h>
#include <sys/stat.h>

#include <random>

#include "difference/merged_results.hpp"
#include "query/column_text.hpp"
#include "query/session.hpp"
#include "render/sample_run.hpp"
#include "results/results_sqlite.hpp"
#include "results/write_outputs.hpp"
#include "support/test.hpp"

namespace assay::testing::stored_results_test {

class StoredResults : public ::testing::Test {
 protected:
  StoredResults() { fill(sample); }
  void write() { ASSERT_TRUE(write_outputs(sample.run, folder.path())); }

  TempFolder folder;
  SampleRun sample;
};

TEST_F(StoredResults, PrintWhatTheRunPrinted) {
  write();
  const auto questions = require(read_results(folder.path(), false));
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

TEST_F(StoredResults, EveryColumnIsExplainedByTheSchemaOfQuery) {
  write();
  const Result<query::Session> session = require(query::Session::over_database(folder.path() / "results.sqlite"));
  EXPECT_GT(session->tables().size(), 20U);
  for (const std::string& table : session->tables()) {
    EXPECT_FALSE(session->typed_columns(table).empty()) << table;
    for (const query::TypedColumn& column : session->typed_columns(table)) {
      EXPECT_NE(query::column_text(table, column.name).meaning, "") << table << "." << column.name;
      EXPECT_NE(query::column_text(table, column.name).filled_by, "") << table << "." << column.name;
    }
  }
}

TEST_F(StoredResults, HaveTheFactsOfTheirReports) {
  sample.report(0, 0).facts = {{"a.time_ns", "", 1.5, {1, 2}}, {"b.ratio", "k=v", 0.25, {}}};
  write();
  const auto questions = require(read_results(folder.path(), true));
  const std::vector<Fact>& facts = questions->front().reports.front().facts;
  ASSERT_EQ(facts.size(), 2U);
  EXPECT_EQ(facts[0].metric, "a.time_ns");
  EXPECT_EQ(facts[0].value, 1.5);
  EXPECT_EQ(facts[1].dims, "k=v");
  EXPECT_EQ(facts[1].value, 0.25);
}

TEST_F(StoredResults, KeepWhoWasNotBelievedAndWhichLabelsAreRanks) {
  sample.report(0, 1).doubt = "a doubt";
  sample.first_question().labels.labels[0].rank = true;
  write();
  const auto questions = require(read_results(folder.path(), false));
  EXPECT_EQ(questions->front().reports[0].doubt, "");
  EXPECT_EQ(questions->front().reports[1].doubt, "a doubt");
  EXPECT_TRUE(questions->front().labels[0].rank);
}

TEST_F(StoredResults, AFolderWithoutResultsIsSaid) {
  const auto questions = read_results(folder.path() / "nothing", false);
  ASSERT_FALSE(questions);
  EXPECT_TRUE(contains(questions.error().sentence, "expected a folder that 'assay run -o' wrote"));
}

TEST_F(StoredResults, AnotherDatabaseOrVersionIsRefused) {
  std::ofstream(folder.path() / "results.sqlite") << "not a database at all, but long enough to be looked at";
  auto questions = read_results(folder.path(), false);
  ASSERT_FALSE(questions);
  EXPECT_TRUE(contains(questions.error().sentence, "cannot be read as results of assay"));
  std::ofstream(folder.path() / "results.sqlite", std::ios::trunc);
  questions = read_results(folder.path(), false);
  ASSERT_FALSE(questions);
  EXPECT_TRUE(contains(questions.error().sentence, "was not written by this version"));
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
    EXPECT_TRUE(
        contains(questions.error().sentence, "run 'assay run' again, with -o into another folder or with --force"));
  }
}

/// Runs SQL on a database; its constraints and the links between its tables are not looked at.
void change(const std::filesystem::path& file, const std::string& sql) {
  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open(file.c_str(), &db), SQLITE_OK);
  char* error = nullptr;
  EXPECT_EQ(sqlite3_exec(db, sql.c_str(), nullptr, nullptr, &error), SQLITE_OK) << sql << ": " << error;
  sqlite3_free(error);
  sqlite3_close(db);
}

/// What `show` and `compare` do with a file; the sentence when they refuse it.
std::string outcome_of(const std::filesystem::path& file) {
  const auto questions = read_results(file, true);
  if (!questions) {
    EXPECT_EQ(questions.error().exit, Exit::kUsage);
    EXPECT_TRUE(contains(questions.error().sentence, "run 'assay run' again"));
    return questions.error().sentence;
  }
  for (const StoredQuestion& question : *questions) {
    std::ostringstream out;
    const SummaryInput input = question.summary();
    print_summary({&input, 1}, out, TerminalStyle());
    static_cast<void>(merge({{&question, kBefore}, {&question, kAfter}}, {}));
  }
  return "read";
}

struct Lie {
  const char* sql;
  const char* said;
};

TEST_F(StoredResults, NoValueIsBelieved) {
  sample.report(0, 0).facts = {{"a.time_ns", "", 1.5, {1, 2}}, {"b.ratio", "k=v", 0.25, {}}};
  sample.report(0, 0).attributes = {{"fingerprint", "x"}};
  write();
  const auto file = folder.path() / "results.sqlite", lying = folder.path() / "lying.sqlite";
  EXPECT_EQ(outcome_of(file), "read");
  for (const Lie& lie : {
           Lie{"UPDATE facts SET report = 'nobody' WHERE fact = 1", "'facts' refers to something that is not in it"},
           Lie{"UPDATE findings SET question = 'other'", "'findings' refers to something that is not in it"},
           Lie{"UPDATE labels SET report = 'nobody'", "a profile that is not in it"},
           Lie{"UPDATE attributes SET report = 'nobody'", "a profile that is not in it"},
           Lie{"UPDATE labels SET label = 'undeclared'", "a label that is not declared"},
           Lie{"UPDATE facts SET metric = 'undeclared'", "a fact has no metric"},
           Lie{"UPDATE facts SET value = 'text'", "'value' of it is not a finite number"},
           Lie{"UPDATE facts SET value = 9e999", "'value' of it is not a finite number"},
           Lie{"UPDATE facts SET dims = 'no pair'", "'key=value' pairs"},
           Lie{"UPDATE facts SET dims = x'ff'", "'dims' of it is not text"},
           Lie{"UPDATE facts SET dims = CAST(x'ff' AS TEXT)", "'dims' of it is not text"},
           Lie{"UPDATE reports SET bytes = -1", "'bytes' of it is not a number of at least 0"},
           Lie{"UPDATE reports SET bytes = 'many'", "'bytes' of it is not a number"},
           Lie{"UPDATE reports SET role = 'king'", "'role' of it is not a word"},
           Lie{"UPDATE reports SET status = 'eaten'", "'status' of it is not a word"},
           Lie{"UPDATE label_rules SET numeric = 2", "'numeric' of it is not 0 or 1"},
           Lie{"UPDATE metrics SET polarity = 'up'", "'polarity' of it is not a word"},
           Lie{"UPDATE questions SET expected = 0.5", "'expected' of it is not a number"},
           Lie{"UPDATE findings SET level = 1.5", "not between 0 and 1"},
           Lie{"UPDATE findings SET lo = 9, hi = 1 WHERE lo IS NOT NULL", "not in order"},
           Lie{"UPDATE findings SET labels = '[]'", "not objects of JSON"},
           Lie{"UPDATE findings SET labels = '{\"a\": 1}'", "a label of it is not text"},
           Lie{"UPDATE findings SET n = -1", "'n' of it is not a number of at least 0"},
           Lie{"UPDATE evidence SET finding = 99", "'evidence' refers to something that is not in it"},
           Lie{"UPDATE strata SET claim = 'none'", "belongs to nothing"},
           Lie{"UPDATE claims SET verdict = NULL", "'verdict' of it is not text"},
           Lie{"DROP TABLE facts", "no such table"},
           Lie{"DROP TABLE facts; CREATE VIEW facts AS SELECT 1", "no such column"},
       }) {
    std::filesystem::copy_file(file, lying, std::filesystem::copy_options::overwrite_existing);
    change(lying, std::string("PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(replace(sql, "
                              "' NOT NULL', ''), ' TEXT', ''); PRAGMA writable_schema = RESET; ") +
                      lie.sql);
    EXPECT_TRUE(contains(outcome_of(lying), lie.said)) << lie.sql;
  }
}

/// Whatever bytes change: results or a sentence. A wrong value that is of its type cannot be seen.
TEST_F(StoredResults, ADamagedFileGivesResultsOrASentence) {
  sample.report(0, 0).facts.clear();
  for (int i = 0; i < 300; ++i)
    sample.report(0, 0).facts.push_back({"a.time_ns", "kernel=" + std::to_string(1000 + i), 1.0 + i, {}});
  write();
  const std::string whole = read_text(folder.path() / "results.sqlite");
  const auto file = folder.path() / "damaged.sqlite";
  std::mt19937_64 random(17);
  std::size_t refused = 0;
  constexpr std::size_t kTries = 300;
  for (std::size_t i = 0; i < kTries; ++i) {
    std::string bytes = whole;
    const std::size_t flips = 1 + random() % 4;
    for (std::size_t flip = 0; flip < flips; ++flip) {
      const std::size_t page = random() % (bytes.size() / 4096) * 4096;
      const std::size_t at = flip % 2 == 0 ? page + random() % 128 : random() % bytes.size();
      bytes[at] = static_cast<char>(static_cast<unsigned char>(bytes[at]) ^ (1U << random() % 8));
    }
    write_text(file, bytes);
    if (outcome_of(file) != "read") ++refused;
  }
  EXPECT_GT(refused, kTries / 4);
}

TEST_F(StoredResults, AFolderThatIsBeingFilledIsSaid) {
  std::filesystem::create_directories(folder.path() / ".assay-unfinished-x/.before");
  const auto questions = read_results(folder.path(), false);
  ASSERT_FALSE(questions);
  EXPECT_TRUE(contains(questions.error().sentence, "are not complete: a run is writing them, or was killed"));
}

TEST_F(StoredResults, APipeBesideOrInPlaceOfTheDatabaseIsNotWaitedFor) {
  write();
  ASSERT_EQ(mkfifo((folder.path() / "results.sqlite-journal").c_str(), 0600), 0);
  ASSERT_EQ(mkfifo((folder.path() / "results.sqlite-wal").c_str(), 0600), 0);
  EXPECT_TRUE(read_results(folder.path(), true));
  EXPECT_EQ(files_of_earlier_run(folder.path() / "results.sqlite").size(), 7U);
  std::filesystem::remove(folder.path() / "results.sqlite");
  ASSERT_EQ(mkfifo((folder.path() / "results.sqlite").c_str(), 0600), 0);
  EXPECT_FALSE(read_results(folder.path(), true));
  EXPECT_FALSE(check_output_folder(folder.path()));
}

}  // namespace assay::testing::stored_results_test
