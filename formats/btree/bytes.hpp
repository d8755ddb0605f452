// The numbers of SQLite's file format. The caller guarantees that the bytes can be read: 8 for big_endian_64, up to 9
// for a varint.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace assay::load::btree {

using Byte = unsigned char;

inline std::uint64_t native_64(const Byte* at) {
  std::uint64_t value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

inline std::uint64_t big_endian_64(const Byte* at) {
  const std::uint64_t value = native_64(at);
  return std::endian::native == std::endian::little ? __builtin_bswap64(value) : value;
}

inline std::uint32_t big_endian_32(const Byte* at) {
  std::uint32_t value;
  std::memcpy(&value, at, sizeof value);
  return std::endian::native == std::endian::little ? __builtin_bswap32(value) : value;
}

inline std::uint32_t big_endian_16(const Byte* at) { return static_cast<std::uint32_t>(at[0]) << 8 | at[1]; }

/// Reads a varint into `value` and returns the byte after it.
inline const Byte* read_varint(const Byte* at, std::uint64_t& value) {
  value = 0;
  for (int i = 0; i < 8; ++i, ++at) {
    value = value << 7 | (*at & 0x7FU);
    if (*at < 0x80) return at + 1;
  }
  value = value << 8 | *at;
  return at + 1;
}

/// Bytes that a value of this serial type takes in a record (file format, section 2.1).
inline std::uint64_t bytes_of(std::uint64_t serial_type) {
  constexpr std::array<std::uint8_t, 12> kBytes = {0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0};
  return serial_type < kBytes.size() ? kBytes[serial_type] : (serial_type - 12) / 2;
}

/// Bytes of a record that are on the leaf page itself (file format, section 1.6).
inline std::uint64_t local_bytes(std::uint64_t record_bytes, std::size_t page_size) {
  const std::uint64_t most = page_size - 35;
  if (record_bytes <= most) return record_bytes;
  const std::uint64_t least = (page_size - 12) * 32 / 255 - 23;
  const std::uint64_t filling = least + (record_bytes - least) % (page_size - 4);
  return filling <= most ? filling : least;
}

}  // namespace assay::load::btree
