// Every folder below cases/ is a test: inputs, run.txt, what must be in the files that the run wrote (expected/), and
// files that must be equal to the byte (whole/, which ASSAY_UPDATE_GOLDEN=1 writes anew; tests/README.md).
#include <unistd.h>

#include <cerrno>

#include "golden_case.hpp"
#include "json_schema.hpp"
#include "support/test.hpp"

namespace assay::testing::golden_test {

const fs::path kCases = fs::path(ASSAY_SOURCE_DIR) / "tests/golden/cases";

std::vector<std::string> case_names() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(kCases)) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

bool line_fits(const std::string& actual, const std::string& expected) {
  if (!expected.ends_with("...")) return actual == expected;
  return actual.starts_with(expected.substr(0, expected.size() - 3));
}

void expect_errors(const std::string& actual, const std::vector<std::string>& expected) {
  std::istringstream stream(actual);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  bool fits = lines.size() == expected.size();
  for (std::size_t i = 0; fits && i < lines.size(); ++i) fits = line_fits(lines[i], expected[i]);
  EXPECT_TRUE(fits) << "standard error was:\n" << actual << "but should be:\n" << ::testing::PrintToString(expected);
}

/// Compares one file below expected/ with what the run wrote in its place.
void expect_file(const fs::path& expected, const fs::path& actual) {
  ASSERT_TRUE(fs::exists(actual)) << actual << " was not written";
  if (expected.extension() == ".json") {
    EXPECT_EQ(json_difference(nlohmann::json::parse(read_text(actual)), nlohmann::json::parse(read_text(expected))),
              "");
  } else {
    EXPECT_EQ(first_line_missing(read_text(actual), read_text(expected)), "")
        << "is missing in this order in " << actual << ":\n"
        << read_text(actual);
  }
}

/// Compares every file below `whole` with what the run wrote in its place; or, when asked to, accepts that.
void expect_whole_files(const fs::path& whole, const fs::path& folder) {
  const char* update = std::getenv("ASSAY_UPDATE_GOLDEN");
  for (const std::string& name : files_below(whole)) {
    const fs::path written = folder / "out" / name;
    ASSERT_TRUE(fs::exists(written)) << written << " was not written";
    const std::string actual = without_machine(read_text(written), folder);
    if (update != nullptr && std::string_view(update) == "1") {
      write_text(whole / name, actual);
    } else {
      const std::string difference = first_difference(actual, read_text(whole / name));
      EXPECT_TRUE(difference.empty()) << name << ": " << difference << "\nIf that is wanted, run again with "
                                      << "ASSAY_UPDATE_GOLDEN=1 and read `git diff`.";
    }
  }
}

void expect_valid_findings(const fs::path& folder) {
  const auto schema = nlohmann::json::parse(read_text(fs::path(ASSAY_SOURCE_DIR) / "docs/findings.schema.json"));
  for (const std::string& name : files_below(folder)) {
    if (!name.ends_with("findings.json")) continue;
    EXPECT_TRUE(is_empty(schema_violations(schema, nlohmann::json::parse(read_text(folder / name))))) << name;
  }
}

class GoldenCase : public ::testing::TestWithParam<std::string> {};

TEST_P(GoldenCase, RunsAsWritten) {
  const TempFolder scratch;
  const fs::path source = kCases / GetParam();
  prepare_inputs(source, scratch.path());
  for (const CaseScript::Step& step : read_script(source / "run.txt").steps) {
    const Outcome outcome = run_assay(scratch.path(), step.arguments);
    SCOPED_TRACE("assay " + ::testing::PrintToString(step.arguments));
    EXPECT_EQ(outcome.exit, step.exit) << outcome.err;
    EXPECT_EQ(first_line_missing(outcome.out, step.out), "") << "is missing in this order in:\n" << outcome.out;
    expect_errors(outcome.err, step.err);
  }
  if (fs::exists(source / "whole")) expect_whole_files(source / "whole", scratch.path());
  if (!fs::exists(source / "expected")) return;
  ASSERT_TRUE(fs::exists(scratch.path() / "out")) << "nothing was written";
  for (const std::string& name : files_below(source / "expected")) {
    if (name == "files.txt") continue;
    expect_file(source / "expected" / name, scratch.path() / "out" / name);
  }
  if (fs::exists(source / "expected/files.txt")) {
    std::string written;
    for (const std::string& name : files_below(scratch.path() / "out")) written += name + "\n";
    EXPECT_EQ(written, read_text(source / "expected/files.txt"));
  }
  expect_valid_findings(scratch.path() / "out");
}

