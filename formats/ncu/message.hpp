// Protocol Buffers wire format (protobuf.dev/programming-guides/encoding): enough to walk the fields that Nsight
// Compute writes, whose schema it ships (extras/FileFormat), and to skip the rest.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace assay::ncu {

struct Field {
  enum class Type : std::uint8_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };
  std::uint32_t number = 0;
  Type type = Type::kVarint;
  std::uint64_t value = 0;  ///< raw bits of a number
  std::string_view bytes;   ///< of kBytes: a text or a message

  [[nodiscard]] bool is_bytes() const { return type == Type::kBytes; }
  [[nodiscard]] double as_double() const {
    double number_of = 0;
    std::memcpy(&number_of, &value, sizeof(number_of));
    return number_of;
  }
  [[nodiscard]] float as_float() const {
    const auto low = static_cast<std::uint32_t>(value);
    float number_of = 0;
    std::memcpy(&number_of, &low, sizeof(number_of));
    return number_of;
  }
};

/// Iterates over fields without copying. The bytes must outlive the fields returned by `next`.
class Message {
 public:
  explicit Message(std::string_view bytes) : rest_(bytes) {}

  /// False at the end, and if the bytes are not a message: then `broken()` is set.
  bool next(Field& field) {
    if (rest_.empty() || broken_) return false;
    std::uint64_t tag = 0;
    if (!varint(tag) || (tag >> 3) == 0 || (tag >> 3) > kLargestNumber) return fail();
    field.number = static_cast<std::uint32_t>(tag >> 3);
    field.bytes = {};
    switch (tag & 7U) {
      case 0:
        field.type = Field::Type::kVarint;
        return varint(field.value) || fail();
      case 1:
        field.type = Field::Type::kFixed64;
        return fixed(field.value, 8) || fail();
      case 2: {
        field.type = Field::Type::kBytes;
        std::uint64_t size = 0;
        if (!varint(size) || size > rest_.size()) return fail();
        field.bytes = rest_.substr(0, size);
        rest_.remove_prefix(size);
        return true;
      }
      case 5:
        field.type = Field::Type::kFixed32;
        return fixed(field.value, 4) || fail();
      default:  // groups, deprecated for 15 years
        return fail();
    }
  }
  [[nodiscard]] bool broken() const { return broken_; }

 private:
  static constexpr std::uint64_t kLargestNumber = (std::uint64_t{1} << 29) - 1;

  bool fail() {
    broken_ = true;
    return false;
  }
  bool varint(std::uint64_t& value) {
    value = 0;
    for (unsigned shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      value |= std::uint64_t{byte & 0x7FU} << shift;
      if (byte < 0x80) return true;
    }
    return false;
  }
  /// Little-endian, like all supported machines.
  bool fixed(std::uint64_t& value, std::size_t bytes) {
    if (rest_.size() < bytes) return false;
    value = 0;
    std::memcpy(&value, rest_.data(), bytes);
    rest_.remove_prefix(bytes);
    return true;
  }

  std::string_view rest_;
  bool broken_ = false;
};

}  // namespace assay::ncu
