// Invisible characters with an effect on a terminal, or on how other text looks.
#pragma once

#include <string>
#include <string_view>

namespace assay {

/// Controls (C0 except tab, line feed and carriage return; DEL; C1), bidirectional controls, and all characters that
/// Unicode classifies as format, line or paragraph separator or that have no width (variation selectors, Hangul
/// fillers, tags).
bool is_hidden(char32_t character);

/// `text` as UTF-8 with each hidden character written as \u{..}, so that it is visible and has no effect.
std::string visible(std::string_view text);

}  // namespace assay
