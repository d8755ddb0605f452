// Joins tables of companion files to a profile.
#pragma once

#include <filesystem>
#include <span>

#include "load/store.hpp"
#include "load/wanted.hpp"

namespace assay::load {

/// Replaces the declared tables and allocations of a profile by those of files of the same run, with times on the
/// profile's clock. A file that cannot be read, shares no clock with the profile or is of another time becomes an
/// issue. Reads no file if no such table is wanted.
void join_tables(Profile::Store& store, std::span<const std::filesystem::path> files, const WantedColumns& wanted,
                 unsigned threads);

}  // namespace assay::load
