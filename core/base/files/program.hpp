// Finds programs.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

namespace assay {

/// Whether it is a regular file that this user may execute.
bool can_be_run(const std::filesystem::path& file);

/// Absolute path of the first program `name` in `folders`, a colon-separated list like $PATH; empty if there is none.
std::optional<std::filesystem::path> program_in(std::string_view folders, std::string_view name);

/// Like program_in, for $PATH.
std::optional<std::filesystem::path> program_on_path(std::string_view name);

/// File of this program; empty if the system does not provide it.
std::filesystem::path own_program();

/// Folder of the questions of an installation or build tree, with their data; empty if the system does not provide it.
std::filesystem::path installed_questions();

}  // namespace assay
