// `assay record` with profiler = "rocprofv3": the command that it makes, and runs of a stand-in for it. No AMD GPU was
// at hand: what AMD's own program does with the command is not tested.
#include "golden/golden_case.hpp"
#include "rocpd/made_rocpd.hpp"
#include "support/test.hpp"

namespace assay::record_test {

using namespace testing;

class RecordedOnAmd : public ::testing::Test {
 protected:
  RecordedOnAmd() : path_(std::getenv("PATH")) {
    setenv("PATH", ((scratch_ / "bin").string() + ":/usr/bin:/bin").c_str(), 1);
    MadeRocpd made("3.0.0", all_traced());
    fs::copy_file(made.process("_0000406d_08bf_78bf_9160_047813fc7bfc", 20).write(), scratch_ / "made.db");
    write_text(scratch_ / "question.toml", R"([question]
id = "q"
text = "t"
[reports]
include = ["**/*.db"]
[labels]
patterns = ["run_{mode}"]
mode = { values = ["a", "b"] }
[[matrix]]
mode = ["a", "b"]
[experiment]
command = ["echo", "{mode}"]
profiler = "rocprofv3"
options = ["--pmc", "SQ_WAVES", "GRBM_COUNT"]
gpu = "1"
[analyzers.run_summary]
)");
  }
  ~RecordedOnAmd() override { setenv("PATH", path_.c_str(), 1); }

  /// Says its version, else runs the program and leaves a database under the name that is in `pattern`.
  void stand_in(const std::string& pattern) const {
    write_text(scratch_ / "bin/rocprofv3",
               "#!/bin/sh\n[ \"$1\" = --version ] && { echo '         version: 1.1.0'; exit; }\n"
               "while [ \"$1\" != -- ]; do [ \"$1\" = -o ] && out=$2; shift; done\nshift\n"
               "\"$@\" || exit\ncp '" +
                   (scratch_ / "made.db").string() + "' " + pattern + "\n");
    fs::permissions(scratch_ / "bin/rocprofv3", fs::perms::owner_all);
  }
  Outcome record(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments = {"record", "question.toml", "-o", "recordings"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_assay(scratch_.path(), arguments);
  }
  /// Databases of the recording, by path below profiles.
  [[nodiscard]] std::vector<std::string> databases() const {
    std::vector<std::string> found;
    for (const std::string& file : files_below(scratch_ / "recordings")) {
      const std::size_t at = file.find("profiles/");
      if (at != std::string::npos) found.push_back(file.substr(at + 9));
    }
    std::sort(found.begin(), found.end());
    return found;
  }

  std::string path_;
  testing::TempFolder scratch_;
};

TEST_F(RecordedOnAmd, TheDryRunPrintsTheCommand) {
  stand_in("\"$out\"_results.db");
  const Outcome outcome = record({"--dry-run"});
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_TRUE(contains_regex(outcome.out, "CUDA_VISIBLE_DEVICES=1"));
  EXPECT_TRUE(contains_regex(outcome.out,
                             "rocprofv3 --runtime-trace --output-format rocpd -o [^ ]+ --pmc SQ_WAVES "
                             "GRBM_COUNT -- echo a"));
  EXPECT_FALSE(fs::exists(scratch_ / "recordings/q"));
}

TEST_F(RecordedOnAmd, RunsAreFoundUnderTheirNames) {
  stand_in("\"$out\"_results.db");
  const Outcome outcome = record();
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_TRUE(equals(databases(),
                     {"block_001/aa/run_a_results.db", "block_001/run_a_results.db", "block_001/run_b_results.db"}));
  const Outcome run = run_assay(scratch_.path(), {"run", "question.toml", "--reports", "recordings", "-o", "out"});
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_TRUE(contains_regex(read_text(scratch_ / "out/facts_wide.csv"), "run_b_results.db[^\n]*b"));
  EXPECT_FALSE(contains(run.out, "has the undeclared suffix"));
}

TEST_F(RecordedOnAmd, TheNumberOfTheOnlyProcessIsNotPartOfTheName) {
  stand_in("\"${out}_$$_results.db\"");
  EXPECT_EQ(record().exit, 0);
  EXPECT_TRUE(equals(databases(),
                     {"block_001/aa/run_a_results.db", "block_001/run_a_results.db", "block_001/run_b_results.db"}));
}

TEST_F(RecordedOnAmd, FilesOfSeveralProcessesKeepTheirNumbers) {
  stand_in("\"${out}_7_results.db\"; cp \"${out}_7_results.db\" \"${out}_8_results.db\"");
  EXPECT_EQ(record().exit, 0);
  EXPECT_TRUE(includes_all(databases(), {"block_001/run_a_7_results.db", "block_001/run_a_8_results.db"}));
}

TEST_F(RecordedOnAmd, WithoutTheProfilerItIsSaidWhereToGetIt) {
  const Outcome outcome = record();
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_TRUE(contains(outcome.err, "the program 'rocprofv3' is not found; install ROCm 7"));
}

TEST_F(RecordedOnAmd, ARunThatLeavesNothingIsNotARun) {
  stand_in("\"$out\".txt; rm \"$out\".txt");
  record();
  EXPECT_FALSE(is_empty(read_text(scratch_ / "recordings" / files_below(scratch_ / "recordings").front())));
  EXPECT_TRUE(is_empty(databases()));
}

}  // namespace assay::record_test
