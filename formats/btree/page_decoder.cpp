#include "formats/btree/page_decoder.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string>

namespace assay::load::btree {
namespace {

Refusal on_page(std::uint32_t page, Reason reason, const std::string& what) {
  return {reason, fmt::format("page {} {}", page, what)};
}

constexpr std::size_t kSmallestCell = 4;  // SQLite's minimum, so that a deleted cell can become a free block

std::vector<WantedField> wanted_fields(std::span<const ColumnSink> sinks) {
  std::vector<WantedField> wanted;
  for (const ColumnSink& sink : sinks) {
    const bool is_text = std::holds_alternative<std::span<std::string_view>>(sink.to);
    wanted.push_back({sink.column, is_text ? FieldKind::kText : FieldKind::kInteger});
  }
  return wanted;
}

RecordRules rules_of(const TableLayout& layout) {
  RecordRules rules{layout.fields(), layout.row_id()};
  for (const ColumnLayout& column : layout.columns) {
    rules.never_null.push_back(column.never_null && !column.is_row_id);
    rules.never_number.push_back(column.is_text);
  }
  return rules;
}

std::vector<ColumnSink> sinks_of(const TableLayout& layout, std::span<const ColumnSink> sinks, bool row_ids) {
  std::vector<ColumnSink> chosen;
  for (const ColumnSink& sink : sinks) {
    if (layout.columns[sink.column].is_row_id == row_ids) chosen.push_back(sink);
  }
  return chosen;
}

}  // namespace

PageDecoder::PageDecoder(const TableLayout& layout, std::span<const ColumnSink> sinks, std::size_t page_size)
    : fields_(sinks_of(layout, sinks, false)),
      row_ids_(sinks_of(layout, sinks, true)),
      shapes_(wanted_fields(fields_), rules_of(layout), page_size),
      constants_(kNullOffset + 8 * fields_.size()),
      page_size_(page_size) {
  const auto set = [this](std::size_t offset, std::int64_t value) {
    for (std::size_t i = 0; i < 8; ++i) {
      constants_[offset + i] = static_cast<Byte>(static_cast<std::uint64_t>(value) >> (56 - 8 * i));
    }
  };
  set(kZeroOffset, 0);
  set(kOneOffset, 1);
  for (std::size_t i = 0; i < fields_.size(); ++i) set(kNullOffset + 8 * i, fields_[i].null_value);
}

bool PageDecoder::ids_rise(const Byte* page, const PageHeader& header, std::size_t first) {
  for (std::size_t cell = first; cell < header.cells; ++cell) {
    const std::size_t at = big_endian_16(page + header.pointers + 2 * cell);
    if (at + 4 > page_size_) return false;
    std::uint64_t record_bytes = 0, row_id = 0;
    read_varint(read_varint(page + at, record_bytes), row_id);
    if (static_cast<std::int64_t>(row_id) <= last_id_) return false;
    last_id_ = static_cast<std::int64_t>(row_id);
  }
  return true;
}

std::optional<Refusal> PageDecoder::find_records(const Byte* page, const PageHeader& header, std::uint32_t number) {
  const Byte* const end = page + page_size_;
  const std::size_t first_content = header.pointers + 2 * std::size_t{header.cells};
  records_.resize(header.cells);
  ids_.resize(header.cells);
  shapes_.forget_excess();
  std::uint64_t mistyped = 0;
  std::size_t taken = 0;  // bytes
  bool rising = true;
  for (std::size_t cell = 0; cell < header.cells; ++cell) {
    const std::size_t at = big_endian_16(page + header.pointers + 2 * cell);
    if (at < first_content || at + 4 > page_size_) return on_page(number, Reason::kPage, "has a cell outside it");
    const Byte* next = page + at;
    std::uint64_t record_bytes = *next;
    next = record_bytes < 0x80 ? next + 1 : read_varint(next, record_bytes);
    std::uint64_t row_id = 0;
    next = read_varint(next, row_id);
    ids_[cell] = static_cast<std::int64_t>(row_id);
    rising = rising && (!any_row_ || ids_[cell] > last_id_);
    any_row_ = true;
    last_id_ = ids_[cell];
    if (next >= end) return on_page(number, Reason::kPage, "has a cell that runs over its end");
    const Shape* shape = shapes_.find(next, static_cast<std::size_t>(end - next), record_bytes);
    // Rows of another table, or read from a wrong position, can look like old rows from before a column was added.
    // Their row ids give them away, including those of the following rows.
    if (shape == nullptr && rising && ids_rise(page, header, cell + 1))
      return on_page(number, shapes_.why().reason, shapes_.why().sentence);
    if (shape == nullptr) return on_page(number, Reason::kPage, "has rows out of order");
    records_[cell] = {{next + shape->header_bytes, constants_.data()}, shape->fields.data()};
    mistyped += shape->mistyped;
    taken += std::max(kSmallestCell, static_cast<std::size_t>(next - (page + at)) + shape->page_bytes);
  }
  if (!rising) return on_page(number, Reason::kPage, "has rows out of order");
  if (taken + header.unused(page, number, page_size_) != page_size_ - header.content)
    return on_page(number, Reason::kPage, "has more or fewer bytes in its rows than in use");
  mistyped_ += mistyped;
  return std::nullopt;
}

void PageDecoder::write(std::size_t wanted, std::int64_t* to) const {
  for (const Record& record : records_) {
    const Field field = record.fields[wanted];
    const std::uint64_t bits = big_endian_64(record.base[field.detail >> 8] + field.offset);
    *to++ = static_cast<std::int64_t>(bits) >> (field.detail & 63);
  }
}

void PageDecoder::write(std::size_t wanted, std::string_view* to) const {
  for (const Record& record : records_) {
    const Field field = record.fields[wanted];
    const bool none = field.detail == Field::kNoText;
    *to++ = none ? std::string_view()
                 : std::string_view(reinterpret_cast<const char*>(record.base[0] + field.offset), field.detail);
  }
}

std::optional<Refusal> PageDecoder::decode(const Byte* page, const PageHeader& header, std::uint32_t number,
                                           std::size_t first_row) {
  if (auto refusal = find_records(page, header, number)) return refusal;
  for (std::size_t i = 0; i < fields_.size(); ++i)
    std::visit([&](const auto& to) { write(i, to.data() + first_row); }, fields_[i].to);
  for (const ColumnSink& sink : row_ids_)
    std::ranges::copy(ids_, std::get<std::span<std::int64_t>>(sink.to).data() + first_row);
  return std::nullopt;
}

}  // namespace assay::load::btree
