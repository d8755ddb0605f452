// What a user meets before and after the answers: mistakes in the setup, claims that cannot be tested, and what a
// terminal shows that a pipe does not.
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include "golden/golden_case.hpp"
#include "render/recap.hpp"
#include "render/sample_run.hpp"
#include "support/test.hpp"

namespace assay::testing::setup_test {

constexpr const char* kHead = "[question]\nid = \"small\"\n[labels]\n";
constexpr const char* kDepths = "patterns = [\"vit{depth}\"]\ndepth = { type = \"int\" }\n";
constexpr const char* kClaim =
    "[[claim]]\nid = \"busy\"\ntext = \"t\"\nmetric = \"gpu.busy_ratio\"\nbetween = [0, 1]\n";

class Setup : public ::testing::Test {
 protected:
  Setup() { prepare_inputs(fs::path(ASSAY_SOURCE_DIR) / "tests/golden/cases/three_reports", scratch_.path()); }
  void config(const std::string& text) { write_text(scratch_ / "q.toml", text); }
  Outcome assay(const std::string& arguments) { return run_assay(scratch_.path(), split_command(arguments)); }
  Outcome answer() { return assay("run q.toml --reports reports -o out --no-cache"); }

  /// What the program shows on a terminal of 24 rows.
  std::string on_terminal(const std::string& arguments, const char* term, const char* no_colour = nullptr) {
    const winsize size{24, 80, 0, 0};
    int terminal = -1;
    const pid_t child = forkpty(&terminal, nullptr, nullptr, &size);
    if (child == 0) {
      setenv("TERM", term, 1);
      no_colour != nullptr ? setenv("NO_COLOR", no_colour, 1) : unsetenv("NO_COLOR");
      std::vector<std::string> words = split_command(arguments);
      std::vector<char*> argv = {const_cast<char*>("assay")};
      for (std::string& word : words) argv.push_back(word.data());
      argv.push_back(nullptr);
      if (chdir(scratch_.path().c_str()) == 0) execv(ASSAY_PROGRAM, argv.data());
      _exit(127);
    }
    EXPECT_GT(child, 0);
    std::string shown;
    char bytes[4096];
    for (ssize_t got; (got = read(terminal, bytes, sizeof bytes)) > 0;)
      shown.append(bytes, static_cast<std::size_t>(got));
    waitpid(child, nullptr, 0);
    close(terminal);
    return shown;
  }

