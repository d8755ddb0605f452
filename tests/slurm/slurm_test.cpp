// Odd answers of Slurm's programs, each a script in a PATH of its own: what is made of them, and what is not.
#include "slurm/submission.hpp"
#include "support/test.hpp"

namespace assay::slurm::slurm_test {

class OddSlurm : public ::testing::Test {
 protected:
  OddSlurm() {
    const char* path = std::getenv("PATH");
    path_ = path == nullptr ? "" : path;
    fs::create_directories(home_ / "bin");
    setenv("PATH", ((home_ / "bin").string() + ":/usr/bin:/bin").c_str(), 1);
    says("sbatch",
         "n=$(cat $HOME_OF_TEST/n 2>/dev/null || echo 10); echo $((n + 1)) > $HOME_OF_TEST/n; echo $((n + 1))");
    says("squeue", "exit 0");
    says("scancel", "exit 0");
    says("scontrol", "exit 1");
    says("sacct", "echo 'Slurm accounting storage is disabled' >&2; exit 1");
    setenv("HOME_OF_TEST", home_.path().c_str(), 1);
  }
  ~OddSlurm() override { setenv("PATH", path_.c_str(), 1); }

  /// A program that notes its words and then does this.
  void says(const std::string& program, const std::string& script) {
    const fs::path file = home_ / "bin" / program;
    std::ofstream(file) << "#!/bin/sh\necho \"" << program << " $*\" >> $HOME_OF_TEST/asked\n" << script << "\n";
    fs::permissions(file, fs::perms::owner_all);
  }
  [[nodiscard]] std::string asked() const {
    std::ostringstream text;
    text << std::ifstream(home_ / "asked").rdbuf();
    return text.str();
  }
  [[nodiscard]] Work work(std::size_t tasks) const {
    return {"shard", tasks, home_ / "out.slurm", home_.path(), {"true", "{task}/3"}, {"true"}, {"false"}, {}, {}};
  }
  [[nodiscard]] static Done done(std::vector<std::size_t> tasks) {
    return [tasks](std::size_t task) { return std::ranges::find(tasks, task) != tasks.end(); };
  }
  [[nodiscard]] Status again(const Done& done, bool once) {
    std::ostringstream out;
    return slurm::resubmit(home_ / "out.slurm", done, once, out);
  }

  TempFolder home_;
  std::string path_;
};

TEST_F(OddSlurm, WithoutSbatchThatIsSaidWithWhatCanBeDone) {
  fs::remove(home_ / "bin" / "sbatch");
  setenv("PATH", (home_ / "bin").c_str(), 1);
  const auto made = submit_work(work(2));
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().exit, Exit::kUsage);
  EXPECT_TRUE(contains_all(made.error().sentence, {"no sbatch in PATH", "--dry-run"}));
  EXPECT_FALSE(fs::exists(home_ / "out.slurm"));
}

TEST_F(OddSlurm, TheSizeOfArraysIsAskedElseTheUsualOne) {
  says("scontrol", "echo 'MaxArraySize            = 4'");
  EXPECT_EQ(max_array_size(), 4U);
  for (const char* odd :
       {"exit 1", "echo nonsense", "echo 'MaxArraySize = many'", "echo 'MaxArraySize = 0'", "kill -9 $$"}) {
    says("scontrol", odd);
    EXPECT_EQ(max_array_size(), kUsualArraySize) << odd;
  }
  EXPECT_EQ(chunks_of(2500, 1001), (std::vector<Chunk>{{0, 1000}, {1000, 1000}, {2000, 500}}));
  EXPECT_EQ(array_indices({1001, 1002, 1003, 1007}, 1000), "1-3,7");
}

TEST_F(OddSlurm, ArraysAndThenTheLastJobAreSubmittedAndNoted) {
  says("scontrol", "echo 'MaxArraySize = 3'");
  const auto made = require(submit_work(work(3)));
  EXPECT_TRUE(contains_all(
      asked(), {"--array=1-2 tasks-0.sbatch", "--array=1 tasks-2.sbatch", "--dependency=afterany:11:12 last.sbatch"}));
  const auto read = read_submission(home_ / "out.slurm");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->rounds.at(0).last, "13");
  const auto second = submit_work(work(3));
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().exit, Exit::kUsage);
  EXPECT_TRUE(contains_all(second.error().sentence, {"job 11, 12, then 13", "--status"}));
}

