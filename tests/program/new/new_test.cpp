// `assay new`: names, the sorted lists, what is written where, and that nothing is ever overwritten.
#include <cerrno>

#include "check/new_command.hpp"
#include "golden/golden_case.hpp"
#include "support/test.hpp"

namespace assay::testing::new_test {

constexpr const char* kTests = "ctest --test-dir ";

TEST(NewName, IsAnIdentifierOfSmallLetters) {
  for (const char* good : {"a", "short_kernels", "rq7", "x1_2"}) EXPECT_TRUE(is_empty(name_problem(good))) << good;
  for (const char* bad : {"", "Short", "7up", "_a", "short-kernels", "a b", "../a", "a/b", "\xC3\xA4", "a."})
    EXPECT_TRUE(contains(name_problem(bad), "is not an identifier; use lowercase letters")) << bad;
}

TEST(NewName, IsNotAWordOfCppOrCMake) {
  for (const char* bad : {"class", "xor_eq", "alignas", "test", "install", "all", "std", "reinterpret_cast"})
    EXPECT_TRUE(contains(name_problem(bad), "is reserved in C++ or CMake")) << bad;
  EXPECT_TRUE(contains(name_problem("assay_flags"), "begins with 'assay_'"));
  EXPECT_TRUE(contains(name_problem("busy_test"), "ends with '_test'"));
  EXPECT_TRUE(is_empty(name_problem("classes")));
}

TEST(SortedLine, GoesBetweenItsNeighbours) {
  const std::string list = "# Sorted.\nset(LIST\n  b\n  d\n)\nafter()\n";
  EXPECT_EQ(with_sorted_line(list, "set(LIST", "  ", "  a"), "# Sorted.\nset(LIST\n  a\n  b\n  d\n)\nafter()\n");
  EXPECT_EQ(with_sorted_line(list, "set(LIST", "  ", "  c"), "# Sorted.\nset(LIST\n  b\n  c\n  d\n)\nafter()\n");
  EXPECT_EQ(with_sorted_line(list, "set(LIST", "  ", "  e"), "# Sorted.\nset(LIST\n  b\n  d\n  e\n)\nafter()\n");
  EXPECT_EQ(with_sorted_line(list, "set(OTHER", "  ", "  e"), std::nullopt);
}

TEST(SortedLine, JoinsAListOfCallsAndNoLaterOne) {
  const std::string calls = "function(t x)\nendfunction()\nt(b)\nt(d)\n\nt(z)\n";
  EXPECT_EQ(with_sorted_line(calls, "t(", "t(", "t(e)"), "function(t x)\nendfunction()\nt(b)\nt(d)\nt(e)\n\nt(z)\n");
  EXPECT_EQ(with_sorted_line(calls, "t(", "t(", "t(a)"), "function(t x)\nendfunction()\nt(a)\nt(b)\nt(d)\n\nt(z)\n");
  EXPECT_EQ(with_sorted_line("t(b)", "t(", "t(", "t(a)"), "t(a)\nt(b)");
}

/// A folder with as much of the source tree as `assay new` looks at.
class New : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* file : {"plugins/CMakeLists.txt", "tests/plugins/analyzers.hpp"}) {
      fs::create_directories((tree() / file).parent_path());
      fs::copy_file(fs::path(ASSAY_SOURCE_DIR) / file, tree() / file);
    }
    fs::create_directories(tree() / "sdk/template");
    fs::create_directories(elsewhere());
  }
  [[nodiscard]] fs::path tree() const { return scratch_.path() / "tree"; }
  [[nodiscard]] fs::path elsewhere() const { return scratch_.path() / "elsewhere"; }
  TempFolder scratch_;
};

TEST_F(New, JoinsTheListsOfTheSourceTree) {
  const Outcome outcome = run_assay(tree() / "plugins", {"new", "jitter"});
  ASSERT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_TRUE(contains(read_text(tree() / "plugins/CMakeLists.txt"), "\n  jitter\n"));
  EXPECT_TRUE(contains(read_text(tree() / "tests/plugins/analyzers.hpp"), "\nASSAY_UNDER_TEST(jitter)\n"));
  for (const char* file : {"plugins/jitter/plugin.cpp", "plugins/jitter/README.md", "configs/jitter.toml",
                           "tests/plugins/jitter/jitter_test.cpp", "tests/golden/cases/jitter/run.txt"}) {
    EXPECT_TRUE(fs::exists(tree() / file)) << file;
    EXPECT_TRUE(contains(outcome.out, file));
  }
  EXPECT_TRUE(
      contains(read_text(tree() / "plugins/jitter/plugin.cpp"), R"(ASSAY_PLUGIN("jitter", "0.1.0", JitterAnalyzer);)"));
  for (const std::string& name : files_below(tree()))
    EXPECT_EQ(read_text(tree() / name).find("@NAME@"), std::string::npos);
}

