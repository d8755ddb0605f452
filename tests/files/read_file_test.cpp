#include "files/read_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include "support/test.hpp"

namespace assay::files::read_file_test {

using namespace assay::testing;
using assay::testing::write_text;  // beside that of the room

constexpr std::uint64_t kMax = 1U << 20;
constexpr NamedBy kAll[] = {NamedBy::kUser, NamedBy::kFolder, NamedBy::kAssay};

TEST(ReadFile, ReturnsAllBytesUpToTheLimit) {
  const TempFolder scratch;
  for (const std::size_t size : {0UL, 1UL, 70000UL, kMax}) {
    const std::string text(size, 'x');
    write_text(scratch / "a", text);
    for (const NamedBy by : kAll) {
      const Result<std::string> read = require(read_file(scratch / "a", kMax, by));
      EXPECT_EQ(*read, text);
    }
  }
  write_text(scratch / "a", std::string(kMax + 1, 'x'));
  for (const NamedBy by : kAll)
    EXPECT_TRUE(contains(read_file(scratch / "a", kMax, by).error().sentence, "more than 1 MiB"));
}

TEST(ReadFile, BoundsAnEndlessDevice) {
  EXPECT_FALSE(read_file("/dev/zero", kMax, NamedBy::kUser));
  EXPECT_FALSE(read_file("/dev/zero", kMax, NamedBy::kFolder));
}

TEST(ReadFile, FollowsLinksUnlessTheNameIsAssays) {
  const TempFolder scratch;
  write_text(scratch / "real", "text");
  fs::create_symlink("real", scratch / "link");
  EXPECT_TRUE(read_file(scratch / "link", kMax, NamedBy::kUser));
  EXPECT_TRUE(read_file(scratch / "link", kMax, NamedBy::kFolder));
  EXPECT_TRUE(contains(read_file(scratch / "link", kMax, NamedBy::kAssay).error().sentence, "is a link"));
}

TEST(ReadFile, WaitsForNoPipeOfAFolder) {
  const TempFolder scratch;
  ASSERT_EQ(mkfifo((scratch / "pipe").c_str(), 0600), 0);
  for (const NamedBy by : {NamedBy::kFolder, NamedBy::kAssay})
    EXPECT_TRUE(contains(read_file(scratch / "pipe", kMax, by).error().sentence, "not a regular file"));
}

TEST(ReadFile, RefusesFoldersAndMissingFiles) {
  const TempFolder scratch;
  for (const NamedBy by : kAll) {
    EXPECT_TRUE(contains(read_file(scratch.path(), kMax, by).error().sentence, "is a folder"));
    EXPECT_TRUE(contains(read_file(scratch / "none", kMax, by).error().sentence, "does not exist"));
  }
}

TEST(OpenOwnFile, RefusesLinksAndPipes) {
  const TempFolder scratch;
  write_text(scratch / "real", "text");
  fs::create_symlink("real", scratch / "link");
  ASSERT_EQ(mkfifo((scratch / "pipe").c_str(), 0600), 0);
  for (const int flags : {O_APPEND, O_TRUNC, O_RDWR | O_APPEND}) {
    EXPECT_FALSE(open_own_file(scratch / "link", flags));
    EXPECT_FALSE(open_own_file(scratch / "pipe", flags));
  }
  EXPECT_EQ(read_text(scratch / "real"), "text");
  EXPECT_TRUE(open_own_file(scratch / "new", O_APPEND));
  EXPECT_TRUE(fs::is_regular_file(scratch / "new"));
}

}  // namespace assay::files::read_file_test
