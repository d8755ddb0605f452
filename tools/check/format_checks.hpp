// Checks of `assay check` for formats, each in its own process with an inaccessible page behind each column.
#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "assay/format.hpp"
#include "check/checks.hpp"

namespace assay::check {

/// All checks of a format; both must outlive the checks. `files`: examples that the format reads; without any, only its
/// reaction to foreign files is checked.
std::vector<Check> checks_of_format(const FormatDescriptor& declared, std::span<const std::filesystem::path> files);

}  // namespace assay::check
