// Commands of others: programs assay-NAME.
#include "support/test.hpp"

namespace assay::testing::external_test {

class ExternalCommands : public ::testing::Test {
 protected:
  void add(const std::string& name, const std::string& text) {
    folder_.write("bin/" + name, text);
    fs::permissions(folder_ / "bin" / name, fs::perms::owner_all);
  }
  Outcome run(const std::vector<std::string>& arguments) {
    return run_assay(folder_.path(), arguments,
                     {.environment = {{"PATH", (folder_ / "bin").string() + ":" + std::getenv("PATH")}}});
  }
  TempFolder folder_;
};

TEST_F(ExternalCommands, GetTheArgumentsAndCallTheProgramBack) {
  add("assay-twice", "#!/bin/sh\nprintf '%s|' \"$@\"\n\"$ASSAY_PROGRAM\" --version\nexit 7\n");
  const Outcome outcome = run({"twice", "a b", "--json", "-q"});
  EXPECT_EQ(outcome.exit, 7) << outcome.err;
  EXPECT_TRUE(outcome.out.starts_with("a b|--json|-q|assay ")) << outcome.out;
}

TEST_F(ExternalCommands, AreNeitherCommandsOfTheProgramNorFilesElsewhere) {
  add("assay-look", "#!/bin/sh\nexit 7\n");
  add("assay-explain", "#!/bin/sh\nexit 7\n");
  EXPECT_EQ(run({"look"}).exit, 2) << "its own command";
  EXPECT_EQ(run({"../bin/look"}).exit, 2) << "a path";
  EXPECT_EQ(run({"thrice"}).exit, 2) << "none of that name";
}

TEST_F(ExternalCommands, FailIfTheyCannotStart) {
  add("assay-broken", "#!/no/such/interpreter\n");
  const Outcome outcome = run({"broken"});
  EXPECT_EQ(outcome.exit, 3);
  EXPECT_TRUE(contains(outcome.err, "assay-broken"));
}

}  // namespace assay::testing::external_test
