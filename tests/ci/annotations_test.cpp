// What a gate makes of verdicts, and how text of others is written into the formats of CI services.
#include "ci/annotations.hpp"

#include <sys/stat.h>

#include <cstdlib>

#include "support/test.hpp"

namespace assay::ci::annotations_test {

GateInput with(std::vector<Verdict> verdicts) {
  GateInput input{.decided = true};
  for (const Verdict verdict : verdicts)
    input.cases.push_back({.question = "q", .claim = "c" + std::to_string(input.cases.size()), .verdict = verdict});
  return input;
}

TEST(Gate, FailsOnRefutedCasesAlone) {
  EXPECT_EQ(gate(with({Verdict::kSupported, Verdict::kInconclusive, Verdict::kUntestable})), GateOutcome::kPassed);
  const GateInput refuted = with({Verdict::kSupported, Verdict::kRefuted, Verdict::kInconclusive, Verdict::kRefuted});
  EXPECT_EQ(gate(refuted), GateOutcome::kFailed);
  EXPECT_EQ(failure_text(refuted), "2 claims refuted (q: c1, q: c3)");
}

TEST(Gate, IsUndecidedIfNothingIsDecidedOrABudgetIsOpen) {
  GateInput input = with({Verdict::kInconclusive});
  EXPECT_EQ(gate(input), GateOutcome::kPassed);
  input.open_undecides = true;
  EXPECT_EQ(gate(input), GateOutcome::kUndecided);
  input = with({});
  input.decided = false;
  EXPECT_EQ(gate(input), GateOutcome::kUndecided);
}

std::string commands(Case one, bool gated = true) {
  return workflow_commands({{.cases = {std::move(one)}, .decided = true}, gated, "assay run", {}});
}

TEST(WorkflowCommands, AreEscapedAsTheRunnerReadsThem) {
  EXPECT_EQ(commands({"q", "c", "50 % less\n::error::x", Verdict::kRefuted, "why: a, b", {"a,b:c%.toml", 7, 3}}),
            "::error file=a%2Cb%3Ac%25.toml,line=7,col=3,title=refuted%3A q%3A c::50 %25 less%0A::error::x "
            "(refuted)%0Awhy: a, b\n");
  EXPECT_EQ(commands({"q", "c", "x", Verdict::kRefuted, "", {}}, false),
            "::warning title=refuted%3A q%3A c::x (refuted)\n");
  EXPECT_TRUE(is_empty(commands({"q", "c", "x", Verdict::kSupported, "", {}})));
}

TEST(WorkflowCommands, TokensDiffer) {
  EXPECT_NE(fresh_token(), fresh_token());
  EXPECT_GE(fresh_token().size(), 32U);
}

TEST(Paths, AreThoseOfTheRepository) {
  const testing::TempFolder scratch;
  std::filesystem::create_directories(scratch / "repository/sub");
  const auto root = scratch / "repository";
  EXPECT_EQ(path_in(root, (root / "sub/../q.toml").string()), "q.toml");
  EXPECT_EQ(path_in(root, (root / "sub/q.toml").string()), "sub/q.toml");
  EXPECT_EQ(path_in(root, (scratch / "beside.toml").string()), (scratch / "beside.toml").string());
  EXPECT_EQ(path_in({}, "./a/../q.toml"), "q.toml");
}

TEST(StepSummary, IsAppendedToMarkdownAlone) {
  const testing::TempFolder scratch;
  const auto append = [&](const char* name) { return append_step_summary(scratch / name, "### new\n", "-"); };
  for (const std::string before : {"", "# Title\n", "| a |\n", "\xC3\xA9t\xC3\xA9"}) {
    scratch.write("a.md", before);
    EXPECT_TRUE(append("a.md")) << before;
    EXPECT_EQ(read_text(scratch / "a.md"), before + "### new\n");
  }
  EXPECT_TRUE(append("new.md"));
  for (const std::string& before :
       {std::string("SQLite format 3\0", 16), std::string("\x1f\x8b\x08\x08name"), std::string("{\"traceEvents\": []}"),
        std::string("\"ID\",\"Process ID\"\n"), std::string("<!doctype html>"), std::string("\x80\x04}")}) {
    scratch.write("profile", before);
    std::filesystem::remove(scratch / "link");
    std::filesystem::create_symlink("profile", scratch / "link");
    for (const char* name : {"profile", "link"}) {
      const Status written = append(name);
      ASSERT_FALSE(written) << before;
      EXPECT_EQ(written.error().exit, Exit::kUsage);
      EXPECT_EQ(read_text(scratch / "profile"), before);
    }
  }
}

TEST(StepSummary, DoesNotWaitForTheReaderOfAPipe) {
  const testing::TempFolder scratch;
  ASSERT_EQ(mkfifo((scratch / "pipe").c_str(), 0600), 0);
  const Status written = append_step_summary(scratch / "pipe", "text", "-");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().exit, Exit::kFailed);
}

TEST(StepSummaryDeathTest, IsNoInput) {
  const testing::TempFolder scratch;
  scratch.write("a.md", "# a\n");
  const auto appended = [&] {
    files::declare_input(scratch / "a.md");
    std::exit(append_step_summary(scratch / "a.md", "b", "-") ? 0 : 1);
  };
  EXPECT_EXIT(appended(), ::testing::ExitedWithCode(1), "");
}

TEST(Targets, AreReadAndRefused) {
  EXPECT_EQ(read_target("junit=a=b.xml")->file, "a=b.xml");
  EXPECT_EQ(read_target("junit")->file, "assay-junit.xml");
  for (const char* no : {"", "junit=", "github=x", "none=x", "GITHUB", "gitlab", "jenkins"})
    EXPECT_FALSE(read_target(no)) << no;
}

TEST(Junit, HoldsNoCharacterThatXmlDoesNotKnow) {
  const GateInput input{.cases = {{"q", "c", "a\x01\xEF\xBF\xBF<&\">\xFF", Verdict::kRefuted, "", {}}},
                        .decided = true};
  const std::string xml = junit_xml({input, true, "assay run", {}});
  EXPECT_TRUE(contains(xml, "&lt;&amp;&quot;&gt;"));
  for (const char* no : {"\x01", "\xEF\xBF\xBF", "\xFF"}) EXPECT_EQ(xml.find(no), std::string::npos);
}

}  // namespace assay::ci::annotations_test
