// Libraries that harm whoever loads them: each is refused by its name, and the others are there.
#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <random>

#include "fixtures.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;
using fixture::TempFolder;
using fixture::test_plugin;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

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

std::string bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(Probe, ALibraryThatHarmsWhoeverLoadsItIsRefusedByName) {
  const TempFolder folder, cache;
  const Variable home("XDG_CACHE_HOME", cache.path().c_str());
  const std::map<std::string, std::string> why = {{"aborting_at_load", "crashed with SIGABRT"},
                                                  {"throwing_at_load", "crashed with SIGABRT"},
                                                  {"spinning_at_load", "was stopped after 5 s"},
                                                  {"waiting_at_load", "was stopped after 5 s"},
                                                  {"exiting_at_load", "ended its process with exit code 7"},
                                                  {"leaving_at_load", "ended its process with exit code 0"},
                                                  {"aborting_at_unload", "crashed with SIGABRT"}};
  folder.add_plugins({"good"});
  for (const auto& [name, reason] : why) folder.add_plugins({name});
  for (const char* round : {"first", "second"}) {
    SCOPED_TRACE(round);
    const Plugins plugins = load_from(folder.path());
    ASSERT_EQ(plugins.loaded.size(), 1U);
    EXPECT_EQ(plugins.loaded[0]->id(), "good");
    ASSERT_EQ(plugins.refused.size(), why.size());
    for (const RefusedPlugin& refused : plugins.refused) {
      EXPECT_THAT(refused.sentence, AllOf(StartsWith(refused.file.string() + ": " + why.at(refused.file.stem())),
                                          HasSubstr("when it was loaded")));
    }
    EXPECT_THAT(plugins.refused[0].sentence, HasSubstr("it said: no licence"));
  }
  const auto alone = Plugin::open(test_plugin("aborting_at_load"));
  ASSERT_FALSE(alone);
  EXPECT_THAT(alone.error().sentence, HasSubstr("crashed with SIGABRT"));
}

/// How often the library was loaded by `load_plugins`, here and in processes of their own.
std::size_t loads(const fs::path& folder, const fs::path& count) {
  fs::remove(count);
  const Variable counting("ASSAY_TEST_LOADS", count.c_str());
  EXPECT_EQ(load_from(folder).loaded.size(), 1U);
  return bytes_of(count).size();
}

TEST(Probe, IsRememberedByTheBytesOfTheFile) {
  const TempFolder folder, cache, elsewhere;
  folder.add_plugins({"counting_loads"});
  const fs::path file = folder.path() / "counting_loads.so", count = elsewhere.path() / "count";
  const Variable home("XDG_CACHE_HOME", cache.path().c_str());
  EXPECT_EQ(loads(folder.path(), count), 2U) << "tried, then loaded";
  EXPECT_EQ(loads(folder.path(), count), 1U) << "remembered";
  fs::rename(file, folder.path() / "renamed.so");
  EXPECT_EQ(loads(folder.path(), count), 1U) << "by its bytes, whatever its name";
  std::ofstream(folder.path() / "renamed.so", std::ios::app) << "x";
  EXPECT_EQ(loads(folder.path(), count), 2U) << "other bytes";
  EXPECT_EQ(loads(folder.path(), count), 1U);
}

TEST(Probe, WithoutACacheEachTimeAnew) {
  const TempFolder folder, elsewhere;
  folder.add_plugins({"counting_loads"});
  const fs::path count = elsewhere.path() / "count";
  for (const char* const cache : {static_cast<const char*>(nullptr), "/proc/none"}) {
    const Variable home("HOME", nullptr), given("XDG_CACHE_HOME", cache);
    EXPECT_EQ(loads(folder.path(), count), 2U);
    EXPECT_EQ(loads(folder.path(), count), 2U);
  }
}

