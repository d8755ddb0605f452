#include "assay/algo/joint.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "assay/algo/distributions.hpp"
#include "assay/algo/summary.hpp"
#include "assay/words.hpp"

namespace assay {
namespace {

// P(X >= least) of a binomial distribution.
double upper_tail(std::size_t least, std::size_t trials, double p) {
  if (least == 0) return 1;
  const auto n = static_cast<double>(trials);
  double sum = 0;
  for (std::size_t k = least; k <= trials; ++k) {
    const auto at = static_cast<double>(k);
    const double log_ways = detail::log_gamma(n + 1) - detail::log_gamma(at + 1) - detail::log_gamma(n - at + 1);
    sum += std::exp(log_ways + (at > 0 ? at * std::log(p) : 0) + (n > at ? (n - at) * std::log1p(-p) : 0));
  }
  return std::min(1.0, sum);
}

// The p at which the tail, which rises with p, reaches `part`.
double where(std::size_t least, std::size_t trials, double part) {
  double low = 0, high = 1;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (upper_tail(least, trials, middle) < part ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace

CellMean mean_over_cells(std::span<const double> values, double level) {
  CellMean out{mean(values), {}};
  const auto count = static_cast<double>(values.size());
  if (values.size() < 2) return out;
  const double error = std::sqrt(squared_deviations(values) / (count - 1) / count);
  const double half = student_t_quantile((1 + level) / 2, count - 1) * error;
  out.bounds = {out.mean - half, out.mean + half};
  return out;
}

JointEffect joint_effect(std::span<const PairLog> pairs, double level) {
  JointEffect out;
  out.level = level;
  out.pairs = pairs.size();
  std::map<std::size_t, std::vector<double>> by_base;
  for (const PairLog& pair : pairs) {
    by_base[pair.base].push_back(pair.log_ratio);
    out.lower += pair.log_ratio < 0 ? 1U : 0U;
    out.higher += pair.log_ratio > 0 ? 1U : 0U;
  }
  for (const auto& [base, logs] : by_base) out.logs.push_back(mean(logs));
  out.cells = out.logs.size();
  const CellMean centre = mean_over_cells(out.logs, level);
  out.ratio = std::exp(centre.mean);
  if (!std::isfinite(std::exp(centre.bounds.hi))) return out;  // unknown, or too large to represent
  out.lo = std::exp(centre.bounds.lo);
  out.hi = std::exp(centre.bounds.hi);
  return out;
}

namespace {

/// "2.9x to 3.5x faster", "4.0 % slower to 1.3x faster": the smallest and the largest effect of the independent pairs.
std::string range_text(const JointEffect& joint, std::string_view unit) {
  const auto [least, most] = std::minmax_element(joint.logs.begin(), joint.logs.end());
  std::string from = change_text(std::exp(*least), unit), to = change_text(std::exp(*most), unit);
  if (joint.ratio < 1) std::swap(from, to);  // smaller change first
  const std::size_t word = from.rfind(' ');
  if (word != std::string::npos && to.ends_with(from.substr(word))) from.resize(word);
  return from == to ? to : from + " to " + to;
}

}  // namespace

std::string joint_text(const JointEffect& joint, std::string_view unit) {
  const bool interval = joint.decides() && interval_tells(joint.lo, joint.hi);
  std::string text = interval || joint.cells < 2 ? change_text(joint.ratio, unit) : range_text(joint, unit);
  text += " (" + (interval ? change_interval(joint.ratio, joint.lo, joint.hi, unit) + "; " : std::string());
  text += counted_of(joint.agreeing(), joint.pairs, "pair");
  if (joint.cells < joint.pairs) text += " over " + counted(joint.cells, "base");
  return text + ")";
}

Bounds binomial_interval(std::size_t successes, std::size_t trials, double level) {
  const double part = (1 - level) / 2;
  return {successes == 0 ? 0 : where(successes, trials, part),
          successes == trials ? 1 : where(successes + 1, trials, 1 - part)};
}

}  // namespace assay
