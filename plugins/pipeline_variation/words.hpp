// Sentences and tables about pipelines.
#pragma once

#include "assay/output.hpp"
#include "changes.hpp"
#include "scale.hpp"
#include "variance.hpp"

namespace assay::pipeline {

using Shares = std::vector<std::optional<VarianceShares>>;  ///< by metric

/// The first measure is the one of the answer; its numbers are those of the change with the largest effect.
Finding answer(const StudyView& view, const PairStudy& pairs, const Shares& shares);
/// One a comparison, those that differ first.
std::vector<Finding> evidence(const PairStudy& pairs, const Traces& traces);
/// Which of the changes left what trace: waiting calls and overlap.
std::vector<Finding> mechanisms(const PairStudy& pairs, const Traces& traces);
std::vector<Finding> variance_findings(const std::vector<std::string>& metrics, const Shares& shares);
Finding scale_finding(const BatchScale& scale, const std::string& batch);
/// One row a comparison, with the mechanism beside it.
Table option_table(const PairStudy& pairs, const Traces& traces);
Table scale_table(const std::vector<BatchScale>& scales, const std::string& batch);

}  // namespace assay::pipeline