/// A copy of a library whose dynamic section says something else for a tag that it has.
void copy_with(const fs::path& from, const fs::path& to, Elf64_Sxword tag, std::uint64_t value) {
  std::string bytes = bytes_of(from);
  Elf64_Ehdr header{};
  std::memcpy(&header, bytes.data(), sizeof(header));
  Elf64_Phdr segment{};
  for (std::uint64_t i = 0; i < header.e_phnum && segment.p_type != PT_DYNAMIC; ++i)
    std::memcpy(&segment, bytes.data() + header.e_phoff + i * sizeof(segment), sizeof(segment));
  ASSERT_EQ(segment.p_type, PT_DYNAMIC);
  for (std::uint64_t at = segment.p_offset; at < segment.p_offset + segment.p_filesz; at += sizeof(Elf64_Dyn)) {
    Elf64_Dyn entry{};
    std::memcpy(&entry, bytes.data() + at, sizeof(entry));
    if (entry.d_tag != tag) continue;
    std::memcpy(bytes.data() + at + offsetof(Elf64_Dyn, d_un), &value, sizeof(value));
    std::ofstream(to, std::ios::binary) << bytes;
    return;
  }
  FAIL() << from << " has no tag " << tag;
}

/// What the dynamic loader would follow out of the library is found before it does, each part by its name.
TEST(Probe, ALibraryThatPointsOutsideOfItselfIsDamaged) {
  const TempFolder folder, cache;
  const Variable home("XDG_CACHE_HOME", cache.path().c_str());
  constexpr std::uint64_t kNearby = 0x40000000;  // where something else may well be mapped
  const std::vector<std::pair<Elf64_Sxword, std::string>> parts = {
      {DT_STRTAB, "the table of names"},
      {DT_STRSZ, "the table of names"},
      {DT_NEEDED, "a name"},
      {DT_SYMTAB, "a symbol"},
      {DT_VERSYM, "a version of a symbol"},
      {DT_VERNEED, "a version of a symbol"},
      {DT_VERNEEDNUM, "a version of a symbol"},
      {DT_GNU_HASH, "the hash table of symbols"},
      {DT_INIT_ARRAY, "a function that runs when it is loaded or closed"},
      {DT_FINI_ARRAYSZ, "a function that runs when it is loaded or closed"},
      {DT_RELA, "a relocation"},
      {DT_RELASZ, "a relocation"},
      {DT_RELACOUNT, "a relocation"}};
  for (const auto& [tag, part] : parts) {
    const fs::path file = folder.path() / ("tag" + std::to_string(tag) + ".so");
    ASSERT_NO_FATAL_FAILURE(copy_with(test_plugin("good"), file, tag, kNearby));
    const auto plugin = Plugin::open(file);
    ASSERT_FALSE(plugin) << part;
    EXPECT_EQ(plugin.error().sentence,
              file.string() + ": is damaged (" + part + " lies outside of it); copy or build it again.");
  }
}

/// 200 copies of a good library, each with some bytes changed, of the headers in every other. Without the check of the
/// structure one run in twenty of this test died: what a trial survives may kill at another address.
TEST(Probe, DamagedLibrariesHarmNobody) {
  constexpr std::size_t kFiles = 200, kHeaders = 4096;
  const TempFolder folder, cache;
  const Variable home("XDG_CACHE_HOME", cache.path().c_str());
  const std::string good = bytes_of(test_plugin("good"));
  std::mt19937_64 random(28);
  for (std::size_t n = 0; n < kFiles; ++n) {
    std::string bad = good;
    const std::size_t within = n % 2 == 0 ? std::min(kHeaders, bad.size()) : bad.size();
    for (std::size_t changes = 1 + random() % 8; changes > 0; --changes)
      bad[random() % within] = static_cast<char>(random() % 256);
    std::ofstream(folder.path() / ("damaged" + std::to_string(n) + ".so"), std::ios::binary) << bad;
  }
  fs::copy_file(test_plugin("good"), folder.path() / "a_good_one.so");
  const Plugins plugins = load_from(folder.path());
  ASSERT_NE(plugins.find("good"), nullptr);
  EXPECT_EQ(plugins.find("good")->file(), folder.path() / "a_good_one.so");
  std::size_t damaged = 0;
  for (const RefusedPlugin& refused : plugins.refused) {
    EXPECT_THAT(refused.sentence, StartsWith(refused.file.string() + ": "));
    damaged += refused.sentence.find("is damaged (") != std::string::npos ? 1U : 0U;
  }
  EXPECT_EQ(plugins.loaded.size() + plugins.refused.size(), kFiles + 1);
  EXPECT_GT(damaged, 0U) << "none of them pointed outside of itself, so nothing was tried";
}

}  // namespace
}  // namespace assay
