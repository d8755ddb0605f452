// What was understood of the files that a command was given, as a table.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "catalog/catalog.hpp"

namespace assay {

/// The files with their role, job, rank, capture, device, step and why they are left out. Files that differ in nothing
/// else are one row. Nothing where no file is a profile or left out. `steps`: names of their steps, by file of the
/// catalog; empty texts: none.
void print_understanding(const Catalog& catalog, const std::vector<std::string>& steps, std::ostream& to);

/// The role of a file, as the table has it: "profile", "rank", "capture", "companion", "counters", "graph capture" or "left out".
std::string role_of(const FoundFile& file);

}  // namespace assay
