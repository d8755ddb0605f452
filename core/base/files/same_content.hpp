// Which files hold the same bytes.
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
  bool compared = true;                      ///< false: never read, and the same as no other
  std::optional<files::Digest> digest = {};  ///< of all its bytes, where the caller knows and believes it
};

/// For each file the index of the first one with the same bytes; its own when there is none before it. Only files of
/// equal size are read, those that begin and end alike once for a digest, and once more those whose digest another
/// has. Of a size of which all digests are known none is read.
std::vector<std::size_t> first_with_same_content(const std::vector<SizedFile>& files);

}  // namespace assay
