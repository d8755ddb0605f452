// Texts about the servers of all reports.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "assay/output.hpp"
#include "assay/study.hpp"

namespace assay::serving {

/// A report with requests or steps.
struct ServedRun {
  std::size_t report = 0;
  double batch = 1;  ///< by its label
  std::optional<double> ttft = {}, tpot = {}, tpot_p99 = {}, gap = {}, tokens_per_s = {}, requests_per_s = {},
                        prefill = {};
  std::vector<std::int64_t> evidence = {};
};

std::vector<Finding> findings(const StudyView& view, const std::vector<ServedRun>& runs);
Table run_table(const StudyView& view, const std::vector<ServedRun>& runs);

}  // namespace assay::serving
