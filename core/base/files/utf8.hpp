// Text of reports and plugins may contain any bytes; the text that leaves this stage is UTF-8.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace assay {

/// `bytes` with every byte that is not part of a well-formed UTF-8 sequence replaced by U+FFFD.
std::string to_utf8(std::string_view bytes);

/// Whether to_utf8 would leave `bytes` unchanged.
bool is_utf8(std::string_view bytes);

/// Length of the well-formed sequence at the start of `bytes` (Unicode, table 3-7), or 0. Precondition: not empty.
std::size_t utf8_length(std::string_view bytes);

/// Whether the byte is a continuation byte of UTF-8.
constexpr bool continues_utf8(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

/// The first `most` bytes of UTF-8, or up to three fewer so that the last character is complete.
std::string_view utf8_prefix(std::string_view text, std::size_t most);

}  // namespace assay
