// Decodes one leaf page into the caller's arrays.
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

/// Destination of a column: one element per row. Texts are views into the page.
using Target = std::variant<std::span<std::int64_t>, std::span<std::string_view>>;

struct ColumnSink {
  std::size_t column;  ///< of TableLayout::columns
  Target to;
  std::int64_t null_value = 0;  ///< used for NULL and for values that are not integers; for a text, a view with null
                                ///< data()
};

/// For one thread.
class PageDecoder {
 public:
  /// Bytes after a page that must be readable; their content does not matter.
  static constexpr std::size_t kSlack = ShapeTable::kSlack + 32;

  PageDecoder(const TableLayout& layout, std::span<const ColumnSink> sinks, std::size_t page_size);

  /// Writes the rows of the leaf `page` (number `number`, for messages) to the sinks, starting at `first_row`. Leaves
  /// must come in tree order but may have gaps. A leaf whose row ids do not follow the previous ones belongs to another
  /// table.
  std::optional<Refusal> decode(const Byte* page, const PageHeader& header, std::uint32_t number,
                                std::size_t first_row);

  [[nodiscard]] std::uint64_t mistyped() const { return mistyped_; }

 private:
  /// One record: the two bases from which integers are read, indexed by Field::kConstant.
  struct Record {
    const Byte* base[2];  ///< the body and the table of constants
    const Field* fields;
  };

  std::optional<Refusal> find_records(const Byte* page, const PageHeader& header, std::uint32_t number);
  /// Whether the row ids from cell `first` on keep rising; nothing else of these rows is read.
  bool ids_rise(const Byte* page, const PageHeader& header, std::size_t first);
  void write(std::size_t wanted, std::int64_t* to) const;
  void write(std::size_t wanted, std::string_view* to) const;

  std::vector<ColumnSink> fields_, row_ids_;  ///< sinks for fields of the record, and for the row id
  ShapeTable shapes_;
  std::vector<Byte> constants_;
  std::size_t page_size_;
  std::vector<Record> records_;  ///< of the current page
  std::vector<std::int64_t> ids_;
  std::uint64_t mistyped_ = 0;
  std::int64_t last_id_ = 0;  ///< last row id so far
  bool any_row_ = false;
};

}  // namespace assay::load::btree
