// Recognizes files of other tools and states the next step for them.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace assay {

/// Description of a file of another tool, and the next step; both empty if unknown.
struct ForeignName {
  std::string problem;  ///< "This is a zip archive, which is not read"
  std::string remedy;   ///< "unpack it with 'unzip' and give the files in it."
  bool partly = false;  ///< a profile that is read in part
  bool beside = false;  ///< the file to read instead is next to it
};

/// Looks the file up in configs/data/foreign_files.toml; empty if no row matches or the table is not installed. Reads a
/// few pages of the file.
ForeignName foreign_file(const std::filesystem::path& file);

/// Whether a file has the name or, in its first bytes, the marks of a profile of another tool; messages about a folder
/// name such files too.
bool begins_like_a_foreign_profile(const std::filesystem::path& file, std::string_view head);

}  // namespace assay
