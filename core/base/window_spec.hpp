// Which part of a report is looked at, as a question says it and as loading needs it.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace assay {

enum class WindowMode { kProjected, kHost };

/// `[window]`.
struct WindowSpec {
  std::string nvtx;  ///< empty: the whole capture
  WindowMode mode = WindowMode::kProjected;
  bool fallback_capture = false;  ///< fallback = "capture"
  friend bool operator==(const WindowSpec&, const WindowSpec&) = default;
};

/// `[iterations]`: names of ranges with one `{i}` that stands for a number, because each tool names steps in its own
/// way. Of a report the first counts that it has ranges of; none: no iterations.
struct IterationSpec {
  std::vector<std::string> nvtx;

  IterationSpec() = default;
  /// Of an empty pattern none.
  IterationSpec(std::string pattern) {  // NOLINT: implicit by design
    if (!pattern.empty()) nvtx.push_back(std::move(pattern));
  }
  friend bool operator==(const IterationSpec&, const IterationSpec&) = default;
};

}  // namespace assay