INSTANTIATE_TEST_SUITE_P(Golden, GoldenCase, ::testing::ValuesIn(case_names()),
                         [](const auto& test) { return test.param; });

TEST(WholeFiles, DifferInTheFirstLineThatIsNotEqual) {
  EXPECT_EQ(first_difference("a,1\nb,2\n", "a,1\nb,2\n"), "");
  EXPECT_EQ(first_difference("a,1\nb,3\n", "a,1\nb,2\n"), "line 2 is\n  b,3\nand should be\n  b,2");
  EXPECT_EQ(first_difference("a,1\nb,2\nc,3\n", "a,1\nb,2\n"), "line 3 is\n  c,3\nand should be\n  (the end)");
  EXPECT_EQ(first_difference("a,1\n", "a,1\na,1\n"), "line 2 is\n  (the end)\nand should be\n  a,1");
  EXPECT_EQ(first_difference("a,1", "a,1\n"), "only one of them ends in a line break");
}

TEST(WholeFiles, DoNotDependOnWhereTheyWereMade) {
  EXPECT_EQ(without_machine("at /tmp/x/out and /tmp/x, by " ASSAY_PROBE_FOLDER "/probe.so", "/tmp/x"),
            "at {folder}/out and {folder}, by {probe}/probe.so");
}

/// Inputs of a case in a folder of their own, and the program on them.
class EndToEnd : public ::testing::Test {
 protected:
  void use(const std::string& name) { prepare_inputs(kCases / name, scratch_.path()); }
  Outcome assay(const std::string& arguments, const Limits& limits = {}) {
    return run_assay(scratch_.path(), split_command(arguments), limits);
  }
  [[nodiscard]] std::map<std::string, std::string> contents(const std::string& folder) const {
    return contents_but_run_json(scratch_.path() / folder);
  }
  TempFolder scratch_;
};

TEST_F(EndToEnd, SameBytesWhateverTheNumberOfThreads) {
  use("three_reports");
  const Outcome one = assay("run config.toml --reports reports -o one -j1"),
                two = assay("run config.toml --reports reports -o two -j2");
  ASSERT_EQ(one.exit, 0) << one.err;
  ASSERT_EQ(two.exit, 0) << two.err;
  EXPECT_EQ(contents("one"), contents("two"));
  const auto without_last_line = [](std::string text) { return text.substr(0, text.rfind("Written to")); };
  EXPECT_EQ(without_last_line(one.out), without_last_line(two.out));
}

