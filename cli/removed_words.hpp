// Removed commands and options and their replacements, so that an old word gets better advice than "unknown".
#pragma once

#include <string_view>

namespace assay {

/// "'assay describe METRIC' ..." for "explain", "--xlsx", ...; empty if the word was never valid or still is.
std::string_view instead_of(std::string_view word);

}  // namespace assay
