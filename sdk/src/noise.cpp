#include "assay/detail/noise.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "assay/detail/run_order.hpp"

namespace assay {

namespace {

// Determines whether a metric is a share, whose intervals must stay within 0..1. A run at exactly 0 or 1 does not
// change the scale: it counts as half as far from the limit as the nearest other run.
void find_scale(const StudyView& view, std::string_view metric, std::string_view dims, NoiseFloor& floor) {
  const auto row = view.metric(metric);
  if (!row || view.study().metrics->unit[*row] != "ratio") return;
  floor.logits = true;
  double nearest = 2e-3;
  for (std::size_t r = 0; r < view.report_count(); ++r) {
    const auto value = view.value(static_cast<Row>(r), metric, dims);
    if (!value) continue;
    floor.logits = floor.logits && *value >= 0 && *value <= 1;
    const double distance = std::min(*value, 1 - *value);
    if (distance > 0) nearest = std::min(nearest, distance);
  }
  floor.nearest = std::max(nearest / 2, 1e-9);
}

// A group in recording order; empty if a run has no recording time or two have the same.
PlacedRuns placed(std::span<const std::int32_t> places, std::span<const double> values) {
  std::map<std::int32_t, double> sorted;
  for (std::size_t i = 0; i < places.size(); ++i) sorted.emplace(places[i], values[i]);
  PlacedRuns out;
  if (sorted.size() < places.size() || sorted.contains(kNone)) return out;
  for (const auto& [place, value] : sorted) {
    out.place.push_back(place);
    out.value.push_back(value - values.front());  // avoids cancellation of large values
  }
  return out;
}

}  // namespace

double NoiseFloor::scaled(double value) const {
  if (!logits) return std::log(value);
  const double share = std::clamp(value, nearest, 1 - nearest);
  return std::log(share / (1 - share));
}

double NoiseFloor::unscaled(double scaled) const { return logits ? 1 / (1 + std::exp(-scaled)) : std::exp(scaled); }

NoiseFloor noise_floor(const StudyView& view, const std::vector<std::vector<RunReports>>& equal,
                       std::string_view metric, std::string_view dims, std::string_view label_under_test) {
  constexpr double kAnyCount = -1;
  const bool per_iteration = metric.starts_with("iteration.");
  using GroupKey = std::tuple<std::size_t, std::string_view, double>;
  std::map<GroupKey, std::vector<std::pair<const RunReports*, double>>> groups;
  for (std::size_t g = 0; g < equal.size(); ++g) {
    for (const RunReports& run : equal[g]) {
      const auto value = value_of(view, run, metric, dims);
      if (!value || !(*value > 0)) continue;
      const auto first = static_cast<Row>(run.front());
      const double count = per_iteration ? kAnyCount : view.value(first, "iteration.count").value_or(kAnyCount);
      groups[{g, view.label_text(run.front(), label_under_test), count}].emplace_back(&run, std::log(*value));
    }
  }
  NoiseFloor floor;
  floor.group_of_report.assign(view.report_count(), kNone);
  floor.places = recording_order(view);
  find_scale(view, metric, dims, floor);
  double squares = 0;
  std::vector<PlacedRuns> in_order;
  for (const auto& [key, members] : groups) {
    if (members.size() < 2) continue;
    std::vector<double> logs;
    for (const auto& [run, log_value] : members) {
      logs.push_back(log_value);
      for (const std::size_t report : *run) floor.group_of_report[report] = static_cast<std::int32_t>(floor.groups);
    }
    const auto [least, greatest] = std::minmax_element(logs.begin(), logs.end());
    floor.largest_ratio = std::max(floor.largest_ratio, std::exp(*greatest - *least));
    squares += squared_deviations(logs);
    std::vector<double> scaled;
    for (const double log_value : logs) scaled.push_back(floor.logits ? floor.scaled(std::exp(log_value)) : log_value);
    std::vector<std::int32_t> places;
    for (const auto& [run, log_value] : members) places.push_back(floor.places[run->front()]);
    in_order.push_back(placed(places, scaled));
    floor.spreads.push_back({squared_deviations(scaled), static_cast<double>(logs.size() - 1)});
    floor.degrees += static_cast<double>(logs.size() - 1);
    floor.runs += logs.size();
    ++floor.groups;
  }
  if (floor.known()) floor.sd_log = std::sqrt(squares / floor.degrees);
  floor.correlation = correlation_limit(in_order);
  return floor;
}

NoiseFloor noise_floor(const StudyView& view, std::string_view metric, std::string_view dims,
                       std::string_view label_under_test) {
  return noise_floor(view, equal_runs(view), metric, dims, label_under_test);
}

}  // namespace assay
