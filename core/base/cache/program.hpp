// Which code runs: results belong to it as much as to the report.
#pragma once

#include <filesystem>
#include <optional>
#include <span>

#include "files/digest.hpp"

namespace assay::cache {

/// Digest of the program file and of all libraries that are loaded, but for those of plugins: each is named by an
/// address within it. Nothing when the system does not tell.
std::optional<files::Digest> digest_of_program(std::span<const void* const> plugins);

/// Digest of the library that holds `address`: of `file`, which it was loaded from, and of its code and constants in
/// memory, so that a file replaced after it was loaded gives a digest that no other run has. Nothing when the system
/// does not tell.
std::optional<files::Digest> digest_of_library(const std::filesystem::path& file, const void* address);

}  // namespace assay::cache
