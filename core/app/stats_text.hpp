// Tables as nsys stats prints them.
#pragma once

#include <cstddef>
#include <ostream>
#include <string>

#include "analyze/facts.hpp"
#include "assay/output.hpp"

namespace assay {

enum class StatsFormat { kTable, kCsv, kJson };

/// ".txt", ".csv" or ".json".
const char* extension_of(StatsFormat format);

/// CSV of one table, written as its rows come: byte for byte that of nsys, with quotes only where needed, an empty line
/// at the end, and no text at all for a table without rows. Numbers have one decimal, MB three; nothing stands for a
/// cell without a value. Memory does not grow with the rows.
class CsvWriter {
 public:
  explicit CsvWriter(std::ostream& out) : out_(out) {}
  /// The first rows of the table, or more of them.
  void rows(const TableView& table);
  void finish();

 private:
  std::ostream& out_;
  std::string block_;
  bool begun_ = false;
};

/// Writes the table piece by piece: one of millions of rows is never a text in memory, except as `kTable`. `width`:
/// columns that a table may take, names are shortened to fit; 0: any.
void write_stats(std::ostream& out, const OwnedTable& table, StatsFormat format, std::size_t width);

}  // namespace assay
