// Tables as nsys stats prints them.
#pragma once

#include <cstddef>
#include <ostream>

#include "analyze/facts.hpp"

namespace assay {

enum class StatsFormat { kTable, kCsv, kJson };

/// ".txt", ".csv" or ".json".
const char* extension_of(StatsFormat format);

/// Writes the table piece by piece: one of millions of rows is never a text in memory, except as `kTable`. Numbers have
/// one decimal, MB three; nothing stands for a cell without a value. CSV is byte for byte that of nsys: quotes only
/// where needed, an empty line at the end, and no text at all for a table without rows. `width`: columns that a table
/// may take, names are shortened to fit; 0: any.
void write_stats(std::ostream& out, const OwnedTable& table, StatsFormat format, std::size_t width);

}  // namespace assay
