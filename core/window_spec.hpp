// Which part of a report is looked at, as a question says it and as loading needs it.
#pragma once

#include <string>

namespace assay {

enum class WindowMode { kProjected, kHost };

/// `[window]`.
struct WindowSpec {
  std::string nvtx;  ///< empty: the whole capture
  WindowMode mode = WindowMode::kProjected;
  bool fallback_capture = false;  ///< fallback = "capture"
  friend bool operator==(const WindowSpec&, const WindowSpec&) = default;
};

/// `[iterations]`: a range name with one `{i}` that stands for a number; empty: none.
struct IterationSpec {
  std::string nvtx;
  friend bool operator==(const IterationSpec&, const IterationSpec&) = default;
};

}  // namespace assay
