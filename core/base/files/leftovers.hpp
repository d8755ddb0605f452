// What is being written bears a name of its own and is locked by its writer: what is not locked was left by a dead one.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string_view>

#include "files/descriptor.hpp"

namespace assay::files {

/// Begins the names of files and folders that are not finished.
inline constexpr std::string_view kUnfinished = ".assay-unfinished-";

/// Something new, empty and locked. The lock ends with its writer, however that ends.
struct LockedTemporary {
  std::filesystem::path path;
  Descriptor lock;  ///< not open: nothing was made, and errno says why
};

LockedTemporary make_unfinished_file(const std::filesystem::path& parent, mode_t mode);
LockedTemporary make_unfinished_folder(const std::filesystem::path& parent);

/// Removes what this user's dead processes left in `parent`. What is being written, or of which that cannot be told,
/// stays.
void remove_leftovers(const std::filesystem::path& parent);

/// The same for one of many files that this process writes there: the folder is listed for the first of them.
void remove_leftovers_once(const std::filesystem::path& parent);

}  // namespace assay::files
