// Identifies the code that runs: cached results depend on it as much as on the report.
#pragma once

#include <filesystem>
#include <optional>
#include <span>

#include "files/digest.hpp"

namespace assay::cache {

/// Digest of the program file and of all loaded libraries except those of plugins, each named by an address within it.
/// Empty if the system does not provide the data.
std::optional<files::Digest> digest_of_program(std::span<const void* const> plugins);

/// Digest of the library that contains `address`: of `file`, which it was loaded from, and of its code and constants in
/// memory, so that a file replaced after loading gives a digest of its own. Empty if the system does not provide the
/// data.
std::optional<files::Digest> digest_of_library(const std::filesystem::path& file, const void* address);

}  // namespace assay::cache
