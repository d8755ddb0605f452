// Commands and options that are gone, and what to use instead: whoever types one is not left with "unknown".
#pragma once

#include <string_view>

namespace assay {

/// "'assay describe METRIC' ..." for "explain", "--xlsx", ...; empty if the word was never one, or still is.
std::string_view instead_of(std::string_view word);

}  // namespace assay
