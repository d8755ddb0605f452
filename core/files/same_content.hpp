// Which files hold the same bytes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace assay {

struct SizedFile {
  std::filesystem::path path;
  std::uint64_t size = 0;
  bool compared = true;  ///< false: never read, and the same as no other
};

/// For each file the index of the first one with the same bytes; its own when there is none before it. Only files of
/// equal size are read, those that begin and end alike once for a digest, and once more those whose digest another
/// has.
std::vector<std::size_t> first_with_same_content(const std::vector<SizedFile>& files);

}  // namespace assay
