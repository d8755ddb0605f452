#include "algo/days.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "assay/detail/run_order.hpp"

namespace assay {
namespace {

double mean_of(const std::vector<DayMean>& days) {
  double sum = 0;
  for (const DayMean& day : days) sum += day.mean;
  return sum / static_cast<double>(days.size());
}

/// Variance of the mean of a side for measurements of variance 1, with `usual` runs each.
double error_of(const std::vector<DayMean>& days, double usual) {
  double sum = 0;
  for (const DayMean& day : days) sum += std::max(1.0, usual / static_cast<double>(day.runs));
  return sum / static_cast<double>(days.size() * days.size());
}

constexpr double kAlone = 0.975;

}  // namespace

std::optional<DayError> day_error(const CellDays& days, double level) {
  double squares = 0, degrees = 0, parts = 0, count = 0;
  for (const auto* group : {&days.base, &days.treated, &days.others}) {
    if (group->size() < 2) continue;
    const double mean = mean_of(*group);
    for (const DayMean& day : *group) {
      squares += (day.mean - mean) * (day.mean - mean);
      parts += 1 / static_cast<double>(day.runs);
      ++count;
    }
    degrees += static_cast<double>(group->size()) - 1;
  }
  if (degrees == 0) return std::nullopt;
  const double usual = count / parts, variance = squares / degrees;
  const double error = std::sqrt(variance * (error_of(days.base, usual) + error_of(days.treated, usual)));
  return DayError{student_t_quantile((1 + level) / 2, degrees) * error, student_t_quantile(kAlone, degrees) * error,
                  std::sqrt(variance), degrees};
}

namespace {

/// Runs of one cell, grouped by measurement.
using MeasuredDays = std::map<std::string_view, std::vector<double>>;

void add_runs(const StudyView& view, const RunSide& side, std::string_view measurement, MeasuredDays& to) {
  for (const RunValue& run : side) to[view.label_text(run.report, measurement)].push_back(std::log(run.value));
}

std::vector<DayMean> days_of(const MeasuredDays& measured) {
  std::vector<DayMean> out;
  for (const auto& [name, logs] : measured) out.push_back({mean(logs), logs.size()});
  return out;
}

/// Reports of [noise] with the labels of a cell, each counted as a run.
MeasuredDays others_of(const StudyView& view, const LabelTexts& labels, const Measure& measure, const Lengths& lengths,
                       std::string_view measurement) {
  MeasuredDays out;
  for (std::size_t r = 0; r < view.report_count(); ++r) {
    const bool like = view.is_noise(r) && std::all_of(labels.begin(), labels.end(), [&](const auto& label) {
                        return view.label_text(r, label.first) == label.second;
                      });
    const auto value = like ? value_for(view, r, measure.metric, measure.dims, lengths) : std::nullopt;
    if (value && *value > 0) out[view.label_text(r, measurement)].push_back(std::log(*value));
  }
  return out;
}

/// Whether base and treated runs alternate, so that the effect of a day hits both.
bool alternate(const std::vector<std::int32_t>& places, const RunSides& sides) {
  const auto of = [&](const RunSide& side) {
    std::vector<std::int32_t> out;
    for (const RunValue& run : side) out.push_back(run.report < places.size() ? places[run.report] : kNone);
    return out;
  };
  return sides.base.size() > 1 && sides.treated.size() > 1 &&
         run_order(of(sides.base), of(sides.treated)).interleaved();
}

/// Adds the error between days to the interval of an effect; `error` only where it is known.
void widen(Contrast& contrast, const CellDays& days, const std::optional<DayError>& error) {
  Effect& effect = contrast.effect;
  const double centre = std::log(effect.value);
  double below = kUnseenDays + centre - std::log(effect.lo), above = kUnseenDays + std::log(effect.hi) - centre;
  if (error) {
    effect.value = std::exp(mean_of(days.treated) - mean_of(days.base));
    for (double* side : {&below, &above}) *side = std::min(error->half, std::max(*side, error->alone));
  }
  const std::size_t measured = days.base.size() + days.treated.size();
  contrast.method +=
      error ? printed("; days of measuring differ by %.2g %% (%g degrees of freedom)", 100 * std::expm1(error->sd),
                      error->degrees)
            : "; one measurement per side, so it reaches " + percent(kUnseenDays) + " further for the day of measuring";
  if (error) contrast.method += " over " + counted(measured + days.others.size(), "measurement");
  effect.lo = effect.value * std::exp(-below);
  effect.hi = effect.value * std::exp(above);
  contrast.inside_noise_floor = effect.lo <= 1 && effect.hi >= 1;
}

}  // namespace

void widen_by_days(const StudyView& view, PairStudy& study, std::string_view measurement) {
  for (PairEffect& e : study.effects) {
    if (!e.contrast || e.contrast->effect.scope != Scope::kBetweenRun) continue;
    const Measure& measure = study.measure_of(e);
    const Stratum& stratum = study.stratum_of(e);
    const NoiseFloor& floor = study.floor_of(e);
    const RunSides sides(view, stratum, measure.metric, measure.dims);
    MeasuredDays base, treated;
    add_runs(view, sides.base, measurement, base);
    add_runs(view, sides.treated, measurement, treated);
    const CellDays days{days_of(base), days_of(treated),
                        days_of(others_of(view, stratum.labels, measure, e.lengths, measurement))};
    const auto error = day_error(days, e.contrast->effect.level);
    const bool never_differs = floor.known() && floor.sd_log == 0;
    if (!error && (never_differs || alternate(floor.places, sides))) continue;
    widen(*e.contrast, days, error);
    e.outcome = detail::outcome_of(*e.contrast, study.margin);
    study.days_apart[e.pair] = 1;
  }
}

}  // namespace assay