TEST_F(OddSlurm, LeavesNothingBehindIfSbatchRefuses) {
  says("sbatch", "case \"$*\" in *last*) echo 'sbatch: error: Invalid qos' >&2; exit 1;; esac; echo 21");
  const auto made = submit_work(work(2));
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().exit, Exit::kFailed);
  EXPECT_TRUE(contains_all(made.error().sentence, {"Invalid qos", "'last.sbatch'"}));
  EXPECT_TRUE(contains(asked(), "scancel 21\n"));
  EXPECT_FALSE(read_submission(home_ / "out.slurm")) << "submitting again is allowed";
}

TEST_F(OddSlurm, ANumberIsExpectedOfSbatch) {
  for (const char* odd : {"echo Submitted batch job 5", "exit 0", "echo ';'"}) {
    says("sbatch", odd);
    const auto made = submit(home_.path(), "x.sbatch", {});
    ASSERT_FALSE(made) << odd;
    EXPECT_TRUE(contains(made.error().sentence, "the number of a job was expected")) << odd;
  }
  says("sbatch", "echo 'site: welcome'; echo '7;cluster'");
  EXPECT_EQ(*submit(home_.path(), "x.sbatch", {}), "7");
}

TEST_F(OddSlurm, JobsThatSlurmForgotAreNotQueuedAndGarbageIsNotKnown) {
  says("squeue", "echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1");
  EXPECT_TRUE(is_empty(*queue({"1"})));
  says("squeue", "echo '5|2|RUNNING'; echo '5|3|COMPLETED'; echo '6|N/A|PENDING'");
  const auto queued = queue({"5", "6"});
  ASSERT_TRUE(queued);
  EXPECT_EQ(*queued, (States{{{"5", "2"}, "RUNNING"}, {{"6", ""}, "PENDING"}}));
  for (const char* odd : {"echo welcome", "echo '5|2'", "echo 'Unable to contact slurm controller' >&2; exit 1"}) {
    says("squeue", odd);
    const auto unknown = queue({"5"});
    ASSERT_FALSE(unknown) << odd;
    EXPECT_EQ(unknown.error().exit, Exit::kFailed);
  }
}

TEST_F(OddSlurm, WhileNothingIsKnownNothingIsSubmittedTwice) {
  ASSERT_TRUE(submit_work(work(2)));
  says("squeue", "echo 'Unable to contact slurm controller' >&2; exit 1");
  const Status refused = again(done({1}), false);
  ASSERT_FALSE(refused);
  EXPECT_TRUE(contains(refused.error().sentence, "Unable to contact"));
  says("squeue", "echo '11|2|RUNNING'");
  EXPECT_TRUE(contains(again(done({1}), false).error().sentence, "still running"));
}

TEST_F(OddSlurm, AFailedTaskIsSubmittedAgainOnceAndThenNamed) {
  ASSERT_TRUE(submit_work(work(3)));
  ASSERT_TRUE(again(done({1, 3}), true));
  EXPECT_TRUE(contains_all(asked(), {"--array=2 tasks-0.sbatch", "--dependency=afterany:13 last.sbatch"}));
  const Status gone = again(done({1, 3}), true);
  ASSERT_FALSE(gone);
  EXPECT_TRUE(contains_all(gone.error().sentence, {"shard-2", "failed twice"}));
  EXPECT_TRUE(again(done({1, 3}), false)) << "somebody asked for it";
}

TEST_F(OddSlurm, PreemptedTasksAndThoseOfADeadNodeAreSubmittedAgainHoweverOften) {
  ASSERT_TRUE(submit_work(work(2)));
  says("scontrol", "echo \"JobId=5 ArrayJobId=$4 ArrayTaskId=2 JobName=x JobState=NODE_FAIL\"");
  for (int round = 0; round < 3; ++round) ASSERT_TRUE(again(done({1}), true)) << round;
  says("scontrol", "exit 1");
  says("sacct", "for a; do case $a in --jobs=*) echo \"${a#--jobs=}_2|PREEMPTED by 3\";; esac; done; echo garbage");
  ASSERT_TRUE(again(done({1}), true));
  says("sacct", "exit 1");
  EXPECT_TRUE(again(done({1}), true));
  EXPECT_FALSE(again(done({1}), true)) << "the second time without an excuse";
}

