// Little-endian numbers, structures and texts of untrusted bytes.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace assay::ncu {

/// Reads from the front. What exceeds the bytes is 0 or empty, and leaves nothing to read.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  [[nodiscard]] bool at_end() const { return rest_.empty(); }
  [[nodiscard]] std::size_t left() const { return rest_.size(); }
  template <class T>
  T number() {
    T value{};
    const std::string_view bytes = part(sizeof(T));
    if (bytes.size() == sizeof(T)) std::memcpy(&value, bytes.data(), sizeof(T));
    return value;
  }
  /// Empty if there are fewer.
  std::string_view part(std::uint64_t bytes) {
    const bool is_whole = bytes <= rest_.size();
    const std::string_view taken = is_whole ? rest_.substr(0, bytes) : std::string_view();
    rest_.remove_prefix(is_whole ? bytes : rest_.size());
    return taken;
  }
  /// Up to a NUL, which is skipped.
  std::string_view text() {
    const std::string_view taken = rest_.substr(0, rest_.find('\0'));
    part(taken.size() + 1);
    return taken;
  }
  std::uint64_t unsigned_leb() { return leb(false); }
  std::int64_t signed_leb() { return static_cast<std::int64_t>(leb(true)); }

 private:
  std::uint64_t leb(bool is_signed) {
    std::uint64_t value = 0;
    for (unsigned shift = 0; !rest_.empty();) {
      const auto byte = number<std::uint8_t>();
      if (shift < 64) value |= std::uint64_t{byte & 0x7FU} << shift;
      shift += 7;
      if ((byte & 0x80U) != 0) continue;
      if (is_signed && (byte & 0x40U) != 0 && shift < 64) value |= ~std::uint64_t{0} << shift;
      break;
    }
    return value;
  }

  std::string_view rest_;
};

}  // namespace assay::ncu
