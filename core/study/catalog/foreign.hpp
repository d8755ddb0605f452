// Files of other tools: what they are called, and what to do instead.
#pragma once

#include <filesystem>
#include <string>

namespace assay {

/// What a file of another tool is, and the next step; empty: it is not known.
struct ForeignName {
  std::string problem;  ///< "This is a zip archive, which is not read"
  std::string remedy;   ///< "unpack it with 'unzip' and give what it holds."
  bool partly = false;  ///< a profile of which something is read
  bool beside = false;  ///< the file that is read instead is next to it
};

/// By the rows of configs/data/foreign_files.toml; empty if none fits, or the table is not installed. Reads a few pages
/// of the file.
ForeignName foreign_file(const std::filesystem::path& file);

/// Whether the file is named as nothing but profiles of another tool are: in a folder it is mentioned too.
bool named_like_a_foreign_profile(const std::filesystem::path& file);

}  // namespace assay
