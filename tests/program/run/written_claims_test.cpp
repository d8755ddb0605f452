// The claims that docs/question.md and `assay init` write, run as they are written.
#include <nlohmann/json.hpp>

#include "golden/golden_case.hpp"
#include "support/test.hpp"

namespace assay::testing::written_claims_test {

const fs::path kCase = fs::path(ASSAY_SOURCE_DIR) / "tests/golden/cases/init/profiles";

std::string with_steps_of_the_page(std::string text) {
  for (std::size_t at = 0; (at = text.find("'step_", at)) != std::string::npos;)
    text.replace(at, 6, "'test_compute_batch_");
  return text;
}

/// The TOML of a page, block after block.
std::string toml_of(const std::string& page) {
  constexpr std::string_view kBegin = "```toml\n";
  std::string toml;
  for (std::size_t at = 0; (at = page.find(kBegin, at)) != std::string::npos;) {
    at += kBegin.size();
    toml += page.substr(at, page.find("```", at) - at);
  }
  return toml;
}

/// What `assay init` wrote, with its claim.
std::string uncommented(const std::string& toml) {
  const std::size_t claim = toml.find("# [analyzers.claim_verdicts]");
  std::string out = toml.substr(0, claim);
  for (std::size_t at = claim; at < toml.size();) {
    const std::size_t end = std::min(toml.find('\n', at), toml.size() - 1);
    out += toml.substr(at + 2, end - at - 1);
    at = end + 1;
  }
  return out;
}

class WrittenClaims : public ::testing::Test {
 protected:
  WrittenClaims() {
    const std::pair<const char*, const char*> kProfiles[] = {{"vit8_compiled", "vit 1 layers, run 1.sql"},
                                                             {"vit8_uncompiled", "vit 2 layers, run 1.sql"},
                                                             {"vit16_compiled", "vit 1 layers, run 2.sql"},
                                                             {"vit16_uncompiled", "vit 2 layers, run 2.sql"}};
    for (const auto& [name, from] : kProfiles)
      write_text(scratch_ / "in" / (std::string(name) + ".sql"), with_steps_of_the_page(read_text(kCase / from)));
    prepare_inputs(scratch_ / "in", scratch_ / "profiles");
  }

  Outcome assay(const std::string& arguments) const { return run_assay(scratch_.path(), split_command(arguments)); }

  /// The claim as it was judged, after the question was planned and run.
  [[nodiscard]] nlohmann::json judged(const std::string& toml, const std::string& profiles) const {
    write_text(scratch_ / "mine.toml", toml);
    const Outcome plan = assay("plan mine.toml --reports " + profiles);
    EXPECT_EQ(plan.exit, 0) << plan.err << toml;
    const Outcome run = assay("run mine.toml --force -o out --reports " + profiles);
    EXPECT_EQ(run.exit, 0) << run.err;
    return nlohmann::json::parse(read_text(scratch_ / "out/findings.json")).at("questions").at(0).at("claims").at(0);
  }

  TempFolder scratch_;
};

TEST_F(WrittenClaims, OfThePageIsJudgedInItsPairs) {
  const std::string page = read_text(fs::path(ASSAY_SOURCE_DIR) / "docs/question.md");
  const nlohmann::json claim =
      judged("[question]\nid = \"mine\"\n[analyzers.run_summary]\n" + toml_of(page), "profiles");
  EXPECT_NE(claim.at("verdict"), "untestable") << claim;
  EXPECT_EQ(claim.at("strata").size(), 2U) << claim;
}

TEST_F(WrittenClaims, OfInitIsJudgedInItsPairs) {
  EXPECT_EQ(assay("init profiles -o mine.toml").exit, 0);
  const nlohmann::json claim = judged(uncommented(read_text(scratch_ / "mine.toml")), "profiles");
  EXPECT_NE(claim.at("verdict"), "untestable") << claim;
  EXPECT_EQ(claim.at("strata").size(), 2U) << claim;
}

TEST_F(WrittenClaims, OfInitIsAboutEachRunIfNothingIsCompared) {
  fs::create_directories(scratch_ / "one");
  fs::copy(scratch_ / "profiles/vit8_compiled.sqlite", scratch_ / "one/profile.sqlite");
  EXPECT_EQ(assay("init one -o mine.toml").exit, 0);
  const nlohmann::json claim = judged(uncommented(read_text(scratch_ / "mine.toml")), "one");
  EXPECT_NE(claim.at("verdict"), "untestable") << claim;
  EXPECT_EQ(claim.at("strata").size(), 1U) << claim;
}

}  // namespace assay::testing::written_claims_test
