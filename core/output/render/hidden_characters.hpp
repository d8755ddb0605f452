// Characters that are not seen but act: on a terminal, or on how other text is seen.
#pragma once

#include <string>
#include <string_view>

namespace assay {

/// Controls (C0 but tab, line feed and carriage return; DEL; C1), bidirectional controls, and all that Unicode counts
/// as format, line or paragraph separator or fills no place (variation selectors, Hangul fillers, tags).
bool is_hidden(char32_t character);

/// `text` as UTF-8 with each hidden character as \u{..}, so that it can be seen and does nothing.
std::string visible(std::string_view text);

}  // namespace assay
