// What was understood of the files that a command was given, as a table.
#pragma once

#include <ostream>

#include "catalog/catalog.hpp"

namespace assay {

/// One row per file that is more than a profile by itself: ranks of jobs, captures of one program, counters and
/// companions of a run, files that are left out. Nothing where there is none.
void print_understanding(const Catalog& catalog, std::ostream& to);

/// The role of a file, as the table has it: "profile", "rank", "capture", "companion", "counters" or "left out".
std::string role_of(const FoundFile& file);

}  // namespace assay
