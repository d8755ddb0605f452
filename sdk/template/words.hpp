// The finding and the plot of a study.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "assay/plot.hpp"
#include "assay/study.hpp"

namespace assay::@NAME@_analyzer {

/// Share of the kernel time spent in short kernels, for one report.
struct Share {
  std::string report;
  double value = 0;       ///< 0..1
  std::int64_t fact = 0;  ///< row of Study::facts
};

/// One entry per report of the study that has the metric, in the order of the paths.
std::vector<Share> shares_of(const StudyView& view, std::string_view metric);

/// The largest share, in one sentence. `shares` must not be empty, here and below.
Finding answer(const std::vector<Share>& shares, std::int64_t below_ns);

/// One bar per report, largest first.
Plot plot_of(const std::vector<Share>& shares, std::int64_t below_ns);

}  // namespace assay::@NAME@_analyzer
