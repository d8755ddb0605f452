// Analyzers that come with a question: [plugins].
#include "golden/golden_case.hpp"
#include "support/test.hpp"

namespace assay::testing::question_plugins_test {

TEST(QuestionPlugins, AreFoundBesideTheQuestionWhereverTheProgramRuns) {
  TempFolder scratch;
  prepare_inputs(fs::path(ASSAY_SOURCE_DIR) / "tests/golden/cases/three_reports", scratch.path());
  fs::create_directories(scratch / "asked/own");
  fs::copy_file(fs::path(ASSAY_BINARY_DIR) / "tests/loader/plugins/good.so", scratch / "asked/own/good.so");
  const auto ask = [&](const std::string& plugins) {
    write_text(scratch / "asked/q.toml", "[question]\nid = \"q\"\n" + plugins + "[analyzers.good]\n");
    return run_assay(scratch.path(),
                     {"run", "asked/q.toml", "--reports", "reports", "-o", "out", "--no-cache", "--trust-plugins"});
  };
  EXPECT_EQ(ask("").exit, 2) << "or the test does not need the key";
  const Outcome outcome = ask("[plugins]\nfolders = [\"own\"]\n");
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_TRUE(fs::exists(scratch / "out/facts.csv"));
}

TEST(QuestionPlugins, RunInNoCommandUnlessTheUserTrustsThem) {
  TempFolder scratch;
  prepare_inputs(fs::path(ASSAY_SOURCE_DIR) / "tests/golden/cases/three_reports", scratch.path());
  fs::create_directories(scratch / "asked/own");
  fs::copy_file(fs::path(ASSAY_BINARY_DIR) / "tests/loader/plugins/good.so", scratch / "asked/own/good.so");
  write_text(scratch / "asked/q.toml", "[question]\nid = \"q\"\n[plugins]\nfolders = [\"own\"]\n[analyzers.good]\n");
  const std::vector<std::vector<std::string>> commands{
      {"run", "asked/q.toml", "--reports", "reports", "-o", "out", "--no-cache"},
      {"plan", "asked/q.toml"},
      {"bench", "good", "--config", "asked/q.toml", "--reports", "reports", "-n", "1"}};
  for (std::vector<std::string> command : commands) {
    const Outcome refused = run_assay(scratch.path(), command);
    EXPECT_EQ(refused.exit, 2) << command.front();
    EXPECT_TRUE(contains_all(refused.err, {"good.so", "--trust-plugins"})) << command.front();
    command.emplace_back("--trust-plugins");
    EXPECT_EQ(run_assay(scratch.path(), command).exit, 0) << command.front();
    command.back() = "--plugin-path";
    command.emplace_back("asked/own");
    EXPECT_EQ(run_assay(scratch.path(), command).exit, 0) << "a folder that the user names";
  }
}

}  // namespace assay::testing::question_plugins_test
