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

class RatioPlot {
 public:
  /// `ratio`: what it is of, "compiled / uncompiled".
  RatioPlot(std::string id, std::string title, std::string ratio, std::string row_title, std::string series_title);

  /// Adds a ratio; omits an interval that is not finite or whose ends differ by more than a factor of 10,000. Ignores
  /// ratios that are not positive.
  void add(std::string metric, std::string row, std::string series, const Effect& effect,
           const std::vector<std::int64_t>& evidence);

  /// Shades how much equal programs differ in a metric, in both directions.
  void shade(const std::string& metric, const NoiseFloor& floor);

  [[nodiscard]] bool empty() const { return ratios_.empty(); }

  /// `caption` precedes the sentences that explain dots, lines and shade. Call once.
  Plot build(const std::string& caption);
  [[deprecated("use build")]] Plot take(const std::string& caption) { return build(caption); }

 private:
  Plot plot_;
  std::vector<std::string> metrics_, rows_, series_;
  std::vector<double> ratios_, lows_, highs_;
  std::vector<std::int64_t> runs_;
  std::set<std::string> shaded_;
};

}  // namespace assay