TEST_F(EndToEnd, TheRunIsDescribedBesideItsResultsAndNowhereInThem) {
  use("three_reports");
  const std::string command = "run config.toml --reports reports -o out -q --no-cache";
  ASSERT_EQ(assay(command).exit, 0);
  const auto record = nlohmann::json::parse(read_text(scratch_.path() / "out/run.json"));
  EXPECT_EQ(record["command"].size(), split_command(command).size() + 1) << record["command"];
  EXPECT_EQ(record["command"][1], "run");
  EXPECT_EQ(record["folder"], fs::canonical(scratch_.path()).string());
  ASSERT_EQ(record["configurations"].size(), 1U);
  EXPECT_EQ(record["configurations"][0]["path"], "config.toml");
  const std::string hash = record["configurations"][0]["xxh128"];
  EXPECT_EQ(hash.size(), 32U);
  EXPECT_EQ(record["reports"], nlohmann::json::parse(R"(["reports"])"));
  EXPECT_TRUE(matches_regex(record["start"].get<std::string>(), "20[0-9-]+T[0-9:]+Z"));
  EXPECT_GE(record["duration_s"], 0);
  ASSERT_EQ(record["analyzers"].size(), 2U);
  const nlohmann::json& summary = record["analyzers"][1];
  EXPECT_EQ(summary["id"], "run_summary");
  const std::string file = summary["file"];
  EXPECT_EQ(fs::path(file).filename(), "run_summary.so");
  EXPECT_TRUE(matches_regex(summary["xxh128"].get<std::string>(), "[0-9a-f]{32}"))
      << "the version of an analyzer in the making says little";
  EXPECT_TRUE(matches_regex(summary["plugin_abi"].get<std::string>(), "[0-9]+\\.[0-9]+"));
  EXPECT_TRUE(matches_regex(summary["compiler"].get<std::string>(), "(gcc|clang) [0-9].*"));
  EXPECT_TRUE(includes(summary["metrics"], "gpu.busy_ratio"));
  const std::string start = record["start"];
  for (const auto& [name, text] : contents("out")) EXPECT_EQ(text.find(start), std::string::npos) << name;

  write_text(scratch_.path() / "config.toml", read_text(scratch_.path() / "config.toml") + "# changed\n");
  ASSERT_EQ(assay(command).exit, 0);
  const auto again = nlohmann::json::parse(read_text(scratch_.path() / "out/run.json"));
  EXPECT_NE(again["configurations"][0]["xxh128"], hash);
}

TEST_F(EndToEnd, SameBytesOfSeveralQuestionsWhateverTheNumberOfThreads) {
  use("several_questions");
  const std::string command = "run study.toml --reports reports --plugin-path '" ASSAY_PROBE_FOLDER "' ";
  ASSERT_EQ(assay(command + "-o one -j1").exit, 0);
  const auto one = contents("one");
  ASSERT_GE(one.size(), 5U);
  for (const char* more : {"-j2", "-j7"}) {
    ASSERT_EQ(assay(command + "-o more " + more).exit, 0);
    EXPECT_EQ(contents("more"), one) << more;
  }
}

TEST_F(EndToEnd, AFullDiskLeavesThePreviousOutputWhole) {
  use("three_reports");
  ASSERT_EQ(assay("run config.toml --reports reports -o out").exit, 0);
  const auto before = contents("out");
  ASSERT_GT(before.at("findings.json").size(), 700U);
  const Outcome outcome = assay("run config.toml --reports reports -o out", {.file_bytes = 700});
  EXPECT_EQ(outcome.exit, 3) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "cannot be written (File too large); free some space"));
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1);
  EXPECT_EQ(contents("out"), before);
}

TEST_F(EndToEnd, AnInterruptedRunWritesNothing) {
  use("three_reports");
  ASSERT_EQ(assay("run config.toml --reports reports -o out").exit, 0);
  const auto before = contents("out");
  const Outcome outcome =
      assay("run interrupt.toml --reports reports -o out -j1 --plugin-path '" ASSAY_PROBE_FOLDER "'");
  EXPECT_EQ(outcome.exit, 130);
  EXPECT_TRUE(contains(outcome.err, "waiting for the analyzer 'probe' on runs/vit1.sqlite; a second signal ends "));
  EXPECT_TRUE(ends_with(outcome.err, "\nassay: interrupted; nothing was written and 'out' is as it was\n"));
  EXPECT_EQ(contents("out"), before);
}

TEST_F(EndToEnd, InputsAreNeitherChangedNorJoinedByOtherFiles) {
  use("three_reports");
  const auto before = contents("reports");
  ASSERT_EQ(assay("run config.toml --reports reports -o out").exit, 0);
  EXPECT_EQ(contents("reports"), before);
}

TEST_F(EndToEnd, NoProgressBarAndNoColourInAPipe) {
  use("three_reports");
  const Outcome outcome = assay("run config.toml --reports reports -o out");
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.out.find('\x1b'), std::string::npos);
}

TEST_F(EndToEnd, TheLogFileHoldsWhatTheTerminalDoesNotShow) {
  use("three_reports");
  const Outcome outcome = assay("run config.toml --reports reports -o out -q --log-file log.txt");
  EXPECT_EQ(outcome.exit, 0);
  EXPECT_EQ(outcome.out + outcome.err, "");
  EXPECT_TRUE(contains(read_text(scratch_.path() / "log.txt"), "info"));
}

