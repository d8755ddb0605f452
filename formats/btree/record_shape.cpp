#include "formats/btree/record_shape.hpp"

#include <algorithm>
#include <numeric>

namespace assay::load::btree {
namespace {

constexpr std::size_t kFirstSlots = 64;
constexpr std::size_t kMaxShapes = 4096;
constexpr std::uint64_t kMaxRecordBytes = 0x7FFFFFFF;  // SQLite's own limit; it clamps larger numbers

bool is_number(std::uint64_t serial_type) { return serial_type >= 1 && serial_type <= 9; }

/// Mask of the first `bytes` < 8 bytes of a word read from memory.
std::uint64_t first_bytes(std::size_t bytes) {
  if (bytes == 0) return 0;
  const std::size_t unused = 64 - 8 * bytes;
  constexpr std::uint64_t kAll = ~std::uint64_t{0};
  return std::endian::native == std::endian::little ? kAll >> unused : kAll << unused;
}

}  // namespace

ShapeTable::ShapeTable(std::vector<WantedField> wanted, RecordRules rules, std::size_t page_size)
    : order_(wanted.size()), rules_(std::move(rules)), page_size_(page_size), slots_(kFirstSlots) {
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::sort(order_.begin(), order_.end(),
            [&](std::size_t a, std::size_t b) { return wanted[a].number < wanted[b].number; });
  for (const std::size_t i : order_) wanted_.push_back(wanted[i]);
}

bool ShapeTable::refuse(Reason reason, const char* sentence) {
  why_ = {reason, sentence};
  return false;
}

const Shape* ShapeTable::contradiction(const Shape* shape) {
  if (shape != nullptr) refuse(Reason::kRecord, "has a record that is not as long as its header says");
  return nullptr;
}

Shape* ShapeTable::look_up(const Byte* record, std::size_t on_page, std::uint64_t record_bytes) {
  const std::size_t header_bytes = record[0];
  if (header_bytes > Shape::kMaxHeaderBytes) {
    refuse(Reason::kLongHeader, "has a record header of more than 127 bytes");
    return nullptr;
  }
  std::uint64_t hash = seed_;
  const auto mix = [&hash](std::uint64_t word) {  // the swap moves the best mixed bits to where slots are taken from
    hash = __builtin_bswap64((hash ^ word) * 0x9E3779B97F4A7C15U);
  };
  const std::size_t whole = header_bytes / 8;
  for (std::size_t i = 0; i < whole; ++i) mix(native_64(record + 8 * i));
  mix(native_64(record + 8 * whole) & first_bytes(header_bytes % 8));
  mix(header_bytes);

  const std::size_t mask = slots_.size() - 1;
  for (std::size_t slot = hash & mask; slots_[slot] != nullptr; slot = (slot + 1) & mask) {
    if (matches(*slots_[slot], record)) return slots_[slot];
  }
  return add(record, on_page, record_bytes, hash);
}

Shape* ShapeTable::add(const Byte* record, std::size_t on_page, std::uint64_t record_bytes, std::uint64_t hash) {
  Shape shape;
  shape.hash = hash;
  shape.header_bytes = record[0];
  shape.record_bytes = record_bytes;
  if (shape.header_bytes == 0 || shape.header_bytes > on_page || shape.header_bytes > record_bytes ||
      record_bytes > kMaxRecordBytes) {
    refuse(Reason::kRecord, "has a record header that does not fit its record");
    return nullptr;
  }
  const std::size_t whole = shape.header_bytes / 8;
  shape.last_word = first_bytes(shape.header_bytes % 8);
  for (std::size_t i = 0; i < whole; ++i) shape.header[i] = native_64(record + 8 * i);
  shape.header[whole] = native_64(record + 8 * whole) & shape.last_word;
  if (!parse(record, shape)) return nullptr;
  shapes_.push_back(std::move(shape));
  if (shapes_.size() * 2 > slots_.size()) {
    slots_.assign(slots_.size() * 2, nullptr);
    for (Shape& other : shapes_) insert(other);
  } else {
    insert(shapes_.back());
  }
  return &shapes_.back();
}

void ShapeTable::insert(Shape& shape) {
  std::size_t slot = shape.hash & (slots_.size() - 1);
  while (slots_[slot] != nullptr) slot = (slot + 1) & (slots_.size() - 1);
  slots_[slot] = &shape;
}

void ShapeTable::forget_excess() {
  if (shapes_.size() <= kMaxShapes) return;
  shapes_.clear();
  slots_.assign(kFirstSlots, nullptr);
  last_ = &none_;
  none_.follower = nullptr;
}

bool ShapeTable::parse(const Byte* record, Shape& shape) {
  const std::uint64_t local = local_bytes(shape.record_bytes, page_size_);
  if (shape.header_bytes > local) return refuse(Reason::kLongHeader, "has a record header that continues elsewhere");
  shape.page_bytes = local + (local < shape.record_bytes ? 4 : 0);
  shape.fields.resize(wanted_.size());

  const Byte* const end = record + shape.header_bytes;
  std::uint64_t body = 0;  // bytes of the fields so far
  std::size_t field = 0, next = 0;
  for (const Byte* at = record + 1; at < end; ++field) {
    std::uint64_t serial_type = 0;
    at = read_varint(at, serial_type);
    if (at > end) return refuse(Reason::kRecord, "has a record header that ends inside a number");
    const std::uint64_t bytes = bytes_of(serial_type);
    if (serial_type == 10 || serial_type == 11) return refuse(Reason::kRecord, "has a value of a reserved type");
    // SQLite reads past such fields and would take the row of another table for one of this table.
    if (field == rules_.row_id && serial_type != 0)
      return refuse(Reason::kRecord, "has a record with a value in the place of its row id");
    if (serial_type == 0 && field < rules_.never_null.size() && rules_.never_null[field])
      return refuse(Reason::kRecord, "has a record without a value that its table demands");
    if (is_number(serial_type) && field < rules_.never_number.size() && rules_.never_number[field])
      return refuse(Reason::kRecord, "has a record with a number where its table has texts");
    if (bytes > shape.record_bytes - shape.header_bytes - body) {
      return refuse(Reason::kRecord, "has a value that runs over the end of its record");
    }
    for (; next < wanted_.size() && wanted_[next].number == field; ++next) {
      const bool has_bytes = serial_type != 0;
      if (has_bytes && shape.header_bytes + body + bytes > local) {
        return refuse(Reason::kOverflow, "has a wanted value that continues on another page");
      }
      set_field(serial_type, body, next, shape);
    }
    body += bytes;
  }
  if (shape.header_bytes + body != shape.record_bytes) {
    return refuse(Reason::kRecord, "has a record that is not as long as its header says");
  }
  // If damage removed one column from the text of the table, all later columns would be read as their neighbours.
  if (field > rules_.fields) return refuse(Reason::kRecord, "has a record of more values than the table has columns");
  // A column added later has a default or may be NULL.
  for (std::size_t missing = field; missing < rules_.never_null.size(); ++missing) {
    if (rules_.never_null[missing])
      return refuse(Reason::kRecord, "has a record of fewer values than its table demands");
  }
  if (next != wanted_.size()) return refuse(Reason::kShortRecord, "has a record without a wanted column");
  return true;
}

void ShapeTable::set_field(std::uint64_t serial_type, std::uint64_t offset, std::size_t wanted, Shape& shape) const {
  constexpr std::uint64_t kReal = 7, kZero = 8, kOne = 9, kFirstText = 13;
  Field& field = shape.fields[order_[wanted]];
  field.offset = static_cast<std::uint16_t>(offset);
  const bool is_text = serial_type >= kFirstText && serial_type % 2 == 1;
  if (wanted_[wanted].kind == FieldKind::kText) {
    field.detail = is_text ? static_cast<std::uint16_t>(bytes_of(serial_type)) : Field::kNoText;
    if (!is_text && serial_type != 0) ++shape.mistyped;
    return;
  }
  const bool is_integer = serial_type < kReal || serial_type == kZero || serial_type == kOne;
  if (is_integer && bytes_of(serial_type) > 0) {
    field.detail = static_cast<std::uint16_t>(64 - 8 * bytes_of(serial_type));
    return;
  }
  field.detail = Field::kConstant;
  if (!is_integer) ++shape.mistyped;
  field.offset = serial_type == kZero  ? kZeroOffset
                 : serial_type == kOne ? kOneOffset
                                       : static_cast<std::uint16_t>(kNullOffset + 8 * order_[wanted]);
}

}  // namespace assay::load::btree
