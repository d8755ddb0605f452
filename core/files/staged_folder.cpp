#include "files/staged_folder.hpp"

#include <unistd.h>

#include <cerrno>
#include <utility>

namespace assay::files {
namespace fs = std::filesystem;
namespace {

/// Folders that are to be made for `folder` to be there, the deepest first.
std::vector<fs::path> missing(fs::path folder) {
  std::vector<fs::path> folders;
  std::error_code failed;
  for (; !folder.empty() && !fs::exists(folder, failed); folder = folder.parent_path()) folders.push_back(folder);
  return folders;
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
      Unfinished folder = make_unfinished_folder(parent);
      staged.path_ = folder.path;
      staged.lock_ = std::move(folder.lock);
      if (staged.lock_) return staged;
      staged.path_.clear();
      why = {errno, std::generic_category()};
    }
    if (why != std::errc::no_such_file_or_directory) break;  // else another run made a folder above, and removed it
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
