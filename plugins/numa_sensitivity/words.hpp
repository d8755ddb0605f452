// Sentences and tables about NUMA nodes.
#pragma once

#include "assay/output.hpp"
#include "nodes.hpp"

namespace assay::numa {

std::string_view outcome_word(Outcome outcome);
Finding answer(const Nodes& nodes, const Design& design);
/// One a comparison, effects first.
std::vector<Finding> evidence(const Nodes& nodes, const Design& design);
Table comparison_table(const Nodes& nodes, const Design& design);

}  // namespace assay::numa
