// Contents of files, and of the program and its libraries.
#include "cache/still_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <ctime>

#include "cache/program.hpp"
#include "loader/fixtures.hpp"
#include "plugins/plugins.hpp"
#include "support/test.hpp"

namespace assay::cache::still_file_test {

using namespace assay::testing;

void set_modified(const fs::path& file) {
  const timespec times[2] = {{1000, 0}, {1000, 0}};
  ASSERT_EQ(utimensat(AT_FDCWD, file.c_str(), times, 0), 0);
}

TEST(StillFile, OtherBytesOfTheSameSizeAndTimeAreOtherContent) {
  const TempFolder scratch;
  const fs::path file = scratch / "report.sqlite";
  const std::string text(300000, 'a');  // several blocks
  write_text(file, text);
  set_modified(file);
  const auto before = read_content(file);
  write_text(file, text.substr(1) + 'b');
  set_modified(file);
  const auto after = read_content(file);
  ASSERT_TRUE(before && after);
  EXPECT_EQ(before->size, after->size);
  EXPECT_EQ(before->modified_s, after->modified_s);
  EXPECT_EQ(before->node, after->node);
  EXPECT_NE(before->bytes, after->bytes);
  EXPECT_EQ(after->bytes, files::digest_of(text.substr(1) + 'b')) << "whole, in one piece";
}

TEST(StillFile, EqualBytesElsewhereAreTheSameContent) {
  const TempFolder scratch;
  write_text(scratch / "a", "bytes");
  write_text(scratch / "b", "bytes");
  EXPECT_EQ(read_content(scratch / "a")->bytes, read_content(scratch / "b")->bytes);
  EXPECT_NE(read_content(scratch / "a"), read_content(scratch / "b")) << "but not the same file";
}

TEST(StillFile, OnlyRegularFilesHaveContent) {
  const TempFolder scratch;
  ASSERT_EQ(mkfifo((scratch / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(read_content(scratch / "pipe"), std::nullopt);
  EXPECT_EQ(read_content(scratch.path()), std::nullopt);
  EXPECT_EQ(read_content(scratch / "absent"), std::nullopt);
  EXPECT_EQ(read_content("/dev/zero"), std::nullopt);
}

TEST(StillFile, ADatabaseThatIsBeingWrittenIsNotAtRest) {
  const TempFolder scratch;
  const fs::path file = scratch / "report.sqlite", link = scratch / "link.sqlite";
  write_text(file, "bytes");
  fs::create_symlink(file, link);
  ASSERT_TRUE(read_report_content(file));
  for (const char* suffix : {"-wal", "-journal"}) {
    const fs::path neighbour = file.native() + suffix;
    write_text(neighbour, "");
    EXPECT_TRUE(read_report_content(file)) << "an empty one holds nothing";
    write_text(neighbour, "pages");
    EXPECT_EQ(read_report_content(file), std::nullopt) << suffix;
    EXPECT_EQ(read_report_content(link), std::nullopt) << suffix << " lies beside the file, not beside the link";
    fs::remove(neighbour);
  }
}

TEST(Program, IsTheSameEveryTimeAndWithoutThePluginsNamed) {
  const auto before = digest_of_program({});
  ASSERT_TRUE(before);
  EXPECT_EQ(digest_of_program({}), before);
  const auto plugin = require(Plugin::open(fixture::test_plugin("good")));
  const void* const inside = (*plugin)->symbol();
  EXPECT_EQ(digest_of_program({&inside, 1}), before);
  EXPECT_NE(digest_of_program({}), before) << "now a library more runs";
}

TEST(Library, DiffersWhenItsFileDiffersInWhatIsNeverLoaded) {
  const TempFolder scratch;
  const fs::path one = scratch / "one/good.so", two = scratch / "two/good.so";
  for (const fs::path& file : {one, two}) {
    fs::create_directories(file.parent_path());
    fs::copy_file(fixture::test_plugin("good"), file);
  }
  assay::testing::write_text(two, assay::testing::read_text(two) + "more");
  const auto a = Plugin::open(one), b = Plugin::open(two);
  ASSERT_TRUE(a && b);
  const auto digest_a = digest_of_library(one, (*a)->symbol());
  ASSERT_TRUE(digest_a);
  EXPECT_EQ(digest_a, digest_of_library(one, (*a)->symbol()));
  EXPECT_NE(digest_a, digest_of_library(two, (*b)->symbol()));
}

TEST(Library, DiffersWhenTheFileWasReplacedAfterItWasLoaded) {
  const TempFolder scratch;
  const fs::path file = scratch / "good.so";
  fs::copy_file(fixture::test_plugin("good"), file);
  const auto plugin = require(Plugin::open(file));
  fs::remove(file);
  fs::copy_file(fixture::test_plugin("duplicate_metric"), file);
  const auto mixed = digest_of_library(file, (*plugin)->symbol());
  const auto other = Plugin::open(fixture::test_plugin("duplicate_metric"));
  ASSERT_TRUE(mixed && other);
  EXPECT_NE(mixed, digest_of_library(fixture::test_plugin("duplicate_metric"), (*other)->symbol()))
      << "what the old code finds is not to be taken for the new one's";
}

TEST(Content, IsUnsettledForAFileJustWritten) {
  const auto settled = [](std::int64_t modified, std::int64_t changed) {
    FileContent state;
    state.modified_s = std::time(nullptr) + modified;
    state.changed_s = std::time(nullptr) + changed;
    return is_settled(state);
  };
  EXPECT_FALSE(settled(-100, 0));
  EXPECT_FALSE(settled(0, -100));
  EXPECT_FALSE(settled(1000, -100)) << "written by a clock ahead of this one";
  EXPECT_TRUE(settled(-100, -100));
}

}  // namespace assay::cache::still_file_test
