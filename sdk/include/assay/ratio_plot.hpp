// Plot of ratios with intervals as dots in rows, sorted by effect, one small plot per metric, with the noise between
// repeat runs shaded; used by every comparison of matched runs.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "assay/detail/noise.hpp"
#include "assay/plot.hpp"

namespace assay {

/// Collects ratios, then builds the plot.
class RatioPlot {
 public:
  /// `id`: letters, digits, '_' and '-'. `ratio`: title of the axis, "compiled / uncompiled".
  RatioPlot(std::string id, std::string title, std::string ratio, std::string row_title, std::string series_title);

  /// Adds a ratio (`effect.value`); omits an interval that is NaN, not positive or wider than kWidestInterval. Ignores
  /// ratios that are not positive. `evidence`: rows of Study::facts.
  void add(std::string metric, std::string row, std::string series, const Effect& effect,
           const std::vector<std::int64_t>& evidence);

  /// Shades the largest ratio between repeat runs in a metric, in both directions, once per metric; nothing if unknown.
  void shade(const std::string& metric, const NoiseFloor& floor);

  [[nodiscard]] bool empty() const { return ratios_.empty(); }

  /// `caption` precedes the sentences that explain dots, lines and shade. Call once.
  Plot build(const std::string& caption);

 private:
  Plot plot_;
  std::vector<std::string> metrics_, rows_, series_;
  std::vector<double> ratios_, lows_, highs_;
  std::vector<std::int64_t> runs_;
  std::set<std::string> shaded_;
};

}  // namespace assay
