// Lists everything below a folder.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay {

struct WalkedFile {
  std::string below;   ///< path below the root, with '/'
  std::string reason;  ///< why a folder could not be listed; empty for everything else
  bool named = false;  ///< named by the user, not found below a folder
};

struct Tree {
  std::filesystem::path root;        ///< as given
  std::filesystem::path canonical;   ///< the same folder as an absolute path without links
  std::vector<WalkedFile> files;     ///< everything that is not a folder, and folders that should be files or cannot be
                                     ///< listed
  std::vector<std::string> folders;  ///< paths below the root, with '/'; the first is the root itself, ""
  std::vector<std::pair<std::string, std::filesystem::path>> links;  ///< to folders: path below the root, target
  std::vector<std::string> circles;  ///< links to a folder that contains the root, which are not followed
  bool one_by_one = false;  ///< its files were named one by one and the folder was not walked: `folders` is empty

  /// Absolute path, without links to folders, of a path below the root.
  [[nodiscard]] std::filesystem::path real(std::string_view below) const;
};

/// Sorted by path. Follows links to folders but reads each folder once, under its own name if it is below the root, so
/// that circles end. An unreadable entry does not end the walk. Skips unfinished files (files/leftovers.hpp) and
/// whatever this process may not read (files/served.hpp). `root` is an existing folder. `is_file`: whether to list a
/// folder of this name among the files, because a file was expected.
Tree walk(const std::filesystem::path& root, bool (*is_file)(const std::filesystem::path&));

/// The last extension in lower case: ".sqlite" of "A.SQLite".
std::string lower_extension(const std::filesystem::path& file);

}  // namespace assay
