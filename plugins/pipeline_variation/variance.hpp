// How much of the differences between runs the model explains, and how much the options of the pipeline.
#pragma once

#include <string>
#include <vector>

#include "assay/detail/alike.hpp"
#include "assay/study.hpp"

namespace assay::pipeline {

/// Shares of the variance of the log of a metric, 0..1. Designs are unbalanced, so a factor explains one share alone
/// and another after the other factor: its own share lies between.
struct VarianceShares {
  std::size_t runs = 0, models = 0, pipelines = 0;  ///< distinct combinations of labels
  std::size_t groups = 1;                           ///< of runs alike in everything else
  double model_alone = 0, pipeline_alone = 0, both = 0;
  [[nodiscard]] double model_after() const { return both - pipeline_alone; }
  [[nodiscard]] double pipeline_after() const { return both - model_alone; }
  /// Runs that could have told the factors apart: of 0 the shares say nothing.
  [[nodiscard]] std::size_t degrees() const {
    const std::size_t used = models + pipelines + groups - 2;
    return runs > used ? runs - used : 0;
  }
};

/// One effect a combination of the model's labels plus one a combination of the pipeline's, least squares on logs,
/// within groups of runs that are alike in everything else (alike.hpp): what differs between such groups explains
/// nothing. Nothing with fewer than three runs or without any variance. Runs that take no part join `left_out`.
std::optional<VarianceShares> variance_shares(const StudyView& view, const std::string& metric,
                                              const std::vector<std::string>& model,
                                              const std::vector<std::string>& pipeline,
                                              std::vector<UnmatchedReport>& left_out);

}  // namespace assay::pipeline
