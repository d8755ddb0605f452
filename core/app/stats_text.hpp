// Tables as nsys stats prints them.
#pragma once

#include <cstddef>
#include <string>

#include "analyze/facts.hpp"

namespace assay {

enum class StatsFormat { kTable, kCsv, kJson };

/// ".txt", ".csv" or ".json".
const char* extension_of(StatsFormat format);

/// The whole text. Numbers have one decimal, MB three; nothing stands for a cell without a value. CSV is byte for byte
/// that of nsys: quotes only where needed, an empty line at the end, and no text at all for a table without rows.
/// `width`: columns that a table may take, names are shortened to fit; 0: any.
std::string stats_text(const OwnedTable& table, StatsFormat format, std::size_t width);

}  // namespace assay
