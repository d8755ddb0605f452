// Versions of analyzers, "1.2.3".
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace assay {

/// Major, minor, patch; missing ones are 0.
using Version = std::array<std::uint32_t, 3>;

/// Parses one to three numbers separated by dots; empty if the text is anything else.
std::optional<Version> read_version(std::string_view text);

/// Whether `version` is at least `least`, within the same major version (https://semver.org).
bool will_do(const Version& version, const Version& least);

}  // namespace assay
