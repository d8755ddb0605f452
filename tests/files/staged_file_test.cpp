#include "files/staged_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

#include "support/test.hpp"

namespace assay::files::staged_file_test {

using namespace assay::testing;
using assay::testing::write_text;  // beside that of the room

const OutputKind kPage{.name = "a page", .begins = "<page >", .mark = "by assay"};
constexpr const char* kOldPage = "<page> by assay: old";

Status write(const fs::path& target, const OutputKind& kind, const std::string& text) {
  Result<StagedFile> file = StagedFile::make(target, kind);
  if (!file) return file.error();
  file->stream() << text;
  return file->publish();
}

TEST(StagedFile, IsThereOnlyWhenPublished) {
  const TempFolder scratch;
  {
    auto file = require(StagedFile::make(scratch / "a.json", kPage));
    file->stream() << kOldPage;
    EXPECT_FALSE(fs::exists(scratch / "a.json"));
    ASSERT_TRUE(file->publish());
  }
  EXPECT_EQ(read_text(scratch / "a.json"), kOldPage);
  {
    auto file = StagedFile::make(scratch / "a.json", kPage);
    ASSERT_TRUE(file);
    file->stream() << "half";
  }
  EXPECT_EQ(read_text(scratch / "a.json"), kOldPage);
  EXPECT_TRUE(equals(files_below(scratch.path()), {"a.json"}));
}

TEST(StagedFile, ReplacesEmptyFilesAndItsOwnKind) {
  const TempFolder scratch;
  for (const std::string before : {"", "<page> by assay", " <page>\n\n more by assay"}) {
    write_text(scratch / "a", before);
    const Status written = write(scratch / "a", kPage, "new");
    EXPECT_TRUE(written) << before << ": " << written.error().sentence;
    EXPECT_EQ(read_text(scratch / "a"), "new") << before;
  }
}

/// In a process of its own, since inputs are known until it ends.
TEST(StagedFileDeathTest, ReplacesAnInputOnlyToChangeIt) {
  const TempFolder scratch;
  write_text(scratch / "question.toml", kOldPage);
  const auto written_as = [&](const OutputKind& kind) {
    declare_input(scratch / "question.toml");
    std::exit(write(scratch / "question.toml", kind, "changed") ? 0 : 1);
  };
  EXPECT_EXIT(written_as(kPage), ::testing::ExitedWithCode(1), "");
  EXPECT_EXIT(written_as(kChangedFile), ::testing::ExitedWithCode(0), "");
  EXPECT_EQ(read_text(scratch / "question.toml"), "changed");
}

TEST(StagedFile, NeverReplacesAnotherKind) {
  const TempFolder scratch;
  const std::string far = "<page>" + std::string(2 * kMarkedBytes, ' ') + "by assay";
  for (const std::string& before : {std::string("SQLite format 3\0 by assay", 25), std::string("\x1f\x8b by assay"),
                                    std::string("<page> of others"), std::string("by assay, in words"),
                                    std::string("{}"), std::string(1, '\0'), far}) {
    write_text(scratch / "a", before);
    const Status written = write(scratch / "a", kPage, "new");
    ASSERT_FALSE(written) << before;
    EXPECT_EQ(written.error().exit, Exit::kUsage);
    EXPECT_TRUE(contains(written.error().sentence, "is not a page"));
    EXPECT_EQ(read_text(scratch / "a"), before);
  }
  EXPECT_TRUE(equals(files_below(scratch.path()), {"a"}));
}

TEST(StagedFile, NeverReplacesAnInput) {
  const TempFolder scratch;
  write_text(scratch / "a", kOldPage);
  fs::create_symlink("a", scratch / "link");
  fs::create_hard_link(scratch / "a", scratch / "other");
  declare_input(scratch / "a");
  ASSERT_NE(::open((scratch / "a").c_str(), O_RDONLY | O_CLOEXEC), -1);  // never closed: no later file gets its inode
  for (const char* name : {"a", "link", "other"}) {
    const Status written = write(scratch / name, kPage, "new");
    ASSERT_FALSE(written) << name;
    EXPECT_EQ(written.error().exit, Exit::kUsage);
    EXPECT_EQ(read_text(scratch / "a"), kOldPage);
  }
}

TEST(StagedFile, KeepsAFileThatAppearedInBetween) {
  const TempFolder scratch;
  auto file = StagedFile::make(scratch / "a", kPage), other = StagedFile::make(scratch / "b", kPage);
  ASSERT_TRUE(file && other);
  ASSERT_EQ(mkfifo((scratch / "a").c_str(), 0600), 0);
  write_text(scratch / "b", "notes");
  EXPECT_FALSE(file->publish());
  EXPECT_TRUE(fs::is_fifo(scratch / "a"));
  EXPECT_FALSE(other->publish());
  EXPECT_EQ(read_text(scratch / "b"), "notes");
}

TEST(StagedFile, WritesToAPipeThatIsRead) {
  const TempFolder scratch;
  ASSERT_EQ(mkfifo((scratch / "pipe").c_str(), 0600), 0);
  const Status nobody = write(scratch / "pipe", kPage, "new");
  ASSERT_FALSE(nobody);
  EXPECT_EQ(nobody.error().exit, Exit::kFailed);
  EXPECT_TRUE(contains(nobody.error().sentence, "nobody reads from it"));
  const Descriptor reader(::open((scratch / "pipe").c_str(), O_RDONLY | O_NONBLOCK));
  ASSERT_TRUE(write(scratch / "pipe", kPage, "new"));
  char got[8] = {};
  EXPECT_EQ(::read(reader.get(), got, sizeof got), 3);
  EXPECT_STREQ(got, "new");
  EXPECT_TRUE(equals(files_below(scratch.path()), {"pipe"}));
}

TEST(StagedFile, FoldersAndFullDevicesAreRefused) {
  const TempFolder scratch;
  fs::create_directory(scratch / "folder");
  fs::create_symlink("/dev/full", scratch / "full");
  for (const auto& [name, why] : {std::pair("folder", "is a folder and not a file"), {"full", "No space left"}}) {
    const Status written = write(scratch / name, kPage, "new");
    ASSERT_FALSE(written) << name;
    EXPECT_TRUE(contains(written.error().sentence, why)) << name;
    EXPECT_EQ(written.error().exit, Exit::kFailed);
  }
  EXPECT_TRUE(write("/dev/null", kPage, "new"));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST(StagedFile, ALinkToAFileStaysOne) {
  const TempFolder scratch;
  write_text(scratch / "there/real", kOldPage);
  fs::create_symlink("there/real", scratch / "link");
  ASSERT_TRUE(write(scratch / "link", kPage, "new"));
  EXPECT_TRUE(fs::is_symlink(scratch / "link"));
  EXPECT_EQ(read_text(scratch / "there/real"), "new");
}

TEST(StagedFile, RefusesALinkThatLeadsNowhere) {
  const TempFolder scratch;
  fs::create_symlink(scratch / "gone", scratch / "link");
  for (const OutputKind& kind : {kPage, kChangedFile, kOwnFile}) {
    const Status written = write(scratch / "link", kind, "new");
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().exit, Exit::kFailed);
    EXPECT_TRUE(fs::is_symlink(fs::symlink_status(scratch / "link")));
  }
  EXPECT_TRUE(equals(files_below(scratch.path()), {"link"}));
}

TEST(StagedFile, LinksInsideAFolderAreNotFollowed) {
  const TempFolder scratch;
  write_text(scratch / "real", kOldPage);
  fs::create_symlink("real", scratch / "link");
  ASSERT_EQ(mkfifo((scratch / "pipe").c_str(), 0600), 0);
  const OutputKind marked{.name = "a page", .begins = "<page>", .in_folder = true};
  for (const OutputKind& kind : {marked, kOwnFile}) {
    for (const char* name : {"link", "pipe"}) {
      const Status written = write(scratch / name, kind, "new");
      ASSERT_FALSE(written) << name;
      EXPECT_EQ(written.error().exit, Exit::kFailed);
    }
  }
  EXPECT_EQ(read_text(scratch / "real"), kOldPage);
  EXPECT_TRUE(fs::is_symlink(scratch / "link"));
}

TEST(StagedFile, AFullDiskIsSaidAndWhatWasThereStays) {
  const TempFolder scratch;
  write_text(scratch / "a", kOldPage);
  auto file = StagedFile::make(scratch / "a", kPage);
  ASSERT_TRUE(file);
  file->stream().setstate(std::ios::badbit);
  const Status published = file->publish();
  ASSERT_FALSE(published);
  EXPECT_TRUE(contains(published.error().sentence, "cannot be written"));
  EXPECT_EQ(read_text(scratch / "a"), kOldPage);
}

TEST(StagedFile, AFolderThatIsNotThereIsSaid) {
  const TempFolder scratch;
  const auto file = StagedFile::make(scratch / "none/a", kPage);
  ASSERT_FALSE(file);
  EXPECT_TRUE(contains(file.error().sentence, "(No such file"));
}

}  // namespace assay::files::staged_file_test
