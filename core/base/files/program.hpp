// Where programs are found.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

namespace assay {

/// Whether it is a regular file that this user may execute.
bool can_be_run(const std::filesystem::path& file);

/// The first program `name` in `folders`, a list with colons as $PATH is, absolute; nothing where none is.
std::optional<std::filesystem::path> program_in(std::string_view folders, std::string_view name);

/// The same in $PATH.
std::optional<std::filesystem::path> program_on_path(std::string_view name);

/// This program's own file; empty when the system does not tell.
std::filesystem::path own_program();

/// Where the questions of an installation or a build tree stand, with their data; empty when the system does not tell.
std::filesystem::path installed_questions();

}  // namespace assay
