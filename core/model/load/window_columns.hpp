// Columns that a window takes beside those that somebody looks at.
#pragma once

#include <set>

#include "assay/report.hpp"
#include "window_spec.hpp"

namespace assay {

/// `wanted` and what `load_profile` must read besides for a view of such a window: which device work belongs to a named
/// one the calls tell that launched it. Without it an export is read without its calls where nobody asks for them, and
/// `call` of device work is -1.
inline std::set<ColumnId> with_window(std::set<ColumnId> wanted, const WindowSpec& window) {
  if (!window.nvtx.empty()) wanted.insert(col::calls);
  return wanted;
}

}  // namespace assay
