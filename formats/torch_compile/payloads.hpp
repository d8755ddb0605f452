// Texts in the payloads of entries: reasons of graph breaks, guards, stacks.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "assay/report.hpp"

namespace assay::torch_compile {

struct SourcePlace {
  std::string_view file, code;
  std::int64_t line = kNoCell;
};

/// The innermost frame of a Python traceback; an empty file if there is none.
SourcePlace innermost_frame(std::string_view traceback);

/// "compiled.py:28"; empty if the file is not known.
std::string place_text(std::string_view file, std::int64_t line);

struct BreakReason {
  std::string_view file, reason, explanation, hint, frames;
  std::int64_t line = kNoCell;
};
/// Of "Graph break in user code at FILE:LINE"; what is not there stays empty.
BreakReason break_reason(std::string_view payload);

struct FailedGuard {
  std::string_view previous, guard;  ///< "0/0"; "tensor 'x' size mismatch at index 0. expected 8, actual 12"
  SourcePlace place;                 ///< what it protects
};
FailedGuard failed_guard(std::string_view reason);

std::string_view trimmed(std::string_view text);

/// Calls `use(line)` for each line of a text, without its end.
template <class Use>
void each_line(std::string_view text, Use use) {
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    use(text.substr(at, end - at));
    at = end + 1;
  }
}

}  // namespace assay::torch_compile
