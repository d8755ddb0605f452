// Ratios with their intervals as dots in rows, sorted by effect, one small plot a metric, with the noise between
// repeats of one cell shaded: what every comparison of matched runs shows.
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
  /// `ratio` says what is over what: "compiled / uncompiled".
  RatioPlot(std::string id, std::string title, std::string ratio, std::string row_title, std::string series_title);

  /// One ratio; an interval that is not finite, or whose ends differ more than ten thousandfold, is not drawn. Ratios
  /// that are not positive have no place on the plot.
  void add(std::string metric, std::string row, std::string series, const Effect& effect,
           const std::vector<std::int64_t>& evidence);

  /// Shades how much equal programs differ in a metric, either way.
  void shade(const std::string& metric, const NoiseFloor& floor);

  [[nodiscard]] bool empty() const { return ratios_.empty(); }

  /// `caption` goes before the sentences that explain dots, lines and shade. Call once.
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
