// Recognizes files of other tools, and says what to do with them.
#pragma once

#include <filesystem>
#include <string>

namespace assay {

/// What a file of another tool is, and the next step; empty if unknown.
struct ForeignName {
  std::string problem;  ///< "This is a zip archive, which is not read"
  std::string remedy;   ///< "unpack it with 'unzip' and give the files in it."
  bool partly = false;  ///< a profile that is read in part
  bool beside = false;  ///< the file to read instead is next to it
};

/// Looks the file up in configs/data/foreign_files.toml; empty if no row matches or the table is not installed. Reads a
/// few pages of the file.
ForeignName foreign_file(const std::filesystem::path& file);

/// Whether only profiles of another tool have such a name; in a folder such files are mentioned too.
bool named_like_a_foreign_profile(const std::filesystem::path& file);

}  // namespace assay
