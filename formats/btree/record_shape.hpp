// Record headers, each parsed once: rows with equal headers have their fields at the same offsets.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "formats/btree/bytes.hpp"
#include "formats/btree/refusal.hpp"

namespace assay::load::btree {

enum class FieldKind { kInteger, kText };

/// A requested field of a record.
struct WantedField {
  std::size_t number;  ///< in the record
  FieldKind kind;
};

/// Rules that every record of a table obeys.
struct RecordRules {
  std::size_t fields = 0;               ///< at most this many values
  std::size_t row_id = 0;               ///< number of the field that is empty because it holds the row id; `fields` or
                                        ///< more: none
  std::vector<bool> never_null = {};    ///< by field
  std::vector<bool> never_number = {};  ///< by field
};

/// Location of the value of a requested field.
struct Field {
  static constexpr std::uint16_t kConstant = 0x100;
  static constexpr std::uint16_t kNoText = 0xFFFF;  ///< longer than any text that fits a page

  std::uint16_t offset = 0;  ///< from the first byte after the header, or for constants into the table of constants
  /// For a text: its length, or kNoText. For an integer: the arithmetic right shift that extracts it from 8 big-endian
  /// bytes, plus kConstant for NULL, 0 and 1, which take no bytes in the record. This way all integers are read alike.
  std::uint16_t detail = 0;
};

/// The table of constants: 0, 1, then the null value of each requested field, each as 8 big-endian bytes.
inline constexpr std::uint16_t kZeroOffset = 0, kOneOffset = 8, kNullOffset = 16;

struct Shape {
  static constexpr std::size_t kMaxHeaderBytes = 127;  ///< so that its size takes one byte
  static constexpr std::size_t kWords = (kMaxHeaderBytes + 7) / 8;

  std::array<std::uint64_t, kWords> header{};  ///< bytes of the record header, padded with zeros
  std::size_t header_bytes = 0;
  std::uint64_t last_word = 0;  ///< the header bits in the word after the last whole one
  std::uint64_t hash = 0;
  std::uint64_t record_bytes = 0;  ///< header and all fields
  std::size_t page_bytes = 0;      ///< bytes of the record on the leaf page, including the number of an overflow page
  std::uint32_t mistyped = 0;      ///< requested fields that hold neither the expected type nor NULL
  std::vector<Field> fields;       ///< by wanted field
  Shape* follower = nullptr;       ///< shape of the row that followed the last such row: rows repeat in patterns
};

/// The shapes met so far; for use by one thread.
class ShapeTable {
 public:
  /// At most kMaxFields requested fields.
  static constexpr std::size_t kMaxFields = 1000;
  ShapeTable(std::vector<WantedField> wanted, RecordRules rules, std::size_t page_size);
  ShapeTable(const ShapeTable&) = delete;
  ShapeTable& operator=(const ShapeTable&) = delete;

  /// The shape of the record of `record_bytes` bytes at `record`, of which `on_page` bytes are before the end of the
  /// page; kSlack more bytes must be readable. Null: refused for the reason in `why()`. Valid until `forget_excess`.
  const Shape* find(const Byte* record, std::size_t on_page, std::uint64_t record_bytes) {
    Shape* shape = last_->follower;
    if (shape == nullptr || !matches(*shape, record)) {
      shape = look_up(record, on_page, record_bytes);
      last_->follower = shape;
    }
    if (shape == nullptr || shape->record_bytes != record_bytes || shape->page_bytes > on_page) [[unlikely]] {
      return contradiction(shape);
    }
    return last_ = shape;
  }
  static constexpr std::size_t kSlack = Shape::kWords * 8;

  [[nodiscard]] const Refusal& why() const { return why_; }

  /// Bounds the memory if hardly two rows are alike. Invalidates all shapes returned.
  void forget_excess();

 private:
  static bool matches(const Shape& shape, const Byte* record) {
    std::uint64_t difference = 0;
    const std::size_t whole = shape.header_bytes / 8;
    for (std::size_t i = 0; i < whole; ++i) difference |= shape.header[i] ^ native_64(record + 8 * i);
    return (difference | (shape.header[whole] ^ (native_64(record + 8 * whole) & shape.last_word))) == 0;
  }

  Shape* look_up(const Byte* record, std::size_t on_page, std::uint64_t record_bytes);
  const Shape* contradiction(const Shape* shape);
  bool parse(const Byte* record, Shape& shape);
  void set_field(std::uint64_t serial_type, std::uint64_t offset, std::size_t wanted, Shape& shape) const;
  Shape* add(const Byte* record, std::size_t on_page, std::uint64_t record_bytes, std::uint64_t hash);
  bool refuse(Reason reason, const char* sentence);
  void insert(Shape& shape);

  std::vector<WantedField> wanted_;  ///< by number
  std::vector<std::size_t> order_;   ///< index of wanted_[i] in the caller's list
  RecordRules rules_;
  std::size_t page_size_;
  /// Hash seed: an address, which a file cannot predict, so it cannot make its headers collide.
  std::uint64_t seed_ = reinterpret_cast<std::uintptr_t>(this);
  std::deque<Shape> shapes_;   // a deque keeps shapes at their address while it grows
  std::vector<Shape*> slots_;  // by hash, open addressing
  Shape none_;                 ///< predecessor of the first row
  Shape* last_ = &none_;
  Refusal why_{Reason::kRecord, ""};
};

}  // namespace assay::load::btree
