// Sentences and tables.
#pragma once

#include <string>
#include <vector>

#include "analysis.hpp"
#include "assay/output.hpp"

namespace assay::tokens {

/// The answer in one sentence, then one finding per pair of profiles joined with the sweep, then notes. Empty if there
/// is neither a sweep nor a pair. The effects of the findings refer to `method`.
std::vector<Finding> findings(const Analysis& analysis, const Design& design, const std::string& method);

/// How the intervals of the speed-ups were computed.
std::string interval_method(const PooledSpread& spread);

/// Tested batches: throughputs, speed-up, interval, and the result of the profiles. No rows without a sweep.
Table speedup_table(const Analysis& analysis);

/// Every cause of every pair with status, evidence, criterion and remedy.
Table cause_table(const Analysis& analysis);

/// The kernels that only the reduced run has, per forward pass.
Table added_table(const Analysis& analysis);

}  // namespace assay::tokens
