// Tables as nsys stats prints them.
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

/// Places after the point: sizes have three, all else one.
int stats_decimals(std::string_view unit);

/// Characters of the longest number: a double has 309 digits before the point.
inline constexpr std::size_t kMostStatsDigits = 400;

/// CSV of one table, written as its rows come: byte for byte that of nsys, with quotes only where needed, an empty line
/// at the end unless it is a file's own, and no text at all for a table without rows. Numbers have one decimal, MB
/// three; nothing stands for a cell without a value. Memory does not grow with the rows.
class CsvWriter {
 public:
  explicit CsvWriter(std::ostream& out, bool alone_in_a_file = false)
      : out_(out), alone_(alone_in_a_file), block_(kBlock) {}
  /// The first rows of the table, or more of them.
  void rows(const TableView& table);
  void finish();

 private:
  static constexpr std::size_t kBlock = std::size_t{1} << 17;

  void heading(const TableView& table);
  /// Room for so many more bytes, after which the buffer is where it was or elsewhere.
  void make_room(std::size_t bytes);
  char* write_text(char* to, std::string_view text);

  /// The cell of a text that is long or has to be quoted: made once for all rows that hand over the same one at a time.
  struct KnownCell {
    std::string_view text;
    std::string cell;
  };
  std::ostream& out_;
  bool alone_;
  std::vector<char> block_;  ///< filled in place: most of what is written are digits
  std::size_t used_ = 0;
  bool begun_ = false;
  std::array<KnownCell, 1024> known_;
};

/// Writes the table piece by piece: one of millions of rows is never a text in memory, except as `kTable`. `width`:
/// columns that a table may take, names are shortened to fit; 0: any.
/// As CsvWriter, it may be alone in a file.
void write_stats(std::ostream& out, const OwnedTable& table, RowFormat format, std::size_t width,
                 bool alone_in_a_file = false);

}  // namespace assay
