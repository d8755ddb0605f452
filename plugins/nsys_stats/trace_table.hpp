// A table emitted in pieces, so that it is never held as a whole.
#pragma once

#include <cstdint>
#include <deque>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "assay/output.hpp"
#include "made.hpp"

namespace assay::nsys {

/// Cells are added row by row in column order; `finish` emits the rest. Texts passed as `view` must live until the row
/// is emitted, at the latest until `finish`.
class TraceTable {
 public:
  /// Of a column: "Start (ns)" has the unit ns.
  struct Heading {
    Heading(const char* text, CellType of = CellType::kInteger);  // NOLINT: implicit, for lists of headings

    std::string name, unit;
    CellType type;
  };
  TraceTable(ReportSink& sink, const Task& task, std::initializer_list<Heading> headings);

  TraceTable& view(std::string_view text) {
    next().texts.emplace_back(text);
    return *this;
  }
  TraceTable& text(std::string text) { return view(owned_.emplace_back(std::move(text))); }
  TraceTable& integer(std::int64_t value) {
    next().integers.push_back(value);
    return *this;
  }
  TraceTable& number(double value) {
    next().numbers.push_back(value);
    return *this;
  }
  /// An empty cell.
  TraceTable& nothing();
  TraceTable& nothing(int cells) {
    for (int c = 0; c < cells; ++c) nothing();
    return *this;
  }
  void end_row() {
    column_ = 0;
    if (++rows_ == kBatch) deliver();
  }
  void finish() {
    if (rows_ > 0 || !begun_) deliver();
  }

 private:
  struct Cells {
    Heading heading;
    std::vector<Str> texts;
    std::vector<std::int64_t> integers;
    std::vector<double> numbers;
  };
  static constexpr std::size_t kBatch = 4096;  // for twenty columns: fits a second-level cache

  Cells& next() { return columns_[column_++]; }
  void deliver();

  ReportSink& sink_;
  std::string id_, title_;
  std::vector<Cells> columns_;
  std::deque<std::string> owned_;
  std::size_t column_ = 0, rows_ = 0;
  bool begun_ = false;
};

inline TraceTable::Heading of_texts(const char* heading) { return {heading, CellType::kText}; }
inline TraceTable::Heading of_numbers(const char* heading) { return {heading, CellType::kNumber}; }

/// The cell of an id or a number that may be missing.
inline std::int64_t cell(std::int64_t value) { return value == kNone ? kNoInteger : value; }

}  // namespace assay::nsys
