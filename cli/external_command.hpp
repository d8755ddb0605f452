// Commands of others: `assay NAME` is the program `assay-NAME` where assay has no command NAME.
#pragma once

#include <filesystem>
#include <span>
#include <string_view>

namespace assay {

/// `assay-NAME` in lib/assay/commands of this installation, else in PATH; empty: there is none, or `name` is not made
/// of lower-case letters, digits, '-' and '_'.
std::filesystem::path external_command(std::string_view name);

/// Becomes that program, with this one's place in ASSAY_PROGRAM, by which it calls assay. Returns only when it cannot
/// be started; errno says why.
void become(const std::filesystem::path& program, std::span<char* const> arguments);

}  // namespace assay
