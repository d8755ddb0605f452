// External commands: `assay NAME` runs the program `assay-NAME` if assay has no command NAME.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// `assay-NAME` in lib/assay/commands of this installation, else in PATH; empty if there is none or `name` has
/// characters other than lower-case letters, digits, '-' and '_'.
std::filesystem::path external_command(std::string_view name);

/// Names of all of them, sorted.
std::vector<std::string> external_commands();

/// Replaces this process by that program, with the path of this one in ASSAY_PROGRAM so that it can call assay. Returns
/// only on failure; errno has the reason.
void become(const std::filesystem::path& program, std::span<char* const> arguments);

}  // namespace assay