// Slurm keeps tasks that never ran as one job: "ArrayTaskId=1-2,4" of scontrol, "11_[1-2,4]" of sacct.
TEST_F(OddSlurm, TasksThatWereCancelledBeforeTheyRanAreSaidToBe) {
  const auto made = require(submit_work(work(5)));
  const std::string job = made->rounds.front().arrays.front().job;
  const auto how = [&] {
    const auto missing = progress_of(home_ / "out.slurm", *made, done({3})).missing;
    std::vector<std::string> words;
    for (const auto& [task, word] : missing) words.push_back(std::to_string(task) + " " + word);
    return words;
  };
  says("scontrol",
       "echo 'JobId=" + job + " ArrayJobId=" + job +
           " ArrayTaskId=1-2,4%2 ArrayTaskThrottle=2 JobName=x JobState=CANCELLED Reason=None'; echo 'JobId=99 "
           "ArrayJobId=" +
           job + " ArrayTaskId=5 JobState=TIMEOUT'");
  EXPECT_TRUE(equals(how(), {"1 CANCELLED", "2 CANCELLED", "4 CANCELLED", "5 TIMEOUT"}));
  says("scontrol", "exit 1");
  says("sacct", "echo '" + job + "_[1-5:3]|CANCELLED by 0'; echo '" + job + "_5|TIMEOUT'");
  EXPECT_TRUE(equals(
      how(), {"1 CANCELLED", "2 ended, but neither its exit code nor its state is known", "4 CANCELLED", "5 TIMEOUT"}));
}

TEST_F(OddSlurm, TasksSubmittedAgainAreCounted) {
  const auto made = require(submit_work(work(3)));
  EXPECT_EQ(progress_of(home_ / "out.slurm", *made, done({})).submitted_again, 0U);
  ASSERT_TRUE(again(done({2}), false));
  ASSERT_TRUE(again(done({2, 3}), false));
  EXPECT_EQ(progress_of(home_ / "out.slurm", *read_submission(home_ / "out.slurm"), done({2})).submitted_again, 2U);
}

TEST_F(OddSlurm, EndsJobsOfADeadSubmitterByName) {
  ASSERT_TRUE(submit_work(work(2)));
  std::ostringstream text;
  text << std::ifstream(home_ / "out.slurm" / "submission.json").rdbuf();
  std::string state = text.str();
  const std::size_t last = state.find("\"last\": \"12\"");
  ASSERT_NE(last, std::string::npos);
  std::ofstream(home_ / "out.slurm" / "submission.json") << state.replace(last, 12, "\"last\": \"\"");
  EXPECT_TRUE(contains(submit_work(work(2)).error().sentence, "was interrupted"));
  says("squeue", "case \"$*\" in *--name=*) echo 11;; esac");
  ASSERT_TRUE(again(done({}), false));
  EXPECT_TRUE(contains_all(asked(), {"scancel 11\n", "--name=assay_"}));
  EXPECT_EQ(read_submission(home_ / "out.slurm")->rounds.size(), 1U);
}

TEST_F(OddSlurm, ADamagedStateIsSaid) {
  ASSERT_TRUE(submit_work(work(1)));
  std::ofstream(home_ / "out.slurm" / "submission.json") << "{\"task\": 3}";
  EXPECT_TRUE(contains(read_submission(home_ / "out.slurm").error().sentence, "is damaged"));
}

TEST(SlurmScripts, WordsAreQuotedAndTheNumberIsAVariable) {
  const Work work{"shard",
                  3,
                  "/a b/out.slurm",
                  "/it's",
                  {"assay", "$HOME", "{task}/3"},
                  {"true"},
                  {},
                  {"-p", "gpu", "--comment=two words"},
                  {}};
  const std::string script = task_script(work, {1000, 3});
  EXPECT_TRUE(contains_all(script, {"#SBATCH --array=1-3\n", "#SBATCH -p gpu\n", "#SBATCH '--comment=two words'\n",
                                    "SLURM_ARRAY_TASK_ID + 1000", "assay '$HOME' \"$task\"/3 ||", "cd '/it'\\''s'"}));
}

}  // namespace assay::slurm::slurm_test
