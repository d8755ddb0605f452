// Sentences and tables about pipelines.
#pragma once

#include "assay/output.hpp"
#include "options.hpp"
#include "scale.hpp"
#include "variance.hpp"

namespace assay::pipeline {

using Shares = std::vector<std::optional<VarianceShares>>;  ///< by metric

Finding answer(const Design& design, const Comparison& comparison, const Shares& shares);
/// By metric and change: one a pair.
std::vector<Finding> evidence(const Design& design, const Comparison& comparison);
/// Which of the changes left what trace: waiting calls and overlap.
std::vector<Finding> mechanisms(const Comparison& comparison);
std::vector<Finding> variance_findings(const Design& design, const Shares& shares);
Finding scale_finding(const BatchScale& scale, const std::string& batch);
Table pair_table(const Design& design, const Comparison& comparison);
Table scale_table(const std::vector<BatchScale>& scales, const std::string& batch);

}  // namespace assay::pipeline
