#include "look/page.hpp"

#include <algorithm>
#include <cmath>

#include "render/format.hpp"

namespace assay::look {

std::vector<std::string> column_texts(const std::vector<double>& values, std::string_view unit) {
  double most = 0;
  for (const double value : values) most = std::isfinite(value) ? std::max(most, std::abs(value)) : most;
  const DisplayUnit shown = display_unit(most, unit);
  const double largest = most / shown.factor;
  const int digits = unit == "1" || largest >= 100 ? 0 : largest >= 10 ? 1 : 2;
  std::vector<std::string> texts;
  for (const double value : values) {
    if (!std::isfinite(value)) {
      texts.emplace_back("not known");
      continue;
    }
    const double least = 0.5 * std::pow(10.0, -digits) * shown.factor;  // prints as 0 below
    const bool small = value > 0 && value < least;
    texts.push_back(small ? "< " + fixed(2 * least / shown.factor, digits) : fixed(value / shown.factor, digits));
    if (!shown.name.empty()) texts.back().append(" ").append(shown.name);
  }
  return texts;
}

std::string share_text(double share) {
  if (share > 0 && share < 0.005) return "< 1 %";
  return fixed(100 * share, 0) + " %";
}

}  // namespace assay::look
