// What open strata need and how many pairs findings summarise, read back from results.sqlite (kResultsWithNeeds).
#pragma once

#include <functional>

#include "conclude/conclude.hpp"
#include "sqlite/database.hpp"

namespace assay {

/// Needs of the strata of a question; `stratum_of` gives the stratum of a row id, and throws for one that is unknown.
void read_needs(sqlite3* db, const std::string& question, const std::function<OwnedStratum&(std::int64_t)>& stratum_of);

/// The same for the pairs of findings.
void read_pairs(sqlite3* db, const std::string& question, const std::function<OwnedFinding&(std::int64_t)>& finding_of);

}  // namespace assay
