// Reads needs of open strata and pair counts of findings from results.sqlite (kResultsWithNeeds).
#pragma once

#include <functional>

#include "conclude/conclude.hpp"
#include "sqlite/database.hpp"

namespace assay {

/// Needs of the strata of a question; `stratum_of` maps a row id to its stratum, and throws for an unknown one.
void read_needs(sqlite3* db, const std::string& question, const std::function<OwnedStratum&(std::int64_t)>& stratum_of);

/// Pair counts of the findings of a question; `stratum_of` likewise for findings.
void read_pairs(sqlite3* db, const std::string& question, const std::function<OwnedFinding&(std::int64_t)>& finding_of);

}  // namespace assay
