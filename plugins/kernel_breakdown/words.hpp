// Texts about all profiles of a question.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/algo/matching.hpp"
#include "assay/output.hpp"
#include "assay/study.hpp"

namespace assay::breakdown {

/// One report's breakdown, restored from its facts. Views refer to the study.
struct RunKernels {
  std::size_t report = 0;
  std::string_view top;  ///< demangled name of the top kernel
  double top_share = 0;
  double top_count = 0;
  std::optional<double> top_per_iteration;
  double product_share = 0;  ///< of the class of matrix products, 0..1
  double unknown_share = 0;
  double hidden_share = 0;                             ///< of GPU time outside of the kernel table
  std::int64_t product_fact = kNone;                   ///< row of Study::facts; kNone: the run has no such kernel
  std::vector<std::pair<std::string, double>> others;  ///< other classes with their shares, largest first
};

/// The question's own profiles with measured kernels, in path order.
std::vector<RunKernels> runs_of(const StudyView& view, const std::string& matmul);

/// Top kernel, share of matrix products, the remaining classes, tensor cores, and kernels attributed by time.
std::vector<Finding> findings(const StudyView& view, const std::vector<RunKernels>& runs);

/// One row per profile and class.
Table share_table(const StudyView& view, const std::vector<RunKernels>& runs);

struct Comparison {
  struct TopKernel {
    std::vector<std::pair<std::string, std::string>> labels;  ///< of the pair, with the value of the compared label
    bool same = false;                                        ///< the same in all of its runs
  };
  std::vector<Finding> findings;  ///< one per pair of equal labels
  std::vector<TopKernel> tops;    ///< one a finding
  std::vector<UnmatchedReport> unmatched;
};

/// Share of matrix products and top kernel in pairs of profiles that differ only in `label`; the first value in the
/// order of the label is the base.
Comparison compare_products(const StudyView& view, const std::vector<RunKernels>& runs, const std::string& label,
                            const std::string& matmul);

}  // namespace assay::breakdown
