// What was understood of the files that a command was given, as a table.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "recognise/step_name.hpp"

namespace assay {

/// The files with their role, job, rank, capture, device, step and what of them is left out, or why they are. Files
/// that differ in nothing else are one row. Nothing where no file is a profile or left out. `readings`: by file of the
/// catalog.
void print_understanding(const Catalog& catalog, const std::vector<ProfileReading>& readings, std::ostream& to);

/// The role of a file, as the table has it: "profile", "rank", "capture", "companion", "counters", "graph capture" or
/// "left out".
std::string role_of(const FoundFile& file);

}  // namespace assay
