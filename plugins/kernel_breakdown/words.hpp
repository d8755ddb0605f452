// What the profiles of a question say together, in words.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/algo/matching.hpp"
#include "assay/output.hpp"
#include "assay/study.hpp"

namespace assay::breakdown {

/// One report's breakdown, read back from its facts. Views borrow the study.
struct RunKernels {
  std::size_t report = 0;
  std::string_view top;  ///< demangled name of the top kernel
  double top_share = 0;
  double top_count = 0;
  std::optional<double> top_per_iteration;
  double product_share = 0;  ///< of the class of matrix products, 0..1
  double unknown_share = 0;
  double hidden_share = 0;                             ///< of GPU time that is in no kernel table
  std::int64_t product_fact = kNone;                   ///< row of Study::facts; kNone: the run has no such kernel
  std::vector<std::pair<std::string, double>> others;  ///< other classes with their shares, largest first
};

/// The question's own profiles that have measured kernels, in order of path.
std::vector<RunKernels> runs_of(const StudyView& view, const std::string& matmul);

/// Top kernel, share of matrix products, what the rest is, tensor cores, and what was attributed by time.
std::vector<Finding> findings(const StudyView& view, const std::vector<RunKernels>& runs);

/// One row per profile and class.
Table share_table(const StudyView& view, const std::vector<RunKernels>& runs);

struct Comparison {
  struct TopKernel {
    std::vector<std::pair<std::string, std::string>> labels;  ///< of the pair, with the value of the label compared
    bool same = false;                                        ///< in all its runs
  };
  std::vector<Finding> findings;  ///< one a pair of equal labels
  std::vector<TopKernel> tops;    ///< one a finding
  std::vector<UnmatchedReport> unmatched;
};

/// Share of matrix products, and the top kernel, in pairs of profiles that differ in `label` only; the first value in
/// the label's order is the base.
Comparison compare_products(const StudyView& view, const std::vector<RunKernels>& runs, const std::string& label,
                            const std::string& matmul);

}  // namespace assay::breakdown
