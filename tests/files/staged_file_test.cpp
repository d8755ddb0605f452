#include "files/staged_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scratch_folder.hpp"

namespace assay::files {
namespace {

namespace fs = std::filesystem;
using assay::testing::files_below;
using assay::testing::read_text;
using assay::testing::ScratchFolder;
using assay::testing::write_text;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(StagedFile, IsThereOnlyWhenPublished) {
  const ScratchFolder scratch;
  {
    auto file = StagedFile::make(scratch / "a.json");
    ASSERT_TRUE(file) << file.error().sentence;
    file->stream() << "whole";
    EXPECT_FALSE(fs::exists(scratch / "a.json"));
    ASSERT_TRUE(file->publish());
  }
  EXPECT_EQ(read_text(scratch / "a.json"), "whole");
  {
    auto file = StagedFile::make(scratch / "a.json");
    ASSERT_TRUE(file);
    file->stream() << "half";
  }
  EXPECT_EQ(read_text(scratch / "a.json"), "whole");
  EXPECT_THAT(files_below(scratch.path()), ElementsAre("a.json"));
}

TEST(StagedFile, ReplacesOnlyRegularFiles) {
  const ScratchFolder scratch;
  ASSERT_EQ(mkfifo((scratch / "pipe").c_str(), 0600), 0);
  fs::create_directory(scratch / "folder");
  fs::create_symlink("/dev/full", scratch / "link");
  for (const auto& [name, what] : {std::pair("pipe", "a pipe"), {"folder", "a folder"}, {"link", "a device"}}) {
    const auto file = StagedFile::make(scratch / name);
    ASSERT_FALSE(file) << name;
    EXPECT_THAT(file.error().sentence, HasSubstr(std::string("is ") + what + " and not a file")) << name;
    EXPECT_EQ(file.error().exit, Exit::kFailed);
  }
  EXPECT_FALSE(StagedFile::make("/dev/full"));
  EXPECT_TRUE(fs::is_fifo(scratch / "pipe"));
}

TEST(StagedFile, WhatBecameADeviceMeanwhileStays) {
  const ScratchFolder scratch;
  auto file = StagedFile::make(scratch / "a");
  ASSERT_TRUE(file);
  ASSERT_EQ(mkfifo((scratch / "a").c_str(), 0600), 0);
  EXPECT_FALSE(file->publish());
  EXPECT_TRUE(fs::is_fifo(scratch / "a"));
}

TEST(StagedFile, ALinkToAFileStaysOne) {
  const ScratchFolder scratch;
  write_text(scratch / "there/real", "old");
  fs::create_symlink("there/real", scratch / "link");
  auto file = StagedFile::make(scratch / "link");
  ASSERT_TRUE(file);
  file->stream() << "new";
  ASSERT_TRUE(file->publish());
  EXPECT_TRUE(fs::is_symlink(scratch / "link"));
  EXPECT_EQ(read_text(scratch / "there/real"), "new");
}

TEST(StagedFile, AFullDiskIsSaidAndWhatWasThereStays) {
  const ScratchFolder scratch;
  write_text(scratch / "a", "old");
  auto file = StagedFile::make(scratch / "a");
  ASSERT_TRUE(file);
  file->stream().setstate(std::ios::badbit);
  const Status published = file->publish();
  ASSERT_FALSE(published);
  EXPECT_THAT(published.error().sentence, HasSubstr("cannot be written"));
  EXPECT_EQ(read_text(scratch / "a"), "old");
}

TEST(StagedFile, AFolderThatIsNotThereIsSaid) {
  const ScratchFolder scratch;
  const auto file = StagedFile::make(scratch / "none/a");
  ASSERT_FALSE(file);
  EXPECT_THAT(file.error().sentence, HasSubstr("(No such file or directory)"));
}

}  // namespace
}  // namespace assay::files
