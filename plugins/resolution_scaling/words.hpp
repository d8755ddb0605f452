// Sentences and tables about scaling.
#pragma once

#include "assay/output.hpp"
#include "growth.hpp"
#include "parts.hpp"

namespace assay::scaling {

/// What was asked, for the words.
struct Names {
  std::string axis;
  std::vector<std::string> efficiency, cost;
};

/// Everything known of one sweep; `costs` in the order of Names::cost, nothing where there are too few points.
struct SweepResult {
  LabelSweep sweep;
  std::vector<std::optional<Growth>> costs;
  std::vector<std::vector<Point>> efficiency;  ///< in the order of Names::efficiency
  Parts parts;
};

/// Names of sweeps by the labels that tell them apart: "patch=8 depth=6 dim=384", or "all runs".
std::vector<std::string> sweep_names(const std::vector<SweepResult>& results);

Finding answer(const Names& names, const std::vector<SweepResult>& results);
/// One a sweep and cost metric that has an exponent, then one a sweep about its parts and efficiency.
std::vector<Finding> evidence(const Names& names, const std::vector<SweepResult>& results, double level);
Table level_table(const StudyView& view, const Names& names, const std::vector<SweepResult>& results);

}  // namespace assay::scaling
