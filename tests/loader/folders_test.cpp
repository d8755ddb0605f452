// Finding plugins in folders, and unloading them.
#include "fixtures.hpp"
#include "support/test.hpp"

#if defined(__SANITIZE_ADDRESS__)
#define ASSAY_WITH_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ASSAY_WITH_ASAN 1
#endif
#endif

namespace assay::folders_test {

using fixture::test_plugin;

std::vector<std::string> ids(const Plugins& plugins) {
  std::vector<std::string> found;
  for (const auto& plugin : plugins.loaded) found.emplace_back(plugin->id());
  return found;
}

TEST(PluginFolders, AreSearchedInOrder) {
  ASSERT_EQ(setenv("ASSAY_PLUGIN_PATH", "/from/environment::/second", 1), 0);
  const std::vector<fs::path> given = {"/from/command/line"};
  const std::vector<fs::path> folders = plugin_folders(given);
  ASSERT_EQ(unsetenv("ASSAY_PLUGIN_PATH"), 0);
  ASSERT_EQ(folders.size(), 4U);
  EXPECT_EQ(folders[0], "/from/command/line");
  EXPECT_EQ(folders[1], "/from/environment");
  EXPECT_EQ(folders[2], "/second");
  const fs::path host = fs::read_symlink("/proc/self/exe");
  EXPECT_EQ(folders[3], host.parent_path().parent_path() / "lib/assay/plugins");
}

TEST(LoadPlugins, AreSortedByIdAndBadOnesDoNotSpoilGoodOnes) {
  const TempFolder folder;
  fixture::add_plugins(folder, {"good", "clinging", "wrong_magic", "no_symbol", "undefined_symbol", "newer_major"});
  std::ofstream(folder.path() / "text.so") << "text";
  std::ofstream(folder.path() / "README.md") << "not looked at";
  const std::vector<fs::path> folders = {folder.path()};
  const Plugins plugins = load_plugins(folders);
  EXPECT_TRUE(equals(ids(plugins), {"clinging", "good"}));
  EXPECT_EQ(plugins.refused.size(), 5U);
  EXPECT_EQ(plugins.searched, folders);
  ASSERT_NE(plugins.find("good"), nullptr);
  EXPECT_EQ(plugins.find("good")->file(), folder.path() / "good.so");
  EXPECT_EQ(plugins.find("goo"), nullptr);
}

TEST(LoadPlugins, KeepsTheFirstOfTwoEqualIds) {
  const TempFolder first, second;
  fixture::add_plugins(first, {"good_again"});
  fixture::add_plugins(second, {"good"});
  const std::vector<fs::path> folders = {first.path(), second.path()};
  const Plugins plugins = load_plugins(folders);
  ASSERT_TRUE(equals(ids(plugins), {"good"}));
  EXPECT_EQ(plugins.loaded[0]->file(), first.path() / "good_again.so");
  ASSERT_EQ(plugins.refused.size(), 1U);
  EXPECT_EQ(plugins.refused[0].file, second.path() / "good.so");
  EXPECT_TRUE(contains(plugins.refused[0].sentence, "has the id 'good'"));
  EXPECT_TRUE(contains(plugins.refused[0].sentence, (first.path() / "good_again.so").string()));
}

TEST(LoadPlugins, AMetricHasOneProducer) {
  const TempFolder folder;
  fixture::add_plugins(folder, {"duplicate_metric", "good"});  // by file name, so this one is first
  const std::vector<fs::path> folders = {folder.path()};
  const Plugins plugins = load_plugins(folders);
  ASSERT_TRUE(equals(ids(plugins), {"duplicate_metric"}));
  ASSERT_EQ(plugins.refused.size(), 1U);
  EXPECT_TRUE(contains(plugins.refused[0].sentence,
                       "declares the metric 'good.kernel_count' that 'duplicate_metric' declares too"));
}

TEST(LoadPlugins, AFileReachedTwiceIsOpenedOnce) {
  const TempFolder folder, links;
  fixture::add_plugins(folder, {"good"});
  fs::create_symlink(folder.path() / "good.so", links.path() / "linked.so");
  const std::vector<fs::path> folders = {folder.path(), folder.path() / ".", links.path()};
  const Plugins plugins = load_plugins(folders);
  EXPECT_TRUE(equals(ids(plugins), {"good"}));
  EXPECT_TRUE(plugins.refused.empty());
}

TEST(LoadPlugins, AFolderThatIsNotThereIsSaid) {
  const TempFolder folder;
  const std::vector<fs::path> folders = {folder.path() / "absent"};
  const Plugins plugins = load_plugins(folders);
  EXPECT_TRUE(plugins.loaded.empty());
  ASSERT_EQ(plugins.refused.size(), 1U);
  EXPECT_TRUE(contains(plugins.refused[0].sentence, "cannot be listed"));
}

bool is_mapped(const fs::path& file) {
  std::ifstream maps("/proc/self/maps");
  const std::string name = fs::canonical(file).string();
  for (std::string line; std::getline(maps, line);) {
    if (line.ends_with(name)) return true;
  }
  return false;
}

/// Opens, uses and lets go of a plugin; says whether it was mapped meanwhile.
bool use_plugin(const fs::path& file) {
  const auto plugin = Plugin::open(file);
  if (!plugin) return false;
  fixture::World world;
  world.enable(**plugin);
  const Analyzers analyzers = Analyzers::make(world.plan.questions[0]);
  const fixture::TinyReport tiny({{0, 10}});
  struct Ignore final : ErrorSink {
    void fail(Str) noexcept override {}
  } errors;
  struct Keep final : ReportSink {
    Emit emit_fact(Str, Span<Dim>, double, Span<double>) noexcept override { return Emit::kOk; }
    Emit emit_attribute(Str, Str) noexcept override { return Emit::kOk; }
    Emit emit_table(const TableView*) noexcept override { return Emit::kOk; }
    void emit_skip(Str, Str) noexcept override {}
    void emit_skip_by(SkipCause, Str, Str) noexcept override {}
    void emit_issue(Str, Severity, std::int64_t, Str) noexcept override {}
    void note(Str) noexcept override {}
    Emit emit_rows(const TableView*) noexcept override { return Emit::kOk; }
    Emit emit_rank_rows(const TableView*) noexcept override { return Emit::kOk; }
    Emit emit_study_rows(const TableView*) noexcept override { return Emit::kOk; }
  } sink;
  return analyzers.at(0) != nullptr && analyzers.at(0)->analyze(tiny.report, sink, errors) && is_mapped(file);
}

TEST(Unloading, ReallyUnmaps) {
  for (const char* name : {"good", "clinging"}) {
    const fs::path file = test_plugin(name);
    ASSERT_FALSE(is_mapped(file));
    EXPECT_TRUE(use_plugin(file));
    EXPECT_FALSE(is_mapped(file)) << name << " stays mapped after it was closed";
    EXPECT_TRUE(use_plugin(file)) << "a second time, with fresh statics";
    EXPECT_FALSE(is_mapped(file));
  }
}

TEST(Unloading, ARefusedLibraryIsUnmappedToo) {
  EXPECT_FALSE(Plugin::open(test_plugin("wrong_magic")).ok());
  EXPECT_FALSE(is_mapped(test_plugin("wrong_magic")));
}

std::vector<std::string> exported_symbols(const fs::path& file) {
  const std::string command = "nm -D --defined-only --format=posix '" + file.string() + "'";
  std::vector<std::string> names;
  std::istringstream lines(testing::run_shell(".", command).out);
  for (std::string line; std::getline(lines, line);) names.push_back(line.substr(0, line.find_first_of(" @")));
  return names;
}

TEST(Plugins, ExportOneSymbol) {
#ifdef ASSAY_WITH_ASAN
  GTEST_SKIP() << "the address sanitizer exports symbols of its own";
#endif
  if (testing::run_shell(".", "nm --version").exit != 0) GTEST_SKIP() << "nm is not installed";
  std::vector<fs::path> files = {test_plugin("good"), test_plugin("clinging"), test_plugin("throwing_analyze")};
  const fs::path real = fs::path(ASSAY_BINARY_DIR) / "lib/assay/plugins";
  if (fs::is_directory(real)) {
    for (const auto& entry : fs::directory_iterator(real)) files.push_back(entry.path());
  }
  for (const fs::path& file : files) {
    const auto symbols = exported_symbols(file);
    const bool one = symbols.size() == 1 && (*symbols.begin() == "assay_plugin" || *symbols.begin() == "assay_format");
    EXPECT_TRUE(one) << file;
  }
}

}  // namespace assay::folders_test
