#include "discover/same_content.hpp"

#include <cstring>
#include <fstream>
#include <map>

namespace assay {
namespace {

/// Files that cannot be read to the same end are not the same.
bool same_bytes(const std::filesystem::path& a, const std::filesystem::path& b) {
  constexpr std::size_t kBlock = 1U << 16;
  std::vector<char> block_a(kBlock), block_b(kBlock);
  std::ifstream in_a(a, std::ios::binary), in_b(b, std::ios::binary);
  if (!in_a || !in_b) return false;
  while (true) {
    in_a.read(block_a.data(), static_cast<std::streamsize>(kBlock));
    in_b.read(block_b.data(), static_cast<std::streamsize>(kBlock));
    const auto got = static_cast<std::size_t>(in_a.gcount());
    if (in_b.gcount() != in_a.gcount() || in_a.bad() || in_b.bad()) return false;
    if (std::memcmp(block_a.data(), block_b.data(), got) != 0) return false;
    if (got < kBlock) return true;
  }
}

}  // namespace

std::vector<std::size_t> first_with_same_content(const std::vector<FoundFile>& files) {
  std::vector<std::size_t> first(files.size());
  std::map<std::uint64_t, std::vector<std::size_t>> of_size;  // the first file of each content
  for (std::size_t i = 0; i < files.size(); ++i) {
    first[i] = i;
    if (!is_report(files[i].kind)) continue;
    std::vector<std::size_t>& contents = of_size[files[i].size];
    for (const std::size_t other : contents) {
      if (!same_bytes(files[other].path, files[i].path)) continue;
      first[i] = other;
      break;
    }
    if (first[i] == i) contents.push_back(i);
  }
  return first;
}

}  // namespace assay
