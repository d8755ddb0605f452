// Analyzers that come with a question: [plugins].
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "golden_case.hpp"
#include "scratch_folder.hpp"

namespace assay::testing {
namespace {

namespace fs = std::filesystem;

TEST(QuestionPlugins, AreFoundBesideTheQuestionWhereverTheProgramRuns) {
  ScratchFolder scratch;
  prepare_inputs(fs::path(ASSAY_SOURCE_DIR) / "tests/golden/cases/three_reports", scratch.path());
  fs::create_directories(scratch / "asked/own");
  fs::copy_file(fs::path(ASSAY_BINARY_DIR) / "tests/loader/plugins/good.so", scratch / "asked/own/good.so");
  const auto ask = [&](const std::string& plugins) {
    write_text(scratch / "asked/q.toml", "[question]\nid = \"q\"\n" + plugins + "[analyzers.good]\n");
    return run_assay(scratch.path(), {"run", "asked/q.toml", "--reports", "reports", "-o", "out", "--no-cache"});
  };
  EXPECT_EQ(ask("").exit, 2) << "or the test does not need the key";
  const Outcome outcome = ask("[plugins]\nfolders = [\"own\"]\n");
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_TRUE(fs::exists(scratch / "out/facts.csv"));
}

}  // namespace
}  // namespace assay::testing