TEST_F(New, NothingIsOverwrittenAndNothingIsLeftBehind) {
  fs::create_directories(tree() / "tests/golden/cases/jitter");
  const auto before = files_below(scratch_.path());
  const Outcome outcome = run_assay(tree(), {"new", "jitter"});
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_EQ(outcome.err, "assay: '" + (tree() / "tests/golden/cases/jitter").string() +
                             "' already exists and is not overwritten; choose another name or remove it\n");
  EXPECT_EQ(files_below(scratch_.path()), before);
}

TEST_F(New, AListThatCannotBeExtendedLeavesTheTreeAsItWas) {
  write_text(tree() / "tests/plugins/analyzers.hpp", "// no list\n");
  const auto before = files_below(scratch_.path());
  const std::string list = read_text(tree() / "plugins/CMakeLists.txt");
  const Outcome outcome = run_assay(tree(), {"new", "jitter"});
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_TRUE(contains(outcome.err, "no line begins with 'ASSAY_UNDER_TEST('"));
  EXPECT_EQ(files_below(scratch_.path()), before);
  EXPECT_EQ(read_text(tree() / "plugins/CMakeLists.txt"), list);
}

TEST_F(New, AFullDiskLeavesNothing) {
  const auto before = files_below(scratch_.path());
  const Outcome outcome = run_assay(tree(), {"new", "jitter"}, {.file_bytes = 900});
  EXPECT_EQ(outcome.exit, 3) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, std::strerror(EFBIG)));
  EXPECT_EQ(files_below(scratch_.path()), before);
}

TEST_F(New, OutOfTreeIsAProjectOfItsOwn) {
  const Outcome outcome = run_assay(elsewhere(), {"new", "jitter", "--out-of-tree", "my analyzers"});
  ASSERT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_TRUE(
      contains(read_text(elsewhere() / "my analyzers/jitter/CMakeLists.txt"), "find_package(assay_sdk REQUIRED)"));
  EXPECT_TRUE(contains(outcome.out, "cmake -S 'my analyzers/jitter' -B 'my analyzers/jitter/build' "));
  EXPECT_TRUE(contains(outcome.out, kTests));
  EXPECT_TRUE(contains(read_text(elsewhere() / "my analyzers/jitter/.github/workflows/ci.yml"), "bash ci.sh /opt"));
  EXPECT_TRUE(contains(read_text(elsewhere() / "my analyzers/jitter/ci.sh"), "bench \"$build/jitter.so\""));
  const Outcome again = run_assay(elsewhere(), {"new", "jitter", "--out-of-tree", "my analyzers"});
  EXPECT_EQ(again.exit, 2);
  EXPECT_TRUE(contains(again.err, "already exists"));
}

TEST_F(New, SmallIsOneSourceFile) {
  const Outcome outcome = run_assay(elsewhere(), {"new", "jitter", "--small"});
  ASSERT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_TRUE(permutes(files_below(elsewhere()), {"jitter/CMakeLists.txt", "jitter/jitter.toml", "jitter/plugin.cpp"}));
  const std::string plugin = read_text(elsewhere() / "jitter/plugin.cpp");
  EXPECT_LE(std::count(plugin.begin(), plugin.end(), '\n'), 40);
  EXPECT_TRUE(contains(plugin, R"(ASSAY_PLUGIN("jitter", "0.1.0", Jitter);)"));
  EXPECT_TRUE(contains(outcome.out, "cmake -S ./jitter -B ./jitter/build "));
  EXPECT_FALSE(contains(outcome.out, kTests));
  EXPECT_EQ(run_assay(elsewhere(), {"new", "jitter", "--small"}).exit, 2) << "nothing is overwritten";
  EXPECT_EQ(run_assay(elsewhere(), {"new", "jitter", "--small", "--out-of-tree", "other"}).exit, 0);
  EXPECT_TRUE(fs::exists(elsewhere() / "other/jitter/plugin.cpp"));
}

TEST_F(New, ReportsImpossibleRequestsInOneSentence) {
  EXPECT_TRUE(starts_with(
      run_assay(elsewhere(), {"new", "jitter"}).err,
      "assay: the current folder is not in a source tree of assay; change to one, or give --out-of-tree DIR"));
  EXPECT_TRUE(contains(run_assay(elsewhere(), {"new", "run_summary", "--out-of-tree", "."}).err,
                       "there is an analyzer 'run_summary' already, "));
  const Outcome outcome = run_assay(elsewhere(), {"new", "Run-Summary", "--out-of-tree", "."});
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_TRUE(contains(outcome.err, "'Run-Summary'"));
  EXPECT_TRUE(is_empty(files_below(elsewhere())));
}

}  // namespace assay::testing::new_test
