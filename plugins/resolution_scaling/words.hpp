// Sentences about scaling.
#pragma once

#include "assay/output.hpp"
#include "growth.hpp"
#include "parts.hpp"

namespace assay::scaling {

/// What was asked.
struct ScalingQuestion {
  std::string axis;
  std::vector<Cost> efficiency, costs;
  std::size_t headline = 0;  ///< this many of `costs`, from the first, are in the title of the answer
};

/// The results for one sweep; `costs` in the order of ScalingQuestion::costs, empty with too few points.
struct SweepResult {
  LabelSweep sweep;
  std::vector<std::optional<Growth>> costs;
  std::vector<std::vector<Point>> efficiency;  ///< in the order of ScalingQuestion::efficiency
  std::vector<std::optional<Growth>> efficiency_growth;
  Parts parts;
  Judging judging;  ///< levels at which growth is shown and decided

  /// Whether any cost has an exponent.
  [[nodiscard]] bool has_growth() const;
};

/// Names of sweeps by the labels that distinguish them: "patch=8 depth=6 dim=384", or "all runs".
std::vector<std::string> sweep_names(const std::vector<SweepResult>& results);

Finding answer(const ScalingQuestion& asked, const std::vector<SweepResult>& results);
/// One per sweep and cost with an exponent, then one per sweep on its parts and efficiency.
std::vector<Finding> evidence(const ScalingQuestion& asked, const std::vector<SweepResult>& results);

}  // namespace assay::scaling
