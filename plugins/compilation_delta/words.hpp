// The findings and the table of compilation_delta, in words.
#pragma once

#include <vector>

#include "assay/output.hpp"
#include "delta.hpp"

namespace assay::compile {

/// One answer a mode; then one evidence finding a pair and metric, and what is to be known about noise and graphs.
std::vector<Finding> findings(const Delta& delta, const Design& design);

/// One row a pair and metric: labels, mode, metric, ratio, interval, floor, what it shows.
Table pair_table(const Delta& delta);

}  // namespace assay::compile
