// Text from reports and plugins may hold any bytes; what leaves this stage is UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace assay {

/// `bytes` with every byte that is no part of a well-formed UTF-8 sequence replaced by U+FFFD.
std::string to_utf8(std::string_view bytes);

/// Whether to_utf8 would leave it as it is.
bool is_utf8(std::string_view bytes);

}  // namespace assay
