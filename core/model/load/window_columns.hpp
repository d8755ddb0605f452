// Columns that a window needs besides those that analyzers want.
#pragma once

#include <set>

#include "assay/report.hpp"
#include "window_spec.hpp"

namespace assay {

/// `wanted` plus the columns `load_profile` needs for this window: the ranges that it may be, and calls, because device
/// work belongs to a named window by its launching call; without them `call` of device work is -1.
inline std::set<ColumnId> with_window(std::set<ColumnId> wanted, const WindowSpec& window) {
  if (!window.nvtx.empty()) wanted.insert({col::calls, col::ranges, col::spans});
  return wanted;
}

}  // namespace assay
