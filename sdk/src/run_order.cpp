#include "assay/detail/run_order.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>

#include "assay/words.hpp"

namespace assay {
namespace {

using Places = std::span<const std::int32_t>;

double correlation(std::int32_t a, std::int32_t b, double r) { return std::pow(r, std::abs(a - b)); }

/// Mean correlation between the runs of one side and those of another, or within one side.
double mean_correlation(Places a, Places b, double r) {
  double sum = 0;
  for (const std::int32_t x : a) {
    for (const std::int32_t y : b) sum += correlation(x, y, r);
  }
  return sum / (static_cast<double>(a.size()) * static_cast<double>(b.size()));
}

/// Expectation and half the variance of the sum of squares around the mean of one side, for runs of variance 1.
struct Squares {
  double expected = 0, half_variance = 0;
};

Squares squares_of(Places side, double r) {
  const std::size_t n = side.size();
  const auto count = static_cast<double>(n);
  // The centred correlations C R: the traces of it and of its square are the moments of a quadratic form.
  std::vector<double> centred(n * n);
  for (std::size_t j = 0; j < n; ++j) {
    double mean = 0;
    for (std::size_t i = 0; i < n; ++i) mean += correlation(side[i], side[j], r) / count;
    for (std::size_t i = 0; i < n; ++i) centred[i * n + j] = correlation(side[i], side[j], r) - mean;
  }
  Squares out;
  for (std::size_t i = 0; i < n; ++i) {
    out.expected += centred[i * n + i];
    for (std::size_t j = 0; j < n; ++j) out.half_variance += centred[i * n + j] * centred[j * n + i];
  }
  return out;
}

/// Whether all runs of one side were made before those of the other. What changed between the two is unknown, so no
/// correlation between the sides may be assumed to cancel.
bool in_a_row(Places base, Places treated) {
  if (base.empty()) return true;
  const auto [first_base, last_base] = std::minmax_element(base.begin(), base.end());
  const auto [first_treated, last_treated] = std::minmax_element(treated.begin(), treated.end());
  return *last_base < *first_treated || *last_treated < *first_base;
}

std::string note_of(bool level, double widening, double r) {
  char text[200];
  std::snprintf(text, sizeof text,
                "%s, so the interval is %.1f times as wide as for %s runs (correlation between runs of up to %.2f)",
                level ? "its runs were made in a row" : "base and treated runs were made in a row, not interleaved",
                widening, level ? "scattered" : "interleaved", r);
  return text;
}

/// Log of the restricted likelihood of r in one group, up to a constant.
double likelihood(const PlacedRuns& group, double r) {
  const std::size_t n = group.value.size();
  double logs = 0, ones = 1, cross = group.value[0], squares = group.value[0] * group.value[0];
  for (std::size_t i = 1; i < n; ++i) {  // the innovation of a run given the previous one
    const double kept = correlation(group.place[i], group.place[i - 1], r), variance = 1 - kept * kept;
    const double one = 1 - kept, fresh = group.value[i] - kept * group.value[i - 1];
    logs += std::log(variance);
    ones += one * one / variance;
    cross += one * fresh / variance;
    squares += fresh * fresh / variance;
  }
  const double left = squares - cross * cross / ones;
  return left > 0 ? -0.5 * (logs + std::log(ones) + static_cast<double>(n - 1) * std::log(left)) : 0;
}

}  // namespace

double correlation_limit(std::span<const PlacedRuns> groups) {
  constexpr int kSteps = 17;
  std::vector<double> log_likelihood(kSteps + 1);
  for (int i = 0; i <= kSteps; ++i) {
    for (const PlacedRuns& group : groups) {
      if (group.value.size() > 1)
        log_likelihood[static_cast<std::size_t>(i)] += likelihood(group, kAssumedCorrelation * i / kSteps);
    }
  }
  const double least = *std::max_element(log_likelihood.begin(), log_likelihood.end()) - kUnlikely;
  int at = kSteps;
  while (log_likelihood[static_cast<std::size_t>(at)] < least) --at;
  return kAssumedCorrelation * at / kSteps;
}

std::vector<std::int32_t> recording_order(const StudyView& view) {
  const std::size_t reports = view.report_count();
  std::map<std::uint32_t, std::string_view> of_job;  // by job: the first of its reports that has one
  for (std::size_t r = 0; r < reports; ++r) {
    if (const auto time = view.attribute(r, kRecordedAttribute); time && !time->empty())
      of_job.emplace(view.job(r), *time);
  }
  std::map<std::string_view, std::int32_t> place;
  for (const auto& [job, time] : of_job) place.emplace(time, 0);
  std::int32_t next = 0;
  for (auto& [time, at] : place) at = next++;
  std::vector<std::int32_t> out;
  for (std::size_t r = 0; r < reports; ++r) {
    const auto time = of_job.find(view.job(r));
    out.push_back(time == of_job.end() ? kNone : place[time->second]);
  }
  return out;
}

std::string order_clause(double widening) {
  constexpr double kWorthSaying = 1.05;
  if (!(widening > kWorthSaying)) return {};
  return filled("one side after the other, which widens it {} times: alternate them", {printed("%.1f", widening)});
}

RunOrder run_order(Places base, Places treated, double r) {
  constexpr double kNegligible = 1.1;
  RunOrder out;
  const auto unknown = [](Places side) { return std::find(side.begin(), side.end(), kNone) != side.end(); };
  out.known = !treated.empty() && !unknown(base) && !unknown(treated);
  if (!out.known) return out;
  double variance = 0, expected = 0, half_variance = 0, freedom = 0, parts = 0;
  for (const Places side : std::array{base, treated}) {
    if (side.empty()) continue;
    const Squares squares = squares_of(side, r);
    variance += mean_correlation(side, side, r);
    expected += squares.expected;
    half_variance += squares.half_variance;
    freedom += static_cast<double>(side.size() - 1);
    parts += 1 / static_cast<double>(side.size());
  }
  if (!in_a_row(base, treated)) variance -= 2 * mean_correlation(base, treated, r);
  if (!(freedom > 0) || !(expected > 0)) return out;
  const double widening = std::sqrt(variance * freedom / (expected * parts));
  if (!(widening > kNegligible)) return out;
  out.widening = widening;
  out.degrees = std::min(freedom, expected * expected / half_variance);
  out.note = note_of(base.empty(), widening, r);
  return out;
}

}  // namespace assay
