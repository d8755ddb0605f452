// A TOML file as a table.
#pragma once

#include <filesystem>

namespace assay {

/// Throws ConfigMistake with a sentence that begins with the file (and the place, where the TOML is wrong).
toml::table parse_toml(const std::filesystem::path& file);

}  // namespace assay
