// Record headers, each parsed once: rows with the same header have their fields at the same places.
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

/// One field of a record that is wanted.
struct WantedField {
  std::size_t number;  ///< in the record
  FieldKind kind;
};

/// What every record of a table keeps to.
struct RecordRules {
  std::size_t fields = 0;               ///< no more values than these
  std::size_t row_id = 0;               ///< number of the field that the row id leaves empty; `fields` or more: none
  std::vector<bool> never_null = {};    ///< by field
  std::vector<bool> never_number = {};  ///< by field
};

/// Where the value of a wanted field stands.
struct Field {
  static constexpr std::uint16_t kConstant = 0x100;
  static constexpr std::uint16_t kNoText = 0xFFFF;  ///< longer than any text that stands on one page

  std::uint16_t offset = 0;  ///< from the first byte behind the header or, of constants, in the table of constants
  /// Of a text its length, or kNoText. Of an integer the arithmetic right shift that cuts it out of 8 big-endian bytes,
  /// plus kConstant where it is NULL, 0 or 1, which take no bytes in the record. So every integer is read alike.
  std::uint16_t detail = 0;
};

/// The table of constants: 0, 1, then the value that stands for NULL of each wanted field, 8 big-endian bytes each.
inline constexpr std::uint16_t kZeroOffset = 0, kOneOffset = 8, kNullOffset = 16;

struct Shape {
  static constexpr std::size_t kMaxHeaderBytes = 127;  ///< its size then takes one byte
  static constexpr std::size_t kWords = (kMaxHeaderBytes + 7) / 8;

  std::array<std::uint64_t, kWords> header{};  ///< the bytes of the record header, padded with zeros
  std::size_t header_bytes = 0;
  std::uint64_t last_word = 0;  ///< the bits of the word behind the last whole one that belong to the header
  std::uint64_t hash = 0;
  std::uint64_t record_bytes = 0;  ///< header and all fields
  std::size_t page_bytes = 0;      ///< of them on the leaf page, with the number of the overflow page if there is one
  std::uint32_t mistyped = 0;      ///< wanted fields that hold something else, neither NULL
  std::vector<Field> fields;       ///< by wanted field
  Shape* follower = nullptr;       ///< of the row that came after the last such row: rows repeat themselves
};

/// The shapes met so far; for one thread.
class ShapeTable {
 public:
  /// At most kMaxFields wanted fields.
  static constexpr std::size_t kMaxFields = 1000;
  ShapeTable(std::vector<WantedField> wanted, RecordRules rules, std::size_t page_size);
  ShapeTable(const ShapeTable&) = delete;
  ShapeTable& operator=(const ShapeTable&) = delete;

  /// The shape of the record of `record_bytes` bytes whose first byte is at `record`, of which `on_page` bytes to the
  /// end of the page; kSlack more bytes may be read. Null: refused, `why()` tells. The result lives until
  /// `forget_excess`.
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

  /// Keeps memory bounded where hardly two rows are alike. Ends the life of all shapes handed out.
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
  std::vector<std::size_t> order_;   ///< of wanted_[i] in the caller's list
  RecordRules rules_;
  std::size_t page_size_;
  /// Of the hash: an address, which no file can foresee, so that none can make all its headers collide.
  std::uint64_t seed_ = reinterpret_cast<std::uintptr_t>(this);
  std::deque<Shape> shapes_;   // a deque: the shapes stay where they are while it grows
  std::vector<Shape*> slots_;  // by hash, open addressing
  Shape none_;                 ///< what the first row follows
  Shape* last_ = &none_;
  Refusal why_{Reason::kRecord, ""};
};

}  // namespace assay::load::btree
