#include "files/staged_folder.hpp"

#include <unistd.h>

#include <cerrno>
#include <utility>

namespace assay::files {
namespace fs = std::filesystem;
namespace {

/// Folders to create so that `folder` exists, the deepest first.
std::vector<fs::path> missing(fs::path folder) {
  std::vector<fs::path> folders;
  std::error_code failed;
  for (; !folder.empty() && !fs::exists(folder, failed); folder = folder.parent_path()) folders.push_back(folder);
  return folders;
}

/// Whether something that is not a folder is in the way of `folder` or one of its parents.
bool is_blocked(fs::path folder) {
  std::error_code failed;
  while (!fs::exists(folder, failed) && folder.has_relative_path()) folder = folder.parent_path();
  return fs::exists(folder, failed) && !fs::is_directory(folder, failed);
}

/// Whether the failure may be a race: another run created a parent folder and removed it again. The standard library
/// may report such a folder as "not a directory".
bool may_pass(const std::error_code& why, const fs::path& parent) {
  if (why == std::errc::no_such_file_or_directory) return true;
  return (why == std::errc::not_a_directory || why == std::errc::file_exists) && !is_blocked(parent);
}

}  // namespace

std::optional<StagedFolder> StagedFolder::make(const fs::path& parent, std::error_code& why) {
  constexpr int kTries = 100;
  StagedFolder staged;
  remove_leftovers(parent);
  for (int i = 0; i < kTries; ++i) {
    staged.made_ = missing(parent);
    fs::create_directories(parent, why);
    if (!why) {
      LockedTemporary folder = make_unfinished_folder(parent);
      staged.path_ = folder.path;
      staged.lock_ = std::move(folder.lock);
      if (staged.lock_) return staged;
      staged.path_.clear();
      why = {errno, std::generic_category()};
    }
    if (!may_pass(why, parent)) break;
  }
  return std::nullopt;
}

StagedFolder::StagedFolder(StagedFolder&& other) noexcept
    : path_(std::exchange(other.path_, {})), lock_(std::move(other.lock_)), made_(std::exchange(other.made_, {})) {}

StagedFolder::~StagedFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
  for (const fs::path& folder : made_) rmdir(folder.c_str());  // only when empty
}

}  // namespace assay::files
