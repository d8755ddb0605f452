// Finds files with equal content.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "files/digest.hpp"

namespace assay {

struct SizedFile {
  std::filesystem::path path;
  std::uint64_t size = 0;
  bool compared = true;                      ///< false: never read, and equal to no other
  std::optional<files::Digest> digest = {};  ///< of all its bytes, if the caller knows and trusts it
};

/// For each file the index of the first file with the same bytes, or its own index. Reads only files that share their
/// size with another: first and last bytes, then the whole file for a digest if these agree, then again to compare
/// bytes if digests agree. Reads no file of a size whose digests are all known.
std::vector<std::size_t> first_with_same_content(const std::vector<SizedFile>& files);

}  // namespace assay
