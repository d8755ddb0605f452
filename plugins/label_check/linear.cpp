// Labels that increase the number of kernels linearly, such as depth: reports that agree in everything else are on a
// line.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "assay/algo/summary.hpp"
#include "assay/words.hpp"
#include "judge.hpp"

namespace assay::labels {
namespace {

constexpr std::string_view kKernels = "iteration.kernel_count";
constexpr std::size_t kMinLevels = 3;  // a line through two points confirms nothing

struct Point {
  std::size_t report;
  double at, kernels;
};
using Points = std::vector<Point>;

struct Line {
  double slope = 0, intercept = 0;

  [[nodiscard]] bool fits(const Point& p, double tolerance) const {
    return std::abs(p.kernels - (intercept + slope * p.at)) <= tolerance * p.kernels;
  }
};

/// Least squares over points with at least two levels.
Line line_of(const Points& points) {
  std::vector<double> x, y;
  for (const Point& p : points) {
    x.push_back(p.at);
    y.push_back(p.kernels);
  }
  const double mean_x = mean(x), mean_y = mean(y);
  double products = 0;
  for (std::size_t i = 0; i < x.size(); ++i) products += (x[i] - mean_x) * (y[i] - mean_y);
  Line line;
  line.slope = products / squared_deviations(x);
  line.intercept = mean_y - line.slope * mean_x;
  return line;
}

std::size_t levels_of(const Points& points) {
  std::set<double> levels;
  for (const Point& p : points) levels.insert(p.at);
  return levels.size();
}

/// Points on a line, and the rest.
struct Split {
  Points on, off;
};

Split split(const Points& points, const Line& line, double tolerance) {
  Split out;
  for (const Point& p : points) (line.fits(p, tolerance) ? out.on : out.off).push_back(p);
  return out;
}

std::vector<std::size_t> reports_of(const Points& points) {
  std::vector<std::size_t> out;
  for (const Point& p : points) out.push_back(p.report);
  return out;
}

/// The largest set of points on one rising line with at least kMinLevels levels, if it is larger than all other such
/// sets and than the rest; empty if it is unclear which points are wrong.
std::optional<Split> agreed(const Points& points, double tolerance) {
  std::map<std::pair<double, double>, Point> distinct;
  for (const Point& p : points) distinct.emplace(std::pair(p.at, p.kernels), p);
  std::optional<Split> best;
  bool tied = false;
  for (const auto& [a_key, a] : distinct) {
    for (const auto& [b_key, b] : distinct) {
      if (!(a.at < b.at) || !(a.kernels < b.kernels)) continue;
      Split candidate = split(points, line_of({a, b}), tolerance);
      if (levels_of(candidate.on) < kMinLevels || candidate.on.size() <= candidate.off.size()) continue;
      if (best && candidate.on.size() < best->on.size()) continue;
      const bool other_set = best && reports_of(candidate.on) != reports_of(best->on);
      tied = best && candidate.on.size() == best->on.size() ? tied || other_set : false;
      best = std::move(candidate);
    }
  }
  return tied ? std::nullopt : best;
}

std::string line_text(const Line& line, std::string_view label, const Points& points) {
  return counted(points.size(), "profile") + printed(" lie on %.2f * ", line.slope) + std::string(label) +
         printed(" %+.2f kernels per iteration", line.intercept);
}

void judge_group(Bench& bench, std::size_t label, const Points& points, double tolerance) {
  const auto decide = [&](const Point& p, LabelVerdict verdict, std::string reason, std::optional<double> trace) {
    bench.decide(p.report, label, judged(verdict, std::move(reason), kKernels, trace));
  };
  const std::string name(bench.name(label));
  const auto found = agreed(points, tolerance);
  if (!found) {
    for (const Point& p : points) {
      bench.doubt(p.report, label,
                  levels_of(points) < kMinLevels
                      ? "it has fewer than three values to compare"
                      : "the kernels of " + counted(points.size(), "profile") +
                            " do not lie on one line, and it is unclear which label is wrong");
    }
    return;
  }
  const Line line = line_of(found->on);
  const std::string shown = line_text(line, name, found->on);
  for (const Point& p : found->on) decide(p, LabelVerdict::kBorneOut, shown, p.at);
  for (const Point& p : found->off) {
    const double value = std::round((p.kernels - line.intercept) / line.slope);
    decide(p, LabelVerdict::kContradicted,
           printed("%.0f kernels per iteration fit ", p.kernels) + name + printed(" %.0f: ", value) + shown, value);
  }
}

/// Reports whose kernels can be counted and that no other rule accuses, grouped by all other labels.
std::vector<Points> groups_of(const Bench& bench, std::size_t label) {
  std::vector<Points> groups;
  for (std::size_t r = 0; r < bench.reports(); ++r) {
    const auto at = bench.number(r, bench.name(label));
    const auto kernels = bench.fact(r, kKernels);
    if (!bench.at(r, label).stated || !at || !kernels || bench.graphs_hide_kernels(r) || bench.doubted(r)) continue;
    const auto same = std::ranges::find_if(
        groups, [&](const Points& group) { return bench.equal_but(group.front().report, r, label); });
    if (same == groups.end()) {
      groups.push_back({{r, *at, *kernels}});
    } else {
      same->push_back({r, *at, *kernels});
    }
  }
  return groups;
}

}  // namespace

void check_linear(Bench& bench, const Rules& rules) {
  for (const std::string& name : rules.linear) {
    const std::size_t label = *bench.view().label(name);
    for (const Points& group : groups_of(bench, label)) judge_group(bench, label, group, rules.tolerance);
  }
}

}  // namespace assay::labels
