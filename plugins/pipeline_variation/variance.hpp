// Shares of the differences between runs explained by the model and by the pipeline options.
#pragma once

#include <string>
#include <vector>

#include "assay/detail/alike.hpp"
#include "assay/study.hpp"

namespace assay::pipeline {

/// Shares of the variance of the log of a metric, 0..1. In an unbalanced design a factor explains one share alone and
/// another after the other factor; its own share is in between.
struct VarianceShares {
  std::size_t runs = 0, models = 0, pipelines = 0;  ///< distinct combinations of labels
  std::size_t groups = 1;                           ///< of runs that agree in everything else
  double model_alone = 0, pipeline_alone = 0, both = 0;
  [[nodiscard]] double model_after() const { return both - pipeline_alone; }
  [[nodiscard]] double pipeline_after() const { return both - model_alone; }
  /// Degrees of freedom for separating the factors; with 0 the shares are meaningless.
  [[nodiscard]] std::size_t degrees() const {
    const std::size_t used = models + pipelines + groups - 2;
    return runs > used ? runs - used : 0;
  }
};

/// One effect per combination of model labels plus one per combination of pipeline labels, least squares on logs,
/// within groups of runs that agree in everything else (alike.hpp): differences between such groups explain nothing.
/// Empty with fewer than three runs or without variance. Runs not used are added to `left_out`.
std::optional<VarianceShares> variance_shares(const StudyView& view, const std::string& metric,
                                              const std::vector<std::string>& model,
                                              const std::vector<std::string>& pipeline,
                                              std::vector<UnmatchedReport>& left_out);

}  // namespace assay::pipeline