TEST_F(EndToEnd, AnEmptyFolderIsRefusedBeforeAnythingIsWritten) {
  use("three_reports");
  fs::create_directory(scratch_.path() / "empty");
  const Outcome outcome = assay("run config.toml --reports empty -o out");
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_TRUE(contains(outcome.err, "no profile in 'empty'"));
  EXPECT_FALSE(fs::exists(scratch_.path() / "out"));
}

TEST_F(EndToEnd, WithoutReportsTheFolderThatTheQuestionNamesIsReadHere) {
  use("three_reports");
  const std::string config = read_text(scratch_.path() / "config.toml");
  write_text(scratch_.path() / "named.toml", config + "[reports]\nfolder = \"reports\"\n");
  write_text(scratch_.path() / "absent.toml", config + "[reports]\nfolder = \"not_here\"\n");
  EXPECT_EQ(assay("run named.toml").exit, 0);
  EXPECT_TRUE(fs::exists(scratch_.path() / "assay-out/facts.csv")) << "the default of -o";
  const Outcome outcome = assay("run absent.toml");
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_EQ(outcome.err,
            "assay: absent.toml: question 'small' reads the folder 'not_here', which does not exist here; give the "
            "folder of its profiles with --reports DIR\n");
}

TEST_F(EndToEnd, AFolderThatCannotBeWrittenIsFoundBeforeTheWork) {
  if (geteuid() == 0) GTEST_SKIP() << "the superuser may write everywhere";
  use("three_reports");
  fs::create_directory(scratch_.path() / "locked");
  fs::permissions(scratch_.path() / "locked", fs::perms::owner_read | fs::perms::owner_exec);
  const Outcome outcome = assay("run config.toml --reports reports -o locked");
  EXPECT_EQ(outcome.exit, 3);
  EXPECT_TRUE(contains(outcome.err, std::strerror(EACCES)));
}

TEST_F(EndToEnd, ASecondRunIntoAFolderAmongTheReportsSeesTheSameReports) {
  use("three_reports");
  ASSERT_EQ(assay("run config.toml --reports reports -o reports/out").exit, 0);
  const auto first = contents("reports/out");
  ASSERT_EQ(assay("run config.toml --reports reports -o reports/out").exit, 0);
  EXPECT_EQ(contents("reports/out"), first);
}

/// The measured reports that come with the project, as they answer the two questions.
class Examples : public EndToEnd {
 protected:
  void SetUp() override {
    const char* folder = real_data("examples");
    if (folder == nullptr) GTEST_SKIP() << "ASSAY_EXAMPLES is not set; it names the unpacked example reports";
    reports_ = fs::absolute(folder).string();
  }
  Outcome answer(const std::string& config, const std::string& more) {
    return assay("run '" ASSAY_SOURCE_DIR "/configs/" + config + "' --reports '" + reports_ + "' " + more);
  }
  std::string reports_;
};

TEST_F(Examples, ArchitectureJumpsAtOnePatchSizeOnly) {
  const Outcome outcome = answer("rq1_architecture.toml", "-o out");
  ASSERT_EQ(outcome.exit, 0) << outcome.err;
  std::string words = outcome.out;
  for (std::size_t at; (at = words.find("\n      ")) != std::string::npos;) words.replace(at, 7, " ");
  EXPECT_TRUE(contains_all(
      words, {"Patch 8: a cliff", "Patch 16: a gradual rise", "Patch 32: no usable step", "launch-bound"}));
  EXPECT_TRUE(contains(outcome.out, "complete: 39 of 39 runs"));
  expect_valid_findings(scratch_.path() / "out");
}

