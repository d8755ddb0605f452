// Effects of one label (the compile mode) on several metrics over matched pairs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "assay/algo/contrast.hpp"
#include "assay/study.hpp"

namespace assay::compile {

/// What is compared, from the options.
struct Design {
  std::string label;                        ///< the label under test
  std::string base;                         ///< its value in the denominator
  std::vector<std::string> device_metrics;  ///< device time: not judged where graphs hide the kernels
  std::vector<std::string> wall_metrics;    ///< progress of the run as a whole: valid for graphs too
  std::string opaque_metric;                ///< share of busy time inside graph launches that were not traced
  double opaque_limit = 0.5;
};

/// One pair and one metric.
struct PairEffect {
  Stratum stratum;
  std::optional<Contrast> contrast;    ///< nothing: a side lacks the metric
  bool differs = false;                ///< beyond the noise floor at the level that all comparisons share
  std::optional<double> opaque_ratio;  ///< of the treated side, the largest; nothing where a run does not say
};

/// All pairs of one mode on one metric.
struct ModeEffect {
  std::string mode;
  std::string metric;
  bool is_device = false;
  bool opaque = false;         ///< device metric of graph-mode runs: no effects were made
  bool per_iteration = false;  ///< of some pair, whose runs have unequally many iterations
  NoiseFloor floor;
  std::vector<PairEffect> pairs;

  /// Pairs with an effect; of those, the ones that differ (assay::differs).
  [[nodiscard]] std::size_t measured() const;
  [[nodiscard]] std::size_t beyond_floor() const;
  /// Least and greatest ratio; measured() > 0.
  [[nodiscard]] std::pair<double, double> range() const;
};

struct Delta {
  std::vector<ModeEffect> effects;  ///< by mode in label order, then metric in the order of the options
  std::vector<Unmatched> unmatched;
};

/// Level of the intervals that are shown; what differs is decided at the level that all comparisons share.
inline constexpr double kLevel = 0.95;

/// Values of the label among the question's runs other than the base, in label order.
std::vector<std::string> modes(const StudyView& view, const Design& design);

Delta compare(const StudyView& view, const Design& design);

}  // namespace assay::compile
