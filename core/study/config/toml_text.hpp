// Reads a TOML file into a table.
#pragma once

#include <filesystem>
#include <string_view>

#include "config/toml_library.hpp"

namespace assay {

/// Throws ConfigMistake; the sentence begins with the file (and the position of invalid TOML).
toml::table parse_toml(const std::filesystem::path& file);
/// Like parse_toml, for a text; `file` names it in messages.
toml::table parse_toml_text(std::string_view bytes, const std::filesystem::path& file);

}  // namespace assay
