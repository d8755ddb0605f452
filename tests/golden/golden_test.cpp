// Every folder below cases/ is a test: inputs, run.txt, and what must be in the files that the run wrote (expected/).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "golden_case.hpp"
#include "json_schema.hpp"
#include "scratch_folder.hpp"

namespace assay::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

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

void expect_valid_findings(const fs::path& folder) {
  const auto schema = nlohmann::json::parse(read_text(fs::path(ASSAY_SOURCE_DIR) / "docs/findings.schema.json"));
  for (const std::string& name : files_below(folder)) {
    if (!name.ends_with("findings.json")) continue;
    EXPECT_THAT(schema_violations(schema, nlohmann::json::parse(read_text(folder / name))), IsEmpty()) << name;
  }
}

class GoldenCase : public ::testing::TestWithParam<std::string> {};

TEST_P(GoldenCase, RunsAsWritten) {
  const ScratchFolder scratch;
  const fs::path source = kCases / GetParam();
  prepare_inputs(source, scratch.path());
  for (const CaseScript::Step& step : read_script(source / "run.txt").steps) {
    const Outcome outcome = run_assay(scratch.path(), step.arguments);
    SCOPED_TRACE("assay " + ::testing::PrintToString(step.arguments));
    EXPECT_EQ(outcome.exit, step.exit) << outcome.err;
    EXPECT_EQ(first_line_missing(outcome.out, step.out), "") << "is missing in this order in:\n" << outcome.out;
    expect_errors(outcome.err, step.err);
  }
  if (!fs::exists(source / "expected")) return;
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

/// Inputs of a case in a folder of their own, and the program on them.
class EndToEnd : public ::testing::Test {
 protected:
  void use(const std::string& name) { prepare_inputs(kCases / name, scratch_.path()); }
  Outcome assay(const std::string& arguments, const Limits& limits = {}) {
    return run_assay(scratch_.path(), split_command(arguments), limits);
  }
  [[nodiscard]] std::map<std::string, std::string> contents(const std::string& folder) const {
    std::map<std::string, std::string> all;
    for (const std::string& name : files_below(scratch_.path() / folder))
      all[name] = read_text(scratch_.path() / folder / name);
    return all;
  }
  ScratchFolder scratch_;
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

TEST_F(EndToEnd, AFullDiskLeavesThePreviousOutputWhole) {
  use("three_reports");
  ASSERT_EQ(assay("run config.toml --reports reports -o out").exit, 0);
  const auto before = contents("out");
  ASSERT_GT(before.at("findings.json").size(), 700U);
  const Outcome outcome = assay("run config.toml --reports reports -o out", {.file_bytes = 700});
  EXPECT_EQ(outcome.exit, 3) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("cannot be written (File too large); make room"));
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
  EXPECT_EQ(outcome.err, "assay: interrupted; nothing was written and 'out' is as it was\n");
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
  EXPECT_THAT(read_text(scratch_.path() / "log.txt"), HasSubstr("info"));
}

}  // namespace
}  // namespace assay::testing
