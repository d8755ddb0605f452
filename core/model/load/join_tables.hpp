// Tables of files beside a profile, joined to it.
#pragma once

#include <filesystem>
#include <span>

#include "load/store.hpp"
#include "load/wanted.hpp"

namespace assay::load {

/// Gives a profile the declared tables and allocations of files of the same run, in the place of its own, with times on
/// its clock. A file that cannot be read, has no clock in common with the profile or is of another time becomes an
/// issue. Reads none if no such table is wanted.
void join_tables(Profile::Store& store, std::span<const std::filesystem::path> files, const WantedColumns& wanted,
                 unsigned threads);

}  // namespace assay::load
