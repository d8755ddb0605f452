// Reads a TOML file into a table.
#pragma once

#include <filesystem>

#include "config/toml_library.hpp"

namespace assay {

/// Throws ConfigMistake; the sentence begins with the file (and the position of invalid TOML).
toml::table parse_toml(const std::filesystem::path& file);

}  // namespace assay
