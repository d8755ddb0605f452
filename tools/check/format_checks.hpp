// What `assay check` asks of a format, each question in a process of its own, with a page behind each column that
// nobody may touch.
#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "assay/format.hpp"
#include "check/checks.hpp"

namespace assay::check {

/// All checks of a format; both must outlive the checks. `files`: some that the format reads; without any only what it
/// says of the files of others is tried.
std::vector<Check> checks_of_format(const FormatDescriptor& declared, std::span<const std::filesystem::path> files);

}  // namespace assay::check
