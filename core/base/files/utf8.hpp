// Text from reports and plugins may hold any bytes; what leaves this stage is UTF-8.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace assay {

/// `bytes` with every byte that is no part of a well-formed UTF-8 sequence replaced by U+FFFD.
std::string to_utf8(std::string_view bytes);

/// Whether to_utf8 would leave it as it is.
bool is_utf8(std::string_view bytes);

/// Length of the well-formed sequence at the beginning of `bytes` (Unicode, table 3-7), or 0. `bytes` is not empty.
std::size_t utf8_length(std::string_view bytes);

/// Whether a byte of UTF-8 is not the first of its character.
constexpr bool continues_utf8(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

/// The first `most` bytes of UTF-8, or a few less where the last character would be cut.
std::string_view utf8_prefix(std::string_view text, std::size_t most);

}  // namespace assay