/// The verdict that a claim's range and a stratum's interval in findings.json allow, by the words of the schema.
std::string verdict_by_the_file(const nlohmann::json& claimed, const nlohmann::json& effect) {
  const auto end = [](const nlohmann::json& ends, std::size_t i) {
    return ends[i].is_null() ? (i == 0 ? -INFINITY : INFINITY) : ends[i].get<double>();
  };
  if (effect.is_null()) return "untestable";
  const auto &range = claimed["between"], &ci = effect["ci"];
  if (ci.is_null() || effect["scope"] != "between-run") return "inconclusive";
  if (end(ci, 0) >= end(range, 0) && end(ci, 1) <= end(range, 1)) return "supported";
  return end(ci, 1) < end(range, 0) || end(ci, 0) > end(range, 1) ? "refuted" : "inconclusive";
}

TEST_F(Examples, VerdictsCanBeCheckedFromTheFindingsAlone) {
  ASSERT_EQ(answer("rq1_architecture.toml", "-q -o out").exit, 0);
  const auto question = nlohmann::json::parse(read_text(scratch_.path() / "out/findings.json"))["questions"][0];
  std::map<std::string, std::size_t> seen;
  for (const auto& claim : question["claims"]) {
    for (const auto& stratum : claim["strata"]) {
      EXPECT_EQ(stratum["verdict"], verdict_by_the_file(claim["claimed"], stratum["effect"])) << claim["id"];
      ++seen[stratum["verdict"]];
    }
    if (claim["id"] != "rq1.jump") continue;
    EXPECT_EQ(claim["claimed"]["metric"], "gpu.kernel_busy_ratio");
    EXPECT_EQ(claim["keys"]["label"], "dim");
  }
  EXPECT_GE(seen.size(), 3U) << "verdicts of several kinds are checked";
  EXPECT_EQ(question["sources"]["L"], "lessons of the published study");
  EXPECT_EQ(question["provenance"]["made_with"][0]["name"], "device");
}

/// Of reports, traces and sheets, cold and again, with more workers than have room for their files.
TEST_F(Examples, FewOpenFilesDo) {
  const Limits few{.open_files = 32};
  const std::string command = "run '" ASSAY_SOURCE_DIR "/configs/study.toml' -q --reports '" + reports_ + "' ";
  ASSERT_EQ(assay(command + "-o free --no-cache").exit, 0);
  ASSERT_GE(contents("free").size(), 20U);
  for (const char* more : {"--no-cache --isolate", "--cache cache", "--cache cache"}) {
    const Outcome outcome = assay(command + "-o few -j64 " + more, few);
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    EXPECT_TRUE(is_empty(different_files(contents("free"), contents("few")))) << more;
  }
}

/// The tables of one report are closed before those of the next are opened.
TEST_F(Examples, FewOpenFilesDoForTablesOfManyReports) {
  std::string command = "stats";
  std::size_t reports = 0;
  for (const std::string& name : files_below(reports_)) {
    if (!name.ends_with(".sqlite") || ++reports > 40) continue;
    command += " '" + reports_ + "/" + name + "'";
  }
  ASSERT_GE(reports, 40U);
  ASSERT_EQ(assay(command + " -o free").exit, 0);
  ASSERT_GE(contents("free").size(), 100U);
  const Outcome outcome = assay(command + " -o few -j64", {.open_files = 32});
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_TRUE(is_empty(different_files(contents("free"), contents("few"))));
}

TEST_F(Examples, TooFewOpenFilesAreSaidBeforeTheWork) {
  const Outcome outcome =
      assay("run '" ASSAY_SOURCE_DIR "/configs/study.toml' --reports '" + reports_ + "' -o out", {.open_files = 12});
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_TRUE(contains(outcome.err, "raise the limit with 'ulimit -n 1024'"));
  EXPECT_FALSE(fs::exists(scratch_.path() / "out"));
}

TEST_F(Examples, CompilationIsSameBytesWhateverTheNumberOfThreads) {
  ASSERT_EQ(answer("rq3_compilation.toml", "-q -o one -j1").exit, 0);
  ASSERT_EQ(answer("rq3_compilation.toml", "-q -o two -j2").exit, 0);
  EXPECT_TRUE(is_empty(different_files(contents("one"), contents("two"))));
  expect_valid_findings(scratch_.path() / "one");
}

}  // namespace assay::testing::golden_test
