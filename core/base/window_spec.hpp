// Which part of a report is analyzed, as stated in the question and needed for loading.
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

/// `[iterations]`: range names with one `{i}` that stands for a number, because each tool names steps in its own way.
/// The first name that has ranges in a report counts; empty list: no iterations.
struct IterationSpec {
  std::vector<std::string> nvtx;

  IterationSpec() = default;
  /// An empty pattern gives none.
  IterationSpec(std::string pattern) {  // NOLINT: implicit by design
    if (!pattern.empty()) nvtx.push_back(std::move(pattern));
  }
  friend bool operator==(const IterationSpec&, const IterationSpec&) = default;
};

}  // namespace assay
