// Log lines: messages that are not part of a result. cli/log.hpp decides where they go.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace assay {

enum class LogLevel : std::uint8_t { kInfo, kWarning, kError };

void log_line(LogLevel level, std::string_view text);

/// Formats `text` and logs it. Keeps the logging library out of every file that logs.
template <class... Values>
void log_warning(fmt::format_string<Values...> text, Values&&... values) {
  log_line(LogLevel::kWarning, fmt::format(text, std::forward<Values>(values)...));
}
template <class... Values>
void log_info(fmt::format_string<Values...> text, Values&&... values) {
  log_line(LogLevel::kInfo, fmt::format(text, std::forward<Values>(values)...));
}

}  // namespace assay
