// Texts about the ranges of all reports.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "assay/output.hpp"
#include "assay/study.hpp"

namespace assay::ranges {

/// A path of one report, from its facts.
struct PathFacts {
  std::string path;
  double share = 0;            ///< of the capture
  std::optional<double> busy;  ///< of the range; empty: device work unknown
  double median = 0, count = 0;
  std::int64_t evidence = kNone;  ///< fact row of the median
};

struct ReportPaths {
  std::size_t report = 0;
  std::vector<PathFacts> paths;  ///< in fact order, by path
};

/// Reports with ranges, by report.
std::vector<ReportPaths> paths_of(const StudyView& view);

std::vector<Finding> findings(const StudyView& view, const std::vector<ReportPaths>& reports);

}  // namespace assay::ranges
