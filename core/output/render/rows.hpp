// Prints rows as they arrive: for people, spreadsheets and programs.
#pragma once

#include <memory>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// Format of rows. `kLine`: one line per column.
enum class RowFormat { kTable, kCsv, kJson, kLine };

struct RowCell {
  std::string_view text;
  bool number = false;  ///< `text` is a JSON number, or "inf", "-inf"
  bool null = false;    ///< there is no value
};

/// Writes the rows of one table and holds few of them. Call `end` last.
class RowWriter {
 public:
  virtual ~RowWriter() = default;
  /// As many cells as titles.
  virtual void row(std::span<const RowCell> cells) = 0;
  virtual void end() {}
};

/// Table: columns fit the first 500 rows, a missing value is empty. CSV: RFC 4180 except that lines end with LF; titles
/// first, a missing value is empty. JSON: an array with one object per row, a missing value is null.
std::unique_ptr<RowWriter> row_writer(RowFormat format, const std::vector<std::string>& titles, std::ostream& out);

}  // namespace assay
