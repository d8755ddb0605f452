// Sentences and tables about NUMA nodes.
#pragma once

#include "assay/output.hpp"
#include "nodes.hpp"

namespace assay::numa {

std::string_view outcome_word(Outcome outcome);
Finding answer(const Nodes& nodes, const Design& design);
/// One a comparison, effects first.
std::vector<Finding> evidence(const Nodes& nodes, const Design& design);
/// One row a comparison: ratio, interval, outcome.
Table comparison_table(const Nodes& nodes, const Design& design);
/// One row a comparison: the metric itself on both nodes, the median over the runs and their least and greatest.
Table level_table(const StudyView& view, const Nodes& nodes, const Design& design);

}  // namespace assay::numa
