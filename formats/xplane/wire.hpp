// Reads the wire format of protocol buffers: the fields of a message one by one, without a schema. Lengths are checked
// against the rest of the enclosing message, so nothing outside the file is read, and the nesting depth is bounded by
// the calling code.
#pragma once

#include <bit>
#include <cstdint>
#include <stdexcept>
#include <string_view>

namespace assay::xplane {

/// Invalid bytes; `at` points to them.
struct Damage : std::runtime_error {
  Damage(const char* where, const char* problem) : std::runtime_error(problem), at(where) {}
  const char* at;
};

/// Why a file cannot be read, in words.
struct Refusal : std::runtime_error {
  using std::runtime_error::runtime_error;
};

enum class WireType : std::uint8_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };

/// One field of a message.
struct Field {
  std::uint64_t value = 0;  ///< raw bits of a number
  std::string_view bytes;   ///< of a text or a message
  std::uint32_t number = 0;
  WireType type = WireType::kVarint;

  [[nodiscard]] std::int64_t integer() const { return static_cast<std::int64_t>(value); }
  [[nodiscard]] double real() const { return std::bit_cast<double>(value); }
  /// Whether it is this field, as a text or message. Protobuf treats a field with another type as unknown.
  [[nodiscard]] bool is_bytes(std::uint32_t wanted) const { return number == wanted && type == WireType::kBytes; }
  [[nodiscard]] bool is_number(std::uint32_t wanted) const { return number == wanted && type != WireType::kBytes; }
};

/// Iterates over the fields of a message in order. Throws Damage.
class FieldReader {
 public:
  explicit FieldReader(std::string_view message) : next_(message.data()), end_(message.data() + message.size()) {}

  /// Reads the next field into `field`; false at the end of the message. Without inlining, reading a profile would take
  /// a third longer.
  [[gnu::always_inline]] bool next(Field& field) {
    if (next_ == end_) return false;
    const std::uint64_t key = varint();
    field.number = static_cast<std::uint32_t>(key >> 3U);
    field.type = static_cast<WireType>(key & 7U);
    switch (field.type) {
      case WireType::kVarint:
        field.value = varint();
        return true;
      case WireType::kBytes:
        field.bytes = read_bytes(varint());
        return true;
      case WireType::kFixed64:
        field.value = fixed(8);
        return true;
      case WireType::kFixed32:
        field.value = fixed(4);
        return true;
      default:
        throw Damage(next_, "a field of a type that there is not");
    }
  }

  /// A number with 7 bits per byte, at most ten bytes.
  std::uint64_t varint() {
    if (next_ != end_ && static_cast<unsigned char>(*next_) < 0x80) return static_cast<unsigned char>(*next_++);
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 70; shift += 7) {
      if (next_ == end_) throw Damage(next_, "a number without end");
      const auto byte = static_cast<unsigned char>(*next_++);
      value |= std::uint64_t{byte & 0x7FU} << (shift & 63U);
      if (byte < 0x80) return value;
    }
    throw Damage(next_, "a number of more than 64 bits");
  }
  /// Bytes not read yet.
  [[nodiscard]] std::size_t left() const { return static_cast<std::size_t>(end_ - next_); }

 private:
  std::string_view read_bytes(std::uint64_t size) {
    if (size > static_cast<std::uint64_t>(end_ - next_)) throw Damage(next_, "a length beyond what is around it");
    const std::string_view bytes(next_, size);
    next_ += size;
    return bytes;
  }
  std::uint64_t fixed(std::uint64_t size) {
    std::uint64_t value = 0;
    unsigned shift = 0;
    for (const char byte : read_bytes(size)) {
      value |= std::uint64_t{static_cast<unsigned char>(byte)} << shift;
      shift += 8;
    }
    return value;
  }

  const char* next_;
  const char* end_;
};

/// Calls `use(field)` for every field of a message.
template <class Use>
void each_field(std::string_view message, Use&& use) {
  FieldReader reader(message);
  for (Field field; reader.next(field);) use(field);
}

}  // namespace assay::xplane
