#include "history/trends.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <tuple>

#include "algo/step_times.hpp"
#include "assay/algo/summary.hpp"
#include "config/section.hpp"
#include "config/toml_text.hpp"
#include "files/glob.hpp"

namespace assay {
namespace {

constexpr std::size_t kFewest = 6;  ///< three results on each side of a change

/// A change is barely detected if its probability is above this share of the permitted one.
constexpr double kBarely = 0.01;

bool fits(const std::string& glob, const std::string& text) { return glob.empty() || glob_matches(glob, text); }

bool asked(const SeriesId& id, const TrendSettings& settings) {
  if (!settings.question.empty() && id.question != settings.question) return false;
  return settings.metrics.empty() ||
         std::ranges::any_of(settings.metrics, [&](const std::string& glob) { return glob_matches(glob, id.metric); });
}

std::vector<Trend> series_of(const std::vector<HistoryResult>& results, const TrendSettings& settings) {
  std::map<SeriesId, Trend> all;
  for (std::size_t r = 0; r < results.size(); ++r) {
    for (const auto& [id, value] : results[r].points.values) {
      if (!asked(id, settings)) continue;
      Trend& trend = all[id];
      trend.results.push_back(r);
      trend.values.push_back(value);
      if (const auto word = results[r].points.metrics.find(id.metric); word != results[r].points.metrics.end())
        trend.word = word->second;
    }
  }
  std::vector<Trend> out;
  for (auto& [id, trend] : all) {
    trend.id = id;
    out.push_back(std::move(trend));
  }
  return out;
}

/// Of each cell the best time of a step.
void choose_gating(std::vector<Trend>& all, const TrendSettings& settings) {
  const auto cell_of = [](const SeriesId& id) { return std::tie(id.question, id.machine, id.cell); };
  std::map<decltype(cell_of(all.front().id)), std::size_t> best;
  for (const Trend& trend : all) {
    std::size_t& rank = best.try_emplace(cell_of(trend.id), std::size(kStepTimes)).first->second;
    rank = std::min(rank, step_time_rank(trend.id.metric));
  }
  for (Trend& trend : all) {
    const std::size_t rank = step_time_rank(trend.id.metric);
    trend.gates = !settings.metrics.empty() || (rank < std::size(kStepTimes) && rank == best.at(cell_of(trend.id)));
  }
}

Direction direction_of(double effect, Polarity polarity) {
  if (polarity == Polarity::kNeutral || effect == 0) return Direction::kNeutral;
  return (effect > 0) == (polarity == Polarity::kHigherIsBetter) ? Direction::kBetter : Direction::kWorse;
}

/// Whether the values are constant up to some result and constant afterwards, like counts that change once.
bool changed_once(const std::vector<double>& values) {
  const auto change = std::ranges::adjacent_find(values, std::ranges::not_equal_to());
  if (change == values.end()) return false;
  const auto side = static_cast<std::size_t>(change - values.begin()) + 1;
  return side >= kFewest / 2 && values.size() - side >= kFewest / 2 &&
         std::all_of(change + 1, values.end(), [&](double value) { return value == values.back(); });
}

/// Analysis of one series: ratios as differences of logarithms, so that a gain and its loss are symmetric.
class SeriesAnalysis {
 public:
  SeriesAnalysis(Trend& trend, const TrendSettings& settings)
      : trend_(trend), settings_(settings), scale_(trend.values) {
    trend.relative = std::ranges::all_of(trend.values, [](double value) { return value > 0; });
    if (trend.relative) {
      for (double& value : scale_) value = std::log(value);
    }
  }

