// The byte order mark that some editors and shells write before UTF-8; it is not part of the text.
#pragma once

#include <string_view>

namespace assay {

inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// `text` without its byte order mark, if it has one.
constexpr std::string_view without_byte_order_mark(std::string_view text) {
  return text.starts_with(kByteOrderMark) ? text.substr(kByteOrderMark.size()) : text;
}

}  // namespace assay
