#include "look/page.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "algo/page_sections.hpp"
#include "render/format.hpp"

namespace assay::look {
namespace {

/// A number in a unit that suits it and the other `shown` numbers of its column.
std::string scaled_text(double value, const DisplayUnit& shown, int digits) {
  if (value == 0) return "0";
  const double least = 0.5 * std::pow(10.0, -digits) * shown.factor;  // prints as 0 below
  const bool small = value > 0 && value < least;
  const std::string text = small ? "< " + fixed(2 * least / shown.factor, digits) : fixed(value / shown.factor, digits);
  return text + (shown.name.empty() ? "" : " ") + std::string(shown.name);
}

/// A number whose unit has no larger multiple.
std::string plain_text(double value, std::string_view unit, std::string_view heading) {
  if (unit == "ratio") return page::share_text(value);
  if (unit == "%") return page::share_text(value / 100);
  if (unit == "1") return fixed(value, 2);
  return fixed(value, value < 10 ? 1 : 0) + (unit.empty() || unit == heading ? "" : " " + std::string(unit));
}

}  // namespace

std::vector<std::string> column_texts(const std::vector<double>& values, std::string_view unit, bool whole,
                                      std::string_view heading) {
  const bool count = unit == "1" && whole;
  const bool scaled = count || display_unit(std::numeric_limits<double>::max(), unit).factor > 1;
  double most = 0;
  for (const double value : values) most = std::isfinite(value) ? std::max(most, std::abs(value)) : most;
  const DisplayUnit shown = display_unit(most, unit);
  const double largest = most / shown.factor;
  const int digits = count || largest >= 100 ? 0 : largest >= 10 ? 1 : 2;
  std::vector<std::string> texts;
  for (const double value : values) {
    texts.push_back(!std::isfinite(value) ? kNotKnown
                    : scaled              ? scaled_text(value, shown, digits)
                                          : plain_text(value, unit, heading));
  }
  return texts;
}

}  // namespace assay::look