  /// Returns whether adjacent results are too alike to detect a change.
  bool run(const std::vector<HistoryResult>& results, std::size_t series) {
    const LevelChanges found = change_points(scale_, {.alpha = settings_.alpha, .series = series});
    if (found.changes.empty()) return found.too_alike;
    std::size_t base = 0, base_end = found.changes.front().at;
    for (std::size_t i = 0; i < found.changes.size(); ++i) {
      trend_.changes.push_back(change_of(found.changes[i], results));
      trend_.changes.back().creeps = found.creeps;
      if (!trend_.changes.back().is_accepted) continue;
      base = found.changes[i].at;
      base_end = i + 1 < found.changes.size() ? found.changes[i + 1].at : scale_.size();
    }
    const std::size_t last = found.changes.back().at;
    if (base == last) return false;  // the last change is accepted: its level is the one to hold
    const LevelDifference net = found.difference({base, base_end}, {last, scale_.size()});
    trend_.net = shown(net.value);
    trend_.net_lo = shown(net.lo);
    trend_.net_hi = shown(net.hi);
    if (trend_.word.unit == "ns") {
      const std::span<const double> first(scale_.data() + base, base_end - base);
      trend_.longer = trend_.relative ? std::exp(mean(first)) * trend_.net : trend_.net;
    }
    const bool beyond = trend_.net > 0 ? trend_.net_lo > settings_.tolerance : trend_.net_hi < -settings_.tolerance;
    trend_.regression = beyond && direction_of(trend_.net, trend_.word.polarity) == Direction::kWorse;
    return false;
  }

 private:
  [[nodiscard]] double shown(double difference) const { return trend_.relative ? std::expm1(difference) : difference; }

  [[nodiscard]] Change change_of(const ChangePoint& point, const std::vector<HistoryResult>& results) const {
    Change change;
    change.at = trend_.results[point.at];
    // Results without a value between two results with one may belong to either level.
    change.earliest = trend_.results[point.earliest - 1] + 1;
    change.latest = trend_.results[point.latest];
    change.effect = shown(point.after - point.before);
    change.lo = shown(point.lo);
    change.hi = shown(point.hi);
    change.direction = direction_of(change.effect, trend_.word.polarity);
    change.just_found = point.p > kBarely * settings_.alpha;
    for (const AcceptedChange& accepted : settings_.accepted) {
      if (!fits(accepted.question, trend_.id.question) || !fits(accepted.metric, trend_.id.metric) ||
          !fits(accepted.cell, trend_.id.cell))
        continue;
      for (std::size_t r = change.earliest; r <= change.latest; ++r) {
        if (results[r].name != accepted.at) continue;
        change.is_accepted = true;
        change.accepted = accepted.reason;
      }
    }
    return change;
  }

  Trend& trend_;
  const TrendSettings& settings_;
  std::vector<double> scale_;
};

}  // namespace

Result<std::vector<AcceptedChange>> read_accepted(const std::filesystem::path& file) {
  try {
    const toml::table table = parse_toml(file);
    Section root(table, "", {file.string(), 1, 1});
    std::vector<AcceptedChange> accepted;
    for (Section& section : root.tables("accepted")) {
      accepted.push_back({section.text("question").value_or(""), section.text("metric").value_or(""),
                          section.text("cell").value_or(""), section.required_text("at"),
                          section.text("reason").value_or("")});
      section.finish();
    }
    root.finish();
    return accepted;
  } catch (const ConfigMistake& mistake) {
    return mistake.error();
  }
}

Trends find_trends(const std::vector<HistoryResult>& results, const TrendSettings& settings) {
  Trends trends;
  std::vector<Trend> all = series_of(results, settings);
  const auto is_short = [](const Trend& trend) { return trend.values.size() < kFewest; };
  trends.short_series = static_cast<std::size_t>(std::ranges::count_if(all, is_short));
  trends.series = all.size() - trends.short_series;
  std::erase_if(all, is_short);
  choose_gating(all, settings);
  for (Trend& trend : all) {
    trends.gating += trend.gates ? 1U : 0U;
    trends.too_alike += SeriesAnalysis(trend, settings).run(results, trends.series) ? 1U : 0U;
    if (trend.changes.empty() && changed_once(trend.values)) ++trends.once;
    if (!trend.changes.empty()) trends.changed.push_back(std::move(trend));
  }
  std::ranges::stable_sort(trends.changed, [](const Trend& a, const Trend& b) {
    if (a.gates != b.gates) return a.gates;
    if (a.regression != b.regression) return a.regression;
    if (a.longer != b.longer) return std::abs(a.longer) > std::abs(b.longer);
    if (a.relative != b.relative) return a.relative;
    return std::abs(a.net) > std::abs(b.net);
  });
  return trends;
}

}  // namespace assay
