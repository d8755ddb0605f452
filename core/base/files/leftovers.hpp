// A file or folder that is being written has a name of its own and is locked by its writer; one that is not locked was
// left by a dead writer.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string_view>

#include "files/descriptor.hpp"

namespace assay::files {

/// Prefix of the names of unfinished files and folders.
inline constexpr std::string_view kUnfinished = ".assay-unfinished-";

/// A new, empty, locked file or folder. The lock ends with its process, however that ends.
struct LockedTemporary {
  std::filesystem::path path;
  Descriptor lock;  ///< not open: nothing was created, and errno has the reason
};

LockedTemporary make_unfinished_file(const std::filesystem::path& parent, mode_t mode);
LockedTemporary make_unfinished_folder(const std::filesystem::path& parent);

/// Removes unfinished files and folders that dead processes of this user left in `parent`. Keeps those that are still
/// locked or whose lock cannot be checked.
void remove_leftovers(const std::filesystem::path& parent);

/// Like remove_leftovers, but lists the folder only for the first of the many files that this process writes to it.
void remove_leftovers_once(const std::filesystem::path& parent);

}  // namespace assay::files
