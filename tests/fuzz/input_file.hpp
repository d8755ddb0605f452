// The bytes of one fuzzing run as a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

namespace assay::fuzz {

/// Writes the input to the one file of this process and returns its path.
const std::filesystem::path& write_input(std::span<const std::uint8_t> bytes);

/// The same for what may be a database. The header's page count and change counters are made to agree with the size,
/// which is cut to whole pages: mutations that only break those would all end there.
const std::filesystem::path& write_database(std::span<const std::uint8_t> bytes);

}  // namespace assay::fuzz
