// Shows as a table how the given files were understood.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "recognise/step_name.hpp"
#include "runs/run_table.hpp"

namespace assay {

/// Prints the files with role, run, rank, capture, device and step, and why files or parts of them are left out. Files
/// that do not differ otherwise share a row. Below it what the runs are.
/// Prints nothing if there is neither a profile nor a file left out.
/// `readings`: per file of the catalog; `runs`: its table.
void print_understanding(const Catalog& catalog, const std::vector<ProfileReading>& readings, const RunTable& runs,
                         std::ostream& to);

/// Role of a file as in the table: "profile", "rank", "capture", "companion", "counters", "graph capture" or "left
/// out".
std::string role_of(const FoundFile& file);

}  // namespace assay
