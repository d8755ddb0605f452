// Texts about runs, from the facts of their operators.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "assay/output.hpp"
#include "assay/study.hpp"

namespace assay::roofline {

/// One operator with its shapes, from its facts.
struct Point {
  std::string name, shapes;
  double time = 0, count = 0;
  std::optional<double> flops, bytes, roof, above;  ///< empty if unknown
};

struct RunRoofline {
  std::size_t report = 0;
  std::vector<Point> points;  ///< those with facts of their own
  std::vector<std::int64_t> evidence;
};

/// The question's own reports with operators.
std::vector<RunRoofline> runs_of(const StudyView& view);

/// "62 % of the GPU time of operators is 48 matrix products at 71 % of their roof; the largest gain is ...": one
/// finding per profile.
std::vector<Finding> findings(const StudyView& view, const std::vector<RunRoofline>& runs);

/// Maximum possible gains, largest first, over all profiles.
Table gain_table(const StudyView& view, const std::vector<RunRoofline>& runs, std::size_t top);

}  // namespace assay::roofline
