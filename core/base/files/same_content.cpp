#include "files/same_content.hpp"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <map>

namespace assay {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 18;

/// Digest of the first and last bytes, which distinguish most files of equal size. Empty if they cannot be read.
std::optional<files::Digest> digest_of_ends(const SizedFile& file) {
  constexpr std::uint64_t kEnd = std::uint64_t{1} << 14;
  std::vector<char> block(static_cast<std::size_t>(std::min(file.size, kEnd)));
  std::ifstream in(file.path, std::ios::binary);
  files::Digester digester;
  for (const std::uint64_t from : {std::uint64_t{0}, file.size - block.size()}) {
    in.seekg(static_cast<std::streamoff>(from));
    if (!in.read(block.data(), static_cast<std::streamsize>(block.size()))) return std::nullopt;
    digester.add({block.data(), block.size()});
  }
  return digester.value();
}

/// Empty if the file cannot be read up to the size that it had when it was found.
std::optional<files::Digest> digest_of_file(const SizedFile& file) {
  std::vector<char> block(static_cast<std::size_t>(std::clamp<std::uint64_t>(file.size, 1, kBlock)));
  std::ifstream in(file.path, std::ios::binary);
  files::Digester digester;
  std::uint64_t read = 0;
  while (in) {
    in.read(block.data(), static_cast<std::streamsize>(block.size()));
    const auto got = static_cast<std::size_t>(in.gcount());
    digester.add({block.data(), got});
    read += got;
  }
  return in.bad() || read != file.size ? std::nullopt : std::optional(digester.value());
}

/// False if the files cannot be read to the same end.
bool same_bytes(const std::filesystem::path& a, const std::filesystem::path& b) {
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

using Group = std::vector<std::size_t>;  ///< file indices, ascending

/// Groups files by a digest; a file without one is equal to no other.
template <class DigestOf>
std::map<files::Digest, Group> split(const std::vector<SizedFile>& files, const Group& group, DigestOf digest_of) {
  std::map<files::Digest, Group> groups;
  for (const std::size_t file : group) {
    if (const std::optional<files::Digest> digest = digest_of(files[file])) groups[*digest].push_back(file);
  }
  std::erase_if(groups, [](const auto& entry) { return entry.second.size() == 1; });
  return groups;
}

/// A digest is not a proof: only equal bytes make files equal.
void find_first(const std::vector<SizedFile>& files, const Group& alike, std::vector<std::size_t>& first) {
  Group contents;  // first file of each content
  for (const std::size_t file : alike) {
    const auto same = std::ranges::find_if(
        contents, [&](std::size_t other) { return same_bytes(files[other].path, files[file].path); });
    if (same != contents.end()) {
      first[file] = *same;
    } else {
      contents.push_back(file);
    }
  }
}

}  // namespace

std::vector<std::size_t> first_with_same_content(const std::vector<SizedFile>& files) {
  std::vector<std::size_t> first(files.size());
  std::map<std::uint64_t, Group> of_size;
  for (std::size_t i = 0; i < files.size(); ++i) {
    first[i] = i;
    if (files[i].compared) of_size[files[i].size].push_back(i);
  }
  for (const auto& [size, group] : of_size) {
    if (group.size() == 1) continue;
    if (std::ranges::all_of(group, [&](std::size_t file) { return files[file].digest.has_value(); })) {
      for (const auto& [whole, alike] : split(files, group, [](const SizedFile& file) { return file.digest; })) {
        for (const std::size_t file : alike) first[file] = alike.front();
      }
      continue;
    }
    for (const auto& [ends, maybe] : split(files, group, digest_of_ends)) {
      for (const auto& [whole, alike] : split(files, maybe, digest_of_file)) find_first(files, alike, first);
    }
  }
  return first;
}

}  // namespace assay
