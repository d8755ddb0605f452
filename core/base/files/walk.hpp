// Everything below a folder.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay {

struct WalkedFile {
  std::string below;   ///< '/' path below the root
  std::string reason;  ///< for a folder that could not be listed: why; empty for all else
  bool named = false;  ///< given by itself, not found below a folder
};

struct Tree {
  std::filesystem::path root;        ///< as given
  std::filesystem::path canonical;   ///< the same folder, absolute and without links
  std::vector<WalkedFile> files;     ///< all that is no folder, and folders that should be files or are not listable
  std::vector<std::string> folders;  ///< '/' paths below the root; the root itself, "", is the first
  std::vector<std::pair<std::string, std::filesystem::path>> links;  ///< to folders: path below the root, target
  std::vector<std::string> circles;  ///< links to a folder that holds the root, which are not followed
  bool one_by_one = false;  ///< its files were given by themselves, and the folder was not walked: `folders` is empty

  /// Where a path below the root really is: absolute, without links to folders.
  [[nodiscard]] std::filesystem::path real(std::string_view below) const;
};

/// Sorted by path. Links to folders are followed; each folder is read once, under its own name where it lies below the
/// root, so that circles end. No single entry ends the walk. What is being written (files/leftovers.hpp) is passed
/// over, and what this process may not read (files/served.hpp). `root` is an existing folder. `is_file`: whether a
/// folder of this name is listed among the files, since a file was expected.
Tree walk(const std::filesystem::path& root, bool (*is_file)(const std::filesystem::path&));

/// ".sqlite" of "A.SQLite": the last extension in small letters.
std::string lower_extension(const std::filesystem::path& file);

}  // namespace assay
