// What a policy makes of verdicts, and how text of others is written into the formats of CI services.
#include "ci/policy.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ci/annotations.hpp"
#include "scratch_folder.hpp"

namespace assay::ci {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr Verdict kVerdicts[] = {Verdict::kSupported, Verdict::kRefuted, Verdict::kInconclusive, Verdict::kUntestable};

/// One case of each verdict: q: c0 to c3.
Judged one_of_each() {
  Judged judged{.decided = true};
  for (std::size_t i = 0; i < 4; ++i)
    judged.cases.push_back({.question = "q", .claim = "c" + std::to_string(i), .metric = "m", .verdict = kVerdicts[i]});
  return judged;
}

std::vector<Action> actions(const Policy& policy, const char* day = "2026-06-15") {
  std::vector<Action> out;
  for (const Answer& answer : gate(policy, one_of_each(), *read_day(day)).answers) out.push_back(answer.action);
  return out;
}

TEST(Policy, WithoutAFileOnlyRefutedClaimsFail) {
  EXPECT_THAT(actions({}), ElementsAre(Action::kPass, Action::kFail, Action::kPass, Action::kPass));
}

TEST(Policy, TheLastRuleThatFitsHolds) {
  Policy policy;
  policy.rules = {{{"q", "", ""}, {std::nullopt, Action::kPass, Action::kWarn}, {}},
                  {{"", "c?", "m"}, {std::nullopt, Action::kUndecided}, {}},
                  {{"other", "", ""}, {std::nullopt, Action::kFail, Action::kFail, Action::kFail}, {}}};
  EXPECT_THAT(actions(policy), ElementsAre(Action::kPass, Action::kUndecided, Action::kWarn, Action::kPass));
}

TEST(Policy, AWaiverHoldsUpToItsLastDayAndTheLongestOneCounts) {
  Policy policy;
  policy.waivers = {{{"", "c1", ""}, *read_day("2026-06-14"), "first", {}},
                    {{"q", "", ""}, *read_day("2026-06-15"), "second", {}}};
  EXPECT_EQ(actions(policy, "2026-06-14")[1], Action::kWaived);
  EXPECT_EQ(actions(policy, "2026-06-15")[1], Action::kWaived);
  EXPECT_EQ(actions(policy, "2026-06-16")[1], Action::kFail);
  const GateResult gone = gate(policy, one_of_each(), *read_day("2026-06-16"));
  EXPECT_TRUE(gone.answers[1].expired);
  EXPECT_EQ(state_of(gone.answers[1]), "refuted; its waiver expired on 2026-06-15: second");
  EXPECT_EQ(gone.worst, Action::kFail);
}

TEST(Policy, NothingDecidedIsUndecidedUnlessThePolicySaysOtherwise) {
  Judged judged{.decided = false, .undecided = "nothing"};
  EXPECT_EQ(gate({}, judged, today()).worst, Action::kUndecided);
  for (const Action action : {Action::kPass, Action::kWarn, Action::kFail}) {
    Policy policy;
    policy.undecided = action;
    EXPECT_EQ(gate(policy, judged, today()).worst, action);
  }
}

TEST(Policy, DaysAreThoseOfTheCalendar) {
  for (const char* day : {"2026-01-01", "2024-02-29", "0001-01-01", "9999-12-31"}) {
    ASSERT_TRUE(read_day(day)) << day;
    EXPECT_EQ(day_text(*read_day(day)), day);
  }
  for (const char* no : {"2026-02-29", "2026-00-01", "2026-13-01", "2026-1-01", "26-01-01", "2026-01-011", "2026/01/01",
                         "", "+026-01-01", "2026-01-1x", "0000-01-01"})
    EXPECT_FALSE(read_day(no)) << no;
  EXPECT_EQ((*read_day("2024-03-01") - *read_day("2024-02-28")).count(), 2);
}

Result<Policy> read(const std::string& text) {
  const testing::ScratchFolder scratch;
  std::ofstream(scratch / "policy.toml") << text;
  return Policy{}.with(scratch / "policy.toml");
}

TEST(Policy, AFileSaysOnlyWhatChanges) {
  const auto policy =
      read("[gate]\nuntestable = 'warn'\nnothing_decided = 'pass'\n[compare]\nallow = ['step=+2%', 'idle=0']\n");
  ASSERT_TRUE(policy) << policy.error().sentence;
  EXPECT_THAT(actions(*policy), ElementsAre(Action::kPass, Action::kFail, Action::kPass, Action::kWarn));
  EXPECT_EQ(policy->undecided, Action::kPass);
  EXPECT_THAT(policy->allow, ElementsAre("step=+2%", "idle=0"));
}

TEST(Policy, MistakesAreNamedWithTheirLine) {
  for (const auto& [text, line] : std::initializer_list<std::pair<const char*, const char*>>{
           {"\n[gate]\nrefuted = 'boom'", "policy.toml:3:"},
           {"[gate]\nsupported = 'fail'", "policy.toml:2:"},
           {"\n\n[[waiver]]\nclaim = 'c'\nreason = 'r'", "policy.toml:3:"},
           {"[[rule]]\nclaim = 'x'\n", "policy.toml:1:"},
           {"[gates]\n", "policy.toml:1:"},
           {"gate = 3", "policy.toml:1:"}}) {
    const auto policy = read(text);
    ASSERT_FALSE(policy) << text;
    EXPECT_THAT(policy.error().sentence, HasSubstr(line)) << text;
  }
}

std::string commands(Case one, bool gated = true) {
  const GateResult result = gate({}, {{std::move(one)}, true, ""}, today());
  return workflow_commands({result, gated, "assay run", "", {}});
}

TEST(WorkflowCommands, AreEscapedAsTheRunnerReadsThem) {
  EXPECT_EQ(commands({"q", "c", "", "50 % less\n::error::x", Verdict::kRefuted, "why: a, b", {"a,b:c%.toml", 7, 3}}),
            "::error file=a%2Cb%3Ac%25.toml,line=7,col=3,title=refuted%3A q%3A c::50 %25 less%0A::error::x "
            "(refuted)%0Awhy: a, b\n");
  EXPECT_EQ(commands({"q", "c", "", "x", Verdict::kRefuted, "", {}}, false),
            "::warning title=refuted%3A q%3A c::x (refuted)\n");
  EXPECT_THAT(commands({"q", "c", "", "x", Verdict::kSupported, "", {}}), IsEmpty());
}

TEST(WorkflowCommands, TokensDiffer) {
  EXPECT_NE(fresh_token(), fresh_token());
  EXPECT_GE(fresh_token().size(), 32U);
}

TEST(Paths, AreThoseOfTheRepository) {
  const testing::ScratchFolder scratch;
  std::filesystem::create_directories(scratch / "repository/sub");
  const auto root = scratch / "repository";
  EXPECT_EQ(path_in(root, (root / "sub/../q.toml").string()), "q.toml");
  EXPECT_EQ(path_in(root, (root / "sub/q.toml").string()), "sub/q.toml");
  EXPECT_EQ(path_in(root, (scratch / "beside.toml").string()), (scratch / "beside.toml").string());
  EXPECT_EQ(path_in({}, "./a/../q.toml"), "q.toml");
}

TEST(Targets, AreReadAndRefused) {
  EXPECT_EQ(read_target("junit=a=b.xml")->file, "a=b.xml");
  EXPECT_EQ(read_target("gitlab")->file, "gl-code-quality-report.json");
  for (const char* no : {"", "junit=", "github=x", "none=x", "GITHUB", "jenkins"}) EXPECT_FALSE(read_target(no)) << no;
}

TEST(Junit, HoldsNoCharacterThatXmlDoesNotKnow) {
  const GateResult result =
      gate({}, {{{"q", "c", "", "a\x01\xEF\xBF\xBF<&\">\xFF", Verdict::kRefuted, "", {}}}, true, ""}, today());
  const std::string xml = junit_xml({result, true, "assay run", "", {}});
  EXPECT_THAT(xml, HasSubstr("&lt;&amp;&quot;&gt;"));
  for (const char* no : {"\x01", "\xEF\xBF\xBF", "\xFF"}) EXPECT_EQ(xml.find(no), std::string::npos);
}

}  // namespace
}  // namespace assay::ci
