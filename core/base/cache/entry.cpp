#include "cache/entry.hpp"

#include <array>
#include <cstdint>
#include <cstring>

#include "files/digest.hpp"

namespace assay::cache {
namespace {

constexpr std::array<char, 8> kMagic = {'a', 's', 's', 'a', 'y', 'r', 'e', 's'};
constexpr std::uint64_t kVersion = 1;

struct Header {
  std::array<char, 8> magic = kMagic;
  std::uint64_t version = kVersion;
  std::uint64_t key_bytes = 0;
  std::uint64_t payload_bytes = 0;
  files::Digest checksum;  ///< of the header with zeros in this place, the key and the payload
};
static_assert(sizeof(Header) == 48, "every byte of the header is one of a member");

std::string_view bytes_of(const Header& header) { return {reinterpret_cast<const char*>(&header), sizeof header}; }

files::Digest checksum_of(Header header, std::string_view key, std::string_view payload) {
  header.checksum = {};
  files::Digester digester;
  digester.add(bytes_of(header));
  digester.add(key);
  digester.add(payload);
  return digester.value();
}

}  // namespace

std::string make_entry(std::string_view key, std::string_view payload) {
  Header header;
  header.key_bytes = key.size();
  header.payload_bytes = payload.size();
  header.checksum = checksum_of(header, key, payload);
  std::string entry;
  entry.reserve(sizeof header + key.size() + payload.size());
  return entry.append(bytes_of(header)).append(key).append(payload);
}

std::optional<std::string_view> payload_of(std::string_view entry, std::string_view key) {
  Header header;
  if (entry.size() < sizeof header) return std::nullopt;
  std::memcpy(&header, entry.data(), sizeof header);
  const std::string_view rest = entry.substr(sizeof header);
  if (header.magic != kMagic || header.version != kVersion || header.key_bytes != key.size()) return std::nullopt;
  if (!rest.starts_with(key) || header.payload_bytes != rest.size() - key.size()) return std::nullopt;
  const std::string_view payload = rest.substr(key.size());
  if (header.checksum != checksum_of(header, key, payload)) return std::nullopt;
  return payload;
}

}  // namespace assay::cache
