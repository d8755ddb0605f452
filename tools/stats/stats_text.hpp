// Prints tables like nsys stats.
#pragma once

#include <array>
#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/facts.hpp"
#include "assay/output.hpp"
#include "render/rows.hpp"

namespace assay {

/// ".txt", ".csv" or ".json".
const char* extension_of(RowFormat format);

/// "Total Time (ns)".
std::string stats_title(std::string_view name, std::string_view unit);

/// Decimal places: three for sizes, else one.
int stats_decimals(std::string_view unit);

/// Length of the longest number: a double has 309 digits before the point.
inline constexpr std::size_t kMaxStatsDigits = 400;

/// Writes a table as CSV row by row, byte for byte like nsys: quotes only if needed, an empty line at the end unless
/// the table is a file of its own, and no text for a table without rows. Numbers have one decimal place, MB three; a
/// missing value is an empty cell. Memory does not grow with the rows.
class CsvWriter {
 public:
  explicit CsvWriter(std::ostream& out, bool alone_in_a_file = false)
      : out_(out), alone_(alone_in_a_file), block_(kBlock) {}
  /// Writes the first or further rows of the table.
  void rows(const TableView& table);
  void finish();

 private:
  static constexpr std::size_t kBlock = std::size_t{1} << 17;

  void heading(const TableView& table);
  /// Makes room for more bytes; may move the buffer.
  void make_room(std::size_t bytes);
  char* write_text(char* to, std::string_view text);

  /// Formatted cell of a long or quoted text, for reuse in following rows with the same text.
  struct KnownCell {
    std::string_view text;
    std::string cell;
  };
  std::ostream& out_;
  bool alone_;
  std::vector<char> block_;  ///< filled in place: most output is digits
  std::size_t used_ = 0;
  bool begun_ = false;
  std::array<KnownCell, 1024> known_;
};

/// Writes the table in pieces: a table of millions of rows is never held as text, except with `kTable`. `width`: max
/// columns of a table, shortens names; 0: unlimited. As in CsvWriter, it may be a file of its own.
void write_stats(std::ostream& out, const OwnedTable& table, RowFormat format, std::size_t width,
                 bool alone_in_a_file = false);

}  // namespace assay
