#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "render/claimed_words.hpp"
#include "render/format.hpp"
#include "render/html/html.hpp"

namespace assay {
namespace {

constexpr double kDrawingWidth = 200, kEdge = 6;  ///< of the drawing, and what is free on each side
constexpr double kRow = 4, kMaxHeight = 72;       ///< a stratum's row, and all of them
constexpr double kAxis = 13, kLabel = 38;         ///< px: height of the axis, and min width of a number on it
constexpr std::size_t kMaxDrawn = 240;            ///< of more than these nothing can be told apart

/// Positions on a line: logarithmic for ratios, so that half and double are equally far from 1.
class ClaimAxis {
 public:
  ClaimAxis(bool logarithmic, double low, double high)
      : logarithmic_(logarithmic), low_(scaled(low)), high_(scaled(high)) {}

  /// Values beyond the line are at its ends.
  [[nodiscard]] double at(double value) const {
    const double share = (scaled(value) - low_) / (high_ - low_);
    return kEdge + std::clamp(std::isnan(share) ? 0.0 : share, 0.0, 1.0) * (kDrawingWidth - 2 * kEdge);
  }
  [[nodiscard]] bool beyond(double value) const { return scaled(value) < low_ || scaled(value) > high_; }

 private:
  [[nodiscard]] double scaled(double value) const {
    return logarithmic_ ? std::log(std::max(value, std::numeric_limits<double>::min())) : value;
  }
  bool logarithmic_;
  double low_, high_;
};

/// Ends of the line: all values, finite ends of the claimed range and, for ratios, 1; intervals may extend beyond.
ClaimAxis line_over(const OwnedClaim& claim, bool logarithmic) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  const auto hold = [&](double value) {
    if (!std::isfinite(value) || (logarithmic && value <= 0)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  };
  hold(claim.claimed->low);
  hold(claim.claimed->high);
  if (logarithmic) hold(1);
  for (const OwnedStratum& stratum : claim.strata) {
    if (stratum.effect) hold(stratum.effect->value);
  }
  if (logarithmic) {
    const double margin = std::pow(high / low, 0.15);
    return {true, low / (margin > 1 ? margin : 1.1), high * (margin > 1 ? margin : 1.1)};
  }
  const double margin = high > low ? 0.15 * (high - low) : std::max(std::abs(high) * 0.1, 1e-12);
  return {false, low - margin, high + margin};
}

std::string px(double value) { return fixed(value, 1); }

std::string arrow(double at, double y, bool to_the_right) {
  const double back = to_the_right ? -3 : 3;
  return fmt::format("<path d=\"M{} {}L{} {}L{} {}\"/>", px(at + back), px(y - 2), px(at), px(y), px(at + back),
                     px(y + 2));
}

/// Interval and value of a stratum in the colour of its verdict.
std::string stratum_line(const OwnedStratum& stratum, const ClaimAxis& line, double y) {
  const OwnedEffect& effect = *stratum.effect;
  std::string out = "<g class=\"" + std::string(verdict_name(stratum.verdict)) + "\">";
  if (std::isfinite(effect.lo) && std::isfinite(effect.hi)) {
    out += fmt::format("<path d=\"M{} {}H{}\"/>", px(line.at(effect.lo)), px(y), px(line.at(effect.hi)));
    if (line.beyond(effect.lo)) out += arrow(line.at(effect.lo), y, false);
    if (line.beyond(effect.hi)) out += arrow(line.at(effect.hi), y, true);
  }
  return fmt::format("{}<circle cx=\"{}\" cy=\"{}\" r=\"1.8\"/></g>", out, px(line.at(effect.value)), px(y));
}

/// A line with the ends of the claimed range and, for ratios, 1.
std::string axis(const OwnedClaim& claim, const ClaimAxis& line, bool ratio, double y) {
  std::vector<double> values = {claim.claimed->low, claim.claimed->high};
  if (ratio) values.push_back(1);
  std::string out = fmt::format("<path class=\"axis\" d=\"M{} {}H{}\"/>", px(kEdge), px(y), px(kDrawingWidth - kEdge));
  double last = -kLabel;
  std::ranges::sort(values);
  for (const double value : values) {
    if (!std::isfinite(value) || line.beyond(value)) continue;
    const double at = std::clamp(line.at(value), kLabel / 2, kDrawingWidth - kLabel / 2);
    if (at - last < kLabel) continue;
    last = at;
    out += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>", px(at), px(y + kAxis - 3),
                       html(quantity(value, ratio ? "1" : claim.claimed->unit)));
  }
  return out;
}

}  // namespace

std::string claim_drawing(const OwnedClaim& claim) {
  if (!claim.claimed) return {};
  const auto drawn = static_cast<std::size_t>(std::ranges::count_if(claim.strata, [](const OwnedStratum& stratum) {
    return stratum.effect && std::isfinite(stratum.effect->value);
  }));
  if (drawn == 0 || drawn > kMaxDrawn) return {};
  const bool ratio = claim.claimed->kind == EffectKind::kRatio;
  const ClaimAxis line = line_over(claim, ratio);
  const double row = std::min(kRow, (kMaxHeight - 8) / static_cast<double>(drawn));
  const double height = 8 + row * static_cast<double>(drawn), whole = height + kAxis;
  const double from = line.at(claim.claimed->low), to = line.at(claim.claimed->high);
  std::string out = fmt::format(
      "<svg class=\"claimed\" role=\"img\" viewBox=\"0 0 {} {}\" width=\"{}\" height=\"{}\" aria-label=\"claimed "
      "{}\"><title>Band: claimed, {}. Lines: measured{}, {}{}.</title>",
      px(kDrawingWidth), px(whole), px(kDrawingWidth), px(whole),
      html(claimed_text(claim) + ", measured " + measured_text(claim)), html(claimed_text(claim)),
      drawn > 1 ? ", one per setting" : "", html(measured_text(claim)),
      ratio ? ". Dashed: 1, no change; the axis is logarithmic" : "");
  out += fmt::format("<rect class=\"band\" x=\"{}\" y=\"0\" width=\"{}\" height=\"{}\"/>", px(from),
                     px(std::max(to - from, 1.0)), px(height));
  if (ratio) out += fmt::format("<path class=\"one\" d=\"M{} 0V{}\"/>", px(line.at(1)), px(height));
  double y = 4 + row / 2;
  for (const OwnedStratum& stratum : claim.strata) {
    if (!stratum.effect || !std::isfinite(stratum.effect->value)) continue;
    out += stratum_line(stratum, line, y);
    y += row;
  }
  return out + axis(claim, line, ratio, height) + "</svg>";
}

}  // namespace assay
