#include "files/glob.hpp"

#include <random>

#include "support/test.hpp"

namespace assay::glob_test {

TEST(Glob, KnowsFoldersAndNames) {
  const struct {
    const char *glob, *path;
    bool matches;
  } cases[] = {
      {"*.sqlite", "a.sqlite", true},
      {"*.sqlite", "x/y/a.sqlite", true},
      {"*.sqlite", "a.sqlite.bak", false},
      {"x/*.sqlite", "x/a.sqlite", true},
      {"x/*.sqlite", "x/y/a.sqlite", false},
      {"x/**", "x/y/a", true},
      {"x/**/a", "x/a", true},
      {"x/**/a", "x/y/z/a", true},
      {"x/**/a", "x/ya", false},
      {"**/*.sqlite", "a.sqlite", true},
      {"**/*.sqlite", "p/q/a.sqlite", true},
      {"**/b/*", "a/b/c", true},
      {"**/b/*", "b/c", true},
      {"**/b/*", "ab/c", false},
      {"a?c", "abc", true},
      {"x/a?c", "x/a/c", false},
      {"", "", true},
      {"", "a", false},
      {"*", "", true},
      {"gpu0_*_vit8x*", "d/gpu0_numa0_vit8x6x384.sqlite", true},
  };
  for (const auto& c : cases) EXPECT_EQ(glob_matches(c.glob, c.path), c.matches) << c.glob << " on " << c.path;
}

/// The same by trying everything; exponential.
bool tried(std::string_view glob, std::string_view path) {
  if (glob.empty()) return path.empty();
  if (glob.starts_with("**")) {
    for (std::size_t n = 0; n <= path.size(); ++n) {
      if (tried(glob.substr(2), path.substr(n))) return true;
    }
    return false;
  }
  if (glob[0] == '*') {
    for (std::size_t n = 0; n <= path.size(); ++n) {
      if (tried(glob.substr(1), path.substr(n))) return true;
      if (n < path.size() && path[n] == '/') return false;
    }
    return false;
  }
  const bool fits = !path.empty() && (glob[0] == path[0] || (glob[0] == '?' && path[0] != '/'));
  return fits && tried(glob.substr(1), path.substr(1));
}

TEST(Glob, EqualsTryingEverything) {
  std::mt19937 random(7);
  std::size_t matched = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string glob = "/", path = "/";  // a '/' keeps the rule for bare names out; "**/" is tested above
    for (auto n = random() % 6; n > 0; --n) glob += "ab/*?*"[random() % 6];
    for (auto n = random() % 6; n > 0; --n) path += "ab/"[random() % 3];
    if (glob.find("**/") != std::string::npos || glob.find("***") != std::string::npos) continue;
    ASSERT_EQ(glob_matches(glob, path), tried(glob, path)) << glob << " on " << path;
    if (tried(glob, path)) ++matched;
  }
  EXPECT_GT(matched, 500U);
}

TEST(Glob, ManyStarsCostNoMoreThanTheProductOfLengths) {
  std::string glob = "x/";
  for (int i = 0; i < 200; ++i) glob += "*a";
  EXPECT_FALSE(glob_matches(glob, "x/" + std::string(4000, 'a') + "b"));
}

}  // namespace assay::glob_test
