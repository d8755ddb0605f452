// Rows as they come: for people, spreadsheets and programs.
#pragma once

#include <memory>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// How rows are written. `kLine`: a column on each line.
enum class RowFormat { kTable, kCsv, kJson, kLine };

struct RowCell {
  std::string_view text;
  bool number = false;  ///< `text` is a number as JSON has it, or "inf", "-inf"
  bool null = false;    ///< there is no value
};

/// Writes the rows of one table, of which it holds few. `end` comes last.
class RowWriter {
 public:
  virtual ~RowWriter() = default;
  /// As many cells as titles.
  virtual void row(std::span<const RowCell> cells) = 0;
  virtual void end() {}
};

/// Table: columns as wide as the first 500 rows need, no value as nothing. CSV: as RFC 4180 says but for lines that end
/// with LF alone; titles first, no value as nothing. JSON: an array of one object a row, no value as null.
std::unique_ptr<RowWriter> row_writer(RowFormat format, std::vector<std::string> titles, std::ostream& out);

}  // namespace assay
