// Libraries that harm whoever loads them: each is refused by its name, and the others are there.
#include "fixtures.hpp"
#include "support/test.hpp"

namespace assay::probe_test {

using fixture::test_plugin;

/// A variable of the environment while this lives; null: it is not set.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    set(value);
  }
  ~Variable() { set(before_ ? before_->c_str() : nullptr); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  void set(const char* value) const { value != nullptr ? setenv(name_, value, 1) : unsetenv(name_); }
  const char* name_;
  std::optional<std::string> before_;
};

Plugins load_from(const fs::path& folder) {
  const std::vector<fs::path> folders = {folder};
  return load_plugins(folders);
}

TEST(Probe, RefusesHarmfulLibrariesByName) {
  const TempFolder folder, cache;
  const Variable home("XDG_CACHE_HOME", cache.path().c_str());
  const std::map<std::string, std::string> why = {{"aborting_at_load", "crashed with SIGABRT"},
                                                  {"throwing_at_load", "crashed with SIGABRT"},
                                                  {"spinning_at_load", "was stopped after 5 s"},
                                                  {"waiting_at_load", "was stopped after 5 s"},
                                                  {"exiting_at_load", "ended its process with exit code 7"},
                                                  {"leaving_at_load", "ended its process with exit code 0"},
                                                  {"aborting_at_unload", "crashed with SIGABRT"}};
  fixture::add_plugins(folder, {"good"});
  for (const auto& [name, reason] : why) fixture::add_plugins(folder, {name});
  for (const char* round : {"first", "second"}) {
    SCOPED_TRACE(round);
    const Plugins plugins = load_from(folder.path());
    ASSERT_EQ(plugins.loaded.size(), 1U);
    EXPECT_EQ(plugins.loaded[0]->id(), "good");
    ASSERT_EQ(plugins.refused.size(), why.size());
    for (const RefusedPlugin& refused : plugins.refused) {
      EXPECT_TRUE(contains(refused.sentence, "when it was loaded"));
      EXPECT_TRUE(starts_with(refused.sentence, refused.file.string() + ": " + why.at(refused.file.stem())));
    }
    EXPECT_TRUE(contains(plugins.refused[0].sentence, "it said: no licence"));
  }
  const auto alone = Plugin::open(test_plugin("aborting_at_load"));
  ASSERT_FALSE(alone);
  EXPECT_TRUE(contains(alone.error().sentence, "crashed with SIGABRT"));
}

/// How often the library was loaded by `load_plugins`, here and in processes of their own.
std::size_t loads(const fs::path& folder, const fs::path& count) {
  fs::remove(count);
  const Variable counting("ASSAY_TEST_LOADS", count.c_str());
  EXPECT_EQ(load_from(folder).loaded.size(), 1U);
  return read_text(count).size();
}

TEST(Probe, IsRememberedByTheBytesOfTheFile) {
  const TempFolder folder, cache, elsewhere;
  fixture::add_plugins(folder, {"counting_loads"});
  const fs::path file = folder.path() / "counting_loads.so", count = elsewhere.path() / "count";
  const Variable home("XDG_CACHE_HOME", cache.path().c_str());
  EXPECT_EQ(loads(folder.path(), count), 2U) << "tried, then loaded";
  EXPECT_EQ(loads(folder.path(), count), 1U) << "remembered";
  // A broken plugin does what its file is called, so another folder stands for another name.
  const TempFolder moved;
  fs::rename(file, moved.path() / "counting_loads.so");
  EXPECT_EQ(loads(moved.path(), count), 1U) << "by its bytes, wherever it lies";
  std::ofstream(moved.path() / "counting_loads.so", std::ios::app) << "x";
  EXPECT_EQ(loads(moved.path(), count), 2U) << "other bytes";
  EXPECT_EQ(loads(moved.path(), count), 1U);
}

TEST(Probe, WithoutACacheEachTimeAnew) {
  const TempFolder folder, elsewhere;
  fixture::add_plugins(folder, {"counting_loads"});
  const fs::path count = elsewhere.path() / "count";
  for (const char* const cache : {static_cast<const char*>(nullptr), "/proc/none"}) {
    const Variable home("HOME", nullptr), given("XDG_CACHE_HOME", cache);
    EXPECT_EQ(loads(folder.path(), count), 2U);
    EXPECT_EQ(loads(folder.path(), count), 2U);
  }
}

/// A copy that ended early, within its headers or after them.
TEST(Probe, ACutLibraryIsRefusedByName) {
  const TempFolder folder, cache;
  const Variable home("XDG_CACHE_HOME", cache.path().c_str());
  const std::string good = read_text(test_plugin("good"));
  for (const std::size_t length :
       {std::size_t{0}, std::size_t{63}, std::size_t{64}, good.size() / 4, good.size() / 2}) {
    const fs::path file = folder.path() / ("cut_at_" + std::to_string(length) + ".so");
    std::ofstream(file, std::ios::binary) << good.substr(0, length);
  }
  fs::copy_file(test_plugin("good"), folder.path() / "whole.so");
  const Plugins plugins = load_from(folder.path());
  ASSERT_EQ(plugins.loaded.size(), 1U);
  EXPECT_EQ(plugins.loaded[0]->file(), folder.path() / "whole.so");
  ASSERT_EQ(plugins.refused.size(), 5U);
  for (const RefusedPlugin& refused : plugins.refused)
    EXPECT_TRUE(starts_with(refused.sentence, refused.file.string() + ": is "));
}

}  // namespace assay::probe_test