  TempFolder scratch_;
};

TEST_F(Setup, BytesOfAReportSteerNoTerminal) {
  const std::string query = "query reports/runs/vit1.sqlite 'SELECT char(27, 99) AS cell' --format ";
  for (const char* format : {"csv", "json"}) {
    const std::string shown = on_terminal(query + format, "dumb");
    EXPECT_TRUE(contains(shown, "1b")) << format;
    EXPECT_FALSE(contains(shown, "\x1b")) << format;
  }
  EXPECT_EQ(assay(query + "csv").out,
            "cell\n\x1b"
            "c\n")
      << "a program gets the bytes";
}

TEST_F(Setup, OptionsForSbatchStandInOneLine) {
  config(kHead);
  const Outcome outcome = run_assay(scratch_.path(), {"submit", "q.toml", "--reports", "reports", "--shards", "2",
                                                      "--dry-run", "--", "--comment=a\nb"});
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_TRUE(contains(outcome.err, "the option '--comment=a b' for sbatch has a line break"));
}

TEST_F(Setup, PatternsThatFitNoNameAreAMistakeBeforeAnythingIsRead) {
  config(std::string(kHead) + "patterns = [\"model_{dim}\"]\ndim = {}\n[analyzers.run_summary]\n");
  const Outcome outcome = answer();
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_EQ(
      outcome.err,
      "assay: q.toml: question 'small': [labels] patterns 'model_{dim}' match the name of none of 3 profiles, such as "
      "'runs/vit1.sqlite'; correct them, or let 'assay init' propose patterns for the folder\n");
  EXPECT_FALSE(fs::exists(scratch_ / "out"));
  EXPECT_EQ(assay("plan q.toml --reports reports").exit, 2) << "and the plan says so too";
  EXPECT_EQ(assay("plan q.toml").exit, 0) << "which without reports nobody knows";
}

TEST_F(Setup, OneNameThatFitsIsNotAMistake) {
  config(std::string(kHead) + "patterns = [\"{word}1\"]\nword = {}\n[analyzers.run_summary]\n");
  EXPECT_EQ(answer().exit, 0);
}

TEST_F(Setup, SeveralMistakesAreOneBlock) {
  config(std::string(kHead) + "patterns = [\"model_{dim}\"]\ndim = {}\n[analyzers.run_summary]\n" +
         "[analyzers.label_check]\ninput_bytes = \"4 * (\"\n");
  const Outcome outcome = answer();
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_TRUE(starts_with(outcome.err,
                          "assay: 2 mistakes in the setup, so nothing was answered:\n"
                          "  q.toml:7:12: [analyzers.label_check] is refused: input_bytes is '4 * (', "));
  EXPECT_TRUE(contains(outcome.err, "\n  q.toml: question 'small': [labels] patterns 'model_{dim}' match"));
}

TEST_F(Setup, AMistakeIsRedOnATerminalThatHasColours) {
  config(std::string(kHead) + "patterns = [\"model_{dim}\"]\ndim = {}\n[analyzers.run_summary]\n");
  const std::string run = "run q.toml --reports reports -o out --no-cache";
  EXPECT_TRUE(contains(on_terminal(run, "xterm"), "\x1b[31massay: q.toml: question"));
  {
    const auto text = on_terminal(run, "dumb");
    EXPECT_TRUE(contains(text, "assay: q.toml: question"));
    EXPECT_FALSE(contains(text, "\x1b["));
  }
  EXPECT_FALSE(contains(on_terminal(run, "xterm", "1"), "\x1b[31m"));
}

TEST_F(Setup, AClaimThatNoReportCanTestIsACaveatWithTheRunThatItLacks) {
  config(
      std::string(kHead) + "patterns = [\"vit{depth}\"]\ndepth = { type = \"int\", values = [1, 2, 3, 9, 12] }\n" +
      "[analyzers.run_summary]\n[analyzers.claim_verdicts]\n" + kClaim +
      "where = [\"depth=9\"]\n[[claim]]\nid = \"ratio\"\ntext = \"t\"\nmetric = \"gpu.busy_ratio\"\nbetween = [0, 1]\n"
      "compare = \"ratio\"\nlabel = \"depth\"\nbase = \"12\"\ntreated = [\"2\"]\n");
  const Outcome outcome = answer();
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  std::string words = outcome.out;
  for (std::size_t at; (at = words.find("\n      ")) != std::string::npos;) words.replace(at, 7, " ");
  for (std::size_t at; (at = words.find("\n    ")) != std::string::npos;) words.replace(at, 5, " ");
  EXPECT_TRUE(contains(words, "2 of 2 claims cannot be tested with these profiles"));
  EXPECT_LT(words.find("ANSWER"), words.find("cannot be tested")) << "the answer is first";
  EXPECT_LT(words.find("cannot be tested"), words.find("CLAIMS")) << "and the caveat follows in a line";
  EXPECT_TRUE(contains(words, "(no run that it is about has depth=9)"));
  EXPECT_TRUE(contains(words, "(a run like runs/vit2.sqlite with depth=12 would be a base)"));
  EXPECT_TRUE(contains(assay("plan q.toml --reports reports").out,
                       "  cannot be tested: claim busy, since no run that it is about has depth=9\n"));
}

TEST_F(Setup, AValueThatNoProfileHasIsAMistakeInClaimsAndAnalyzers) {
  const auto claim = [](const std::string& base, const std::string& treated) {
    return "[[claim]]\nid = \"ratio\"\ntext = \"t\"\nmetric = \"gpu.busy_ratio\"\nbetween = [0, 1]\ncompare = "
           "\"ratio\"\n"
           "label = \"depth\"\nbase = \"" +
           base + "\"\ntreated = [\"" + treated + "\"]\n";
  };
  const std::string rest = "[analyzers.run_summary]\n[analyzers.claim_verdicts]\n";
  config(kHead + (kDepths + rest) + claim("eager", "2"));
  const Outcome outcome = answer();
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_EQ(outcome.err,
            "assay: q.toml:15:1: [[claim]] ratio base: no profile has depth = 'eager'; the values of 'depth' are 1, 2, "
            "3. If its runs are not recorded yet, list it in [labels.depth] values.\n");
  EXPECT_FALSE(fs::exists(scratch_ / "out"));
  config(kHead + (kDepths + rest) + claim("1", "12"));
  EXPECT_TRUE(contains(answer().err,
                       "treated: no profile has depth = '12'; the values of 'depth' are 1, 2, 3. Did you "
                       "mean '1'?"));
  config(kHead + (kDepths + rest) + "[[matrix]]\ndepth = [1, 12]\n" + claim("1", "12"));
  EXPECT_EQ(answer().exit, 0) << "a run that is expected is missing, not misspelled";
  config(kHead + (kDepths + rest) + "[analyzers.label_effect]\nlabel = \"depth\"\nbase = \"0\"\n");
  EXPECT_TRUE(contains(answer().err, "q.toml:10:1: [analyzers.label_effect] base: no profile has depth = '0'"));
}

TEST_F(Setup, AValueThatTheMatrixLacksIsAMistakeBeforeThereAreProfiles) {
  const auto question = [](const std::string& matrix, const std::string& base) {
    return kHead + (kDepths + matrix) +
           "[analyzers.run_summary]\n[analyzers.label_effect]\nlabel = \"depth\"\nbase = \"" + base + "\"\n";
  };
  config(question("[[matrix]]\ndepth = [1, 12]\n", "2"));
  const Outcome outcome = assay("plan q.toml");
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_TRUE(contains(outcome.err, "q.toml:11:1: [analyzers.label_effect] base: no run has depth = '2'"));
  config(question("[[matrix]]\ndepth = [1, 12]\n", "12"));
  EXPECT_EQ(assay("plan q.toml").exit, 0);
  config(question("[[matrix]]\ndepth = [1, 12]\n", "2"));
  EXPECT_EQ(assay("plan q.toml --reports reports").exit, 0) << "a profile has it";
  config(question("", "2"));
  EXPECT_EQ(assay("plan q.toml").exit, 0) << "without a matrix only the profiles tell";
}

TEST_F(Setup, AProposalNeedsNoTemporaryFile) {
  const Outcome outcome =
      run_shell(scratch_.path(), "TMPDIR=/nonexistent " ASSAY_PROGRAM " init reports/runs -o new.toml");
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_TRUE(contains(read_text(scratch_ / "new.toml"), "patterns"));
}

TEST_F(Setup, MemoryThatRunsOutIsSaidInASentence) {
  config(std::string(kHead) + kDepths + "[analyzers.run_summary]\n");
  const Outcome outcome = run_shell(
      scratch_.path(), "ulimit -v 60000; " ASSAY_PROGRAM " run q.toml --reports reports -o out --no-cache 2>&1");
  EXPECT_FALSE(contains(outcome.out, "bad_alloc")) << outcome.out;
}

TEST_F(Setup, AWindowThatNoProfileHasIsSaidOnce) {
  config(kHead + (kDepths + std::string("[window]\nnvtx = \"Train\"\n[analyzers.run_summary]\n")));
  const Outcome outcome = answer();
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_TRUE(starts_with(outcome.err,
                          "assay: q.toml: [window] matches none of 3 profiles: No NVTX range is named 'Train', so "
                          "there is no window to measure"));
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1);
  EXPECT_FALSE(fs::exists(scratch_ / "out"));
  config(kHead +
         (kDepths + std::string("[window]\nnvtx = \"Train\"\nfallback = \"capture\"\n[analyzers.run_summary]\n")));
  EXPECT_EQ(answer().exit, 0) << "the whole capture is measured";
}

