// One leaf page to rows of the caller's arrays.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "formats/btree/leaf_list.hpp"
#include "formats/btree/record_shape.hpp"
#include "formats/btree/table_layout.hpp"

namespace assay::load::btree {

/// Where a column goes: one element a row. Texts are views of the page.
using Target = std::variant<std::span<std::int64_t>, std::span<std::string_view>>;

struct ColumnSink {
  std::size_t column;  ///< of TableLayout::columns
  Target to;
  std::int64_t null_value = 0;  ///< stands for NULL and for what is no integer; a text is then a view of null data()
};

/// For one thread.
class PageDecoder {
 public:
  /// Bytes behind a page that must be readable, whatever they hold.
  static constexpr std::size_t kSlack = ShapeTable::kSlack + 32;

  PageDecoder(const TableLayout& layout, std::span<const ColumnSink> sinks, std::size_t page_size);

  /// Writes the rows of the leaf `page` (number `number`, for messages) to the sinks from `first_row` on. Leaves come
  /// in the order of the tree, though not each of them: a leaf whose row ids do not follow those before is another's.
  std::optional<Refusal> decode(const Byte* page, const PageHeader& header, std::uint32_t number,
                                std::size_t first_row);

  [[nodiscard]] std::uint64_t mistyped() const { return mistyped_; }

 private:
  /// One record: where its integers are read from, by Field::kConstant, and where in it.
  struct Record {
    const Byte* base[2];  ///< the body; the table of constants
    const Field* fields;
  };

  std::optional<Refusal> find_records(const Byte* page, const PageHeader& header, std::uint32_t number);
  /// Whether the row ids from cell `first` on, which are all that is read of these rows, go on rising.
  bool ids_rise(const Byte* page, const PageHeader& header, std::size_t first);
  void write(std::size_t wanted, std::int64_t* to) const;
  void write(std::size_t wanted, std::string_view* to) const;

  std::vector<ColumnSink> fields_, row_ids_;  ///< sinks of fields of the record, and of the row id
  ShapeTable shapes_;
  std::vector<Byte> constants_;
  std::size_t page_size_;
  std::vector<Record> records_;  ///< of the page in hand
  std::vector<std::int64_t> ids_;
  std::uint64_t mistyped_ = 0;
  std::int64_t last_id_ = 0;  ///< of the rows so far
  bool any_row_ = false;
};

}  // namespace assay::load::btree
