#include "history/history_page.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>

#include "assay/quantity.hpp"
#include "render/format.hpp"
#include "render/html/html.hpp"

namespace assay {
namespace {

constexpr std::string_view kStyle =
    ".worse{color:var(--bad);font-weight:600}.better{color:var(--good)}"
    "svg polyline{fill:none;stroke:var(--link);stroke-width:1.2}svg line{stroke:var(--bad);stroke-width:1}";

/// With its sign: a share in percent, or a plain number.
std::string signed_number(double value, bool share) {
  std::array<char, 64> text{};
  const int length = share ? std::snprintf(text.data(), text.size(), "%+.1f", value * 100)
                           : std::snprintf(text.data(), text.size(), "%+.4g", value);
  return {text.data(), static_cast<std::size_t>(std::max(0, length))};
}

/// Values of a series over the results, with a line at each change. Draws at most 200 points.
std::string sparkline(const Trend& trend, std::size_t results) {
  constexpr double kWidth = 220, kHeight = 36, kMargin = 3;
  constexpr std::size_t kPoints = 200;
  const auto [least, most] = std::ranges::minmax(trend.values);
  const double range = most > least ? most - least : 1,
               last = static_cast<double>(std::max<std::size_t>(2, results) - 1);
  const auto x = [&](std::size_t result) {
    return fixed(kMargin + (kWidth - 2 * kMargin) * static_cast<double>(result) / last, 1);
  };
  std::string points;
  const std::size_t step = (trend.values.size() + kPoints - 1) / kPoints;
  for (std::size_t i = 0; i < trend.values.size(); i += step) {
    const double y = kHeight - kMargin - (kHeight - 2 * kMargin) * (trend.values[i] - least) / range;
    points += fmt::format("{}{},{}", points.empty() ? "" : " ", x(trend.results[i]), fixed(y, 1));
  }
  std::string out = fmt::format(
      "<svg width=\"220\" height=\"36\" viewBox=\"0 0 220 36\" role=\"img\" aria-label=\"{} results\"><polyline "
      "points=\"{}\"/>",
      trend.values.size(), points);
  for (const Change& change : trend.changes)
    out += fmt::format("<line x1=\"{}\" x2=\"{}\" y1=\"0\" y2=\"36\"/>", x(change.at), x(change.at));
  return out + "</svg>";
}

std::string below(const std::string& text) { return "<div class=\"small\">" + html(text) + "</div>"; }

std::vector<HtmlCell> row_of(const Trend& trend, const std::vector<HistoryResult>& results) {
  const SeriesId& id = trend.id;
  std::string changes;
  for (const Change& change : trend.changes) {
    const char* kind = change.is_accepted || change.direction == Direction::kNeutral ? ""
                       : change.direction == Direction::kWorse                       ? "worse"
                                                                                     : "better";
    changes +=
        fmt::format("<div><span class=\"{}\">{}</span> {}{} at {}{}</div>", std::string(kind),
                    html(direction_text(change)), html(effect_text(trend, change.effect, change.lo, change.hi)),
                    change.just_found ? " at detection (likely smaller)" : "", html(location_text(change, results)),
                    change.accepted.empty() ? "" : " <span class=\"small\">" + html(change.accepted) + "</span>");
  }
  const std::string net = html(effect_text(trend, trend.net, trend.net_lo, trend.net_hi)) + below(longer_text(trend));
  return {{html(id.metric) + (id.dims.empty() ? "" : " [" + html(id.dims) + "]") + below(id.question), true},
          {html(id.cell.empty() ? "all" : id.cell) + below(id.machine), true},
          {trend.regression ? "<span class=\"worse\">" + net + "</span>" : net, true},
          {changes, true},
          {sparkline(trend, results.size()), true}};
}

}  // namespace

std::string alike_text(const Trends& trends) {
  return fmt::format(
      "{} of {} series have neighbouring results so similar (autocorrelation of 0.9 or more) that a change of level "
      "cannot be told from drift",
      trends.too_alike, trends.series);
}

std::string nothing_found(const Trends& trends) {
  if (trends.series == 0 && trends.short_series > 0)
    return "No series has six results yet: a change needs three on each side.";
  if (trends.too_alike > 0) return "No change of level was found, but " + alike_text(trends) + ".";
  if (trends.once > 0)
    return fmt::format(
        "No change of level was found, but {} of {} series were exactly constant and changed once: without noise to "
        "compare with that takes about 30 results to tell from a value that ticks.",
        trends.once, trends.series);
  return "No level changed.";
}

std::string effect_text(const Trend& trend, double value, double lo, double hi) {
  const std::string unit = trend.relative ? " %" : trend.word.unit.empty() ? "" : " " + trend.word.unit;
  constexpr double widest = std::numbers::ln10;
  if (trend.relative && !(std::log1p(hi) - std::log1p(value) < widest && std::log1p(value) - std::log1p(lo) < widest))
    return signed_number(value, true) + unit + " (too few results for an interval)";
  return fmt::format("{}{} [{}, {}]", signed_number(value, trend.relative), unit, signed_number(lo, trend.relative),
                     signed_number(hi, trend.relative));
}

std::string longer_text(const Trend& trend) {
  return trend.longer == 0 ? "" : (trend.longer > 0 ? "+" : "-") + quantity(std::abs(trend.longer), "ns");
}

std::string location_text(const Change& change, const std::vector<HistoryResult>& results) {
  const std::string& at = results[change.at].name;
  if (change.earliest == change.latest) return at;
  return fmt::format("{} (between {} and {})", at, results[change.earliest].name, results[change.latest].name);
}

std::string direction_text(const Change& change) {
  const char* word = change.direction == Direction::kWorse    ? "worse"
                     : change.direction == Direction::kBetter ? "better"
                                                              : "changed";
  return std::string(word) + (change.creeps ? ", creeping" : "") + (change.is_accepted ? ", accepted" : "");
}

std::string history_page(const std::vector<HistoryResult>& results, const Trends& trends) {
  constexpr const char* kTitle = "History – assay";
  std::string out = "<h1>History</h1>\n<p>" + counted(results.size(), "result");
  if (!results.empty()) out += fmt::format(", from {} to {}", html(results.front().name), html(results.back().name));
  out += fmt::format("; {} of {} series changed, all examined together", trends.changed.size(), trends.series);
  if (trends.short_series > 0)
    out += "; " + std::to_string(trends.short_series) + " have fewer than six results, too few to tell a change";
  out +=
      ".</p>\n<p class=\"small\">A series is one metric of one cell on one kind of machine. A change has at least "
      "three results on each side and is reported only if noise like that of this series would raise a false alarm, in "
      "any series, in at most 5 % of histories. Net: the last level against the first one that was not accepted. "
      "Intervals are at 95 %; the effect of a change that was only just detected is likely smaller than it "
      "looks.</p>\n";
  if (trends.too_alike > 0 && !trends.changed.empty()) out += "<p>" + html(alike_text(trends)) + ".</p>\n";
  if (trends.changed.empty())
    return html_document(kTitle, kStyle, fmt::format("{}<p>{}</p>\n", out, html(nothing_found(trends))));
  const std::size_t shown = std::min(kMaxShown, trends.changed.size());
  if (shown < trends.changed.size())
    out += fmt::format("<p>The first {} of {} are shown.</p>\n", shown, trends.changed.size());
  HtmlTable table("changes", "Series that changed: the time of a step first, then by time lost or won",
                  {{"metric"}, {"cell"}, {"net", {}, true}, {"changes"}, {"over the results"}});
  for (std::size_t i = 0; i < shown; ++i) table.row(row_of(trends.changed[i], results));
  return html_document(kTitle, kStyle, out + table.str());
}

}  // namespace assay