TEST_F(Setup, AMisspelledFolderOfReportsIsAMistake) {
  const std::string rest = kHead + (kDepths + std::string("[analyzers.run_summary]\n[reports]\nfolder = "));
  config(rest + "\"rums\"\n");
  const Outcome outcome = answer();
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_EQ(outcome.err,
            "assay: q.toml: [reports] folder 'rums' was not found below --reports. Did you mean 'runs'?\n");
  config(rest + "\"somewhere_else\"\n");
  EXPECT_EQ(answer().exit, 0) << "of the author's machine: all of --reports is read";
}

TEST_F(Setup, ClassesOfKernelsAreThereWithoutBeingAskedFor) {
  config(std::string(kHead) + kDepths + "[analyzers.run_summary]\n[analyzers.kernel_breakdown]\n");
  const Outcome outcome = answer();
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_TRUE(contains(read_text(scratch_ / "out/facts.csv"), "class=matmul"));
  EXPECT_TRUE(contains(assay("plan q.toml").out, "rules_version = \"5\""));
  config(std::string(kHead) + kDepths +
         "[analyzers.run_summary]\n[analyzers.kernel_breakdown]\nrules = [\"mine: e\", \"matmul: gemm\"]\n");
  EXPECT_EQ(answer().exit, 0);
  {
    const auto text = read_text(scratch_ / "out/facts.csv");
    EXPECT_TRUE(contains(text, "class=mine")) << "who gives rules gets no others";
    EXPECT_FALSE(contains(text, "class=norm")) << "who gives rules gets no others";
  }
}

TEST_F(Setup, ThePlanNamesAnalyzersThatCouldAnswerToo) {
  config(std::string(kHead) + kDepths + "[analyzers.run_summary]\n");
  const std::string plan = assay("plan q.toml -v").out;
  EXPECT_TRUE(contains(plan, "could also be enabled in question small, without options\n"));
  EXPECT_TRUE(contains(plan, "\n  [analyzers.idle_causes]  "));
  EXPECT_FALSE(contains(plan, "  [analyzers.run_summary]  "));
  EXPECT_FALSE(contains(plan, "[analyzers.architecture_cliff]")) << "its label 'dim' is not declared here";
}

TEST_F(Setup, ALongOutputEndsWithARecapAndALinkOnATerminalOnly) {
  config(std::string(kHead) + kDepths + "[analyzers.run_summary]\n[analyzers.claim_verdicts]\n" + kClaim);
  const std::string run = "run q.toml --reports reports -o out --no-cache";
  const std::string link = "Report: \x1b]8;;file://" + (fs::canonical(scratch_.path()) / "out/report.html").string() +
                           "\x1b\\out/report.html\x1b]8;;\x1b\\\r\n";
  const std::string shown = on_terminal(run, "xterm");
  EXPECT_TRUE(shown.ends_with(link)) << shown;
  EXPECT_TRUE(contains(shown, "1 claim: "));
  const std::string plain = on_terminal(run, "dumb");
  EXPECT_TRUE(plain.ends_with("Report: out/report.html\r\n")) << plain;
  EXPECT_FALSE(contains(assay(run).out, "Report: "));
}

TEST(Recap, HasFiveLinesWhateverTheNumberOfQuestions) {
  SampleRun sample;
  sample.add_file("x.sqlite");
  for (int q = 0; q < 5; ++q) sample.add_question();
  sample.result(1).findings.push_back({"alpha", FindingRole::kAnswer, "It is so", "", std::nullopt, {}, {}});
  sample.result(4).claims.push_back({"c", "t", "s", Verdict::kRefuted, "", {}});
  EXPECT_TRUE(
      equals(recap(sample.run, "out", {.colour = false, .width = 100}),
             {"Question q0: no analyzer could answer", "Question q1: It is so", "Question q2: no analyzer could answer",
              "and 2 more questions; 1 claim: 1 refuted", "Report: out/report.html"}));
}

TEST_F(Setup, DescribesSeveralAnalyzersAndListsMetrics) {
  const std::string both = assay("describe run_summary idle_causes").out;
  EXPECT_TRUE(contains_all(both, {"run_summary 1.", "\n\nidle_causes 1."}));
  const Outcome unknown = assay("describe run_summary idle_cause");
  EXPECT_EQ(unknown.exit, 2);
  EXPECT_EQ(unknown.out, "") << "nothing of the first";
  EXPECT_TRUE(contains(unknown.err, "word 'idle_cause'. Did you mean 'idle_causes'?"));
  EXPECT_TRUE(contains(assay("describe --metrics").out, "\ngpu.busy_ratio "));
  const std::string shown = on_terminal("describe run_summary", "dumb");
  std::istringstream lines(shown);
  std::size_t longest = 0;
  for (std::string line; std::getline(lines, line);) longest = std::max(longest, line.size());
  EXPECT_LE(longest, 81U) << "wrapped to the terminal, the carriage return aside";
}

TEST_F(Setup, StatsTakesTheExportsOfAFolder) {
  const Outcome whole = assay("stats reports"), one = assay("stats reports/runs/vit1.sqlite");
  EXPECT_EQ(whole.exit, 0) << whole.err;
  EXPECT_TRUE(contains_all(whole.out, {"\nreports/runs/vit3.sqlite\n", one.out}));
  EXPECT_TRUE(starts_with(whole.out, "reports/runs/vit1.sqlite\n"));
  fs::create_directory(scratch_ / "empty");
  const Outcome none = assay("stats empty");
  EXPECT_EQ(none.exit, 2);
  EXPECT_TRUE(contains(none.err, "there is no profile in 'empty', which holds no file at all"));
}

}  // namespace assay::testing::setup_test
