#include "assay/algo/contrast.hpp"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "assay/detail/run_order.hpp"
#include "assay/detail/spread.hpp"

namespace assay {

bool RunValue::is_mean() const {
  const auto off = [&](double summary) { return std::abs(summary - value) > 1e-9 * std::abs(value); };
  return !off(mean(samples)) && off(median(samples));
}

namespace {

// Samples per side from which the bootstrap is reliable (statistics.md).
constexpr std::size_t kBootstrapSamples = 20;

// An interval on the log scale and the method that made it.
struct LogInterval {
  Bounds bounds{};
  std::string method{};
};

}  // namespace

RunSide side_of(const StudyView& view, const Runs& reports, std::string_view metric, std::string_view dims,
                const Lengths& lengths) {
  RunSide side;
  for (const RunReports& run : as_runs(view, reports)) {
    RunValue out;
    out.report = run.front();
    std::vector<PartOfRun> parts;
    for (const std::size_t r : run) {
      const auto fact = view.fact(static_cast<Row>(r), metric, dims);
      const auto value = value_for(view, r, metric, dims, lengths);
      if (!fact || !value) continue;
      out.facts.push_back(*fact);
      parts.push_back({r, *value, lengths.per_iteration ? std::span<const double>() : view.samples(*fact)});
    }
    if (parts.empty()) continue;
    JoinedParts joined = joined_parts(view, parts);
    out.value = joined.value;
    out.samples = std::move(joined.samples);
    side.push_back(std::move(out));
  }
  return side;
}

double median_value(const RunSide& side) {
  std::vector<double> values;
  for (const RunValue& run : side) values.push_back(run.value);
  return median_in_place(values);
}

bool all_positive(const RunSide& side) {
  return std::all_of(side.begin(), side.end(), [](const RunValue& run) { return run.value > 0; });
}

namespace {

bool has_samples(const RunSide& side) {
  return std::all_of(side.begin(), side.end(), [](const RunValue& run) {
    return run.samples.size() >= 2 && *std::min_element(run.samples.begin(), run.samples.end()) > 0;
  });
}

std::size_t sample_count(const RunSide& side) {
  std::size_t count = 0;
  for (const RunValue& run : side) count += run.samples.size();
  return count;
}

// Logs of the samples of one side, with each run shifted to the median of the side. What remains is the spread within
// runs.
std::vector<double> centred_logs(const RunSide& side) {
  const double centre = std::log(median_value(side));
  std::vector<double> logs;
  for (const RunValue& run : side) {
    for (const double sample : run.samples) logs.push_back(std::log(sample) - std::log(run.value) + centre);
  }
  return logs;
}

// Bootstrap of the log of median(treated) / median(base), or of median(treated) if `base` is empty.
Bounds bootstrap_log_effect(const RunSide& base, const RunSide& treated, double level, std::uint64_t seed) {
  const auto samples_of = [](const RunSide& side) {
    std::vector<RunSamples> runs;
    for (const RunValue& run : side)
      runs.push_back({run.samples, run.is_mean() ? RunSummary::kMean : RunSummary::kMedian});
    return runs;
  };
  BootstrapPlan plan;
  plan.level = level;
  plan.seed = seed;
  return bootstrap_log_ratio(samples_of(base), samples_of(treated), plan);
}

// The within-run interval of the log effect; unknown bounds when there are too few samples.
LogInterval within_runs(const RunSide& base, const RunSide& treated, double log_effect, double level,
                        std::uint64_t seed) {
  if (!has_samples(base) || !has_samples(treated)) return {};
  LogInterval out;
  const bool enough =
      (base.empty() || sample_count(base) >= kBootstrapSamples) && sample_count(treated) >= kBootstrapSamples;
  if (enough) {
    out = {bootstrap_log_effect(base, treated, level, seed), "BCa block bootstrap over iterations"};
  } else if (!base.empty()) {
    out = {hodges_lehmann_interval(centred_logs(base), centred_logs(treated), level), "Hodges-Lehmann over iterations"};
  }
  if (!out.bounds.finite()) return {};
  out.bounds.lo = std::min(out.bounds.lo, log_effect);
  out.bounds.hi = std::max(out.bounds.hi, log_effect);
  return out;
}

}  // namespace

namespace {

RunMean mean_of(const RunSide& side, const NoiseFloor& floor) {
  std::vector<double> scaled;
  for (const RunValue& run : side) scaled.push_back(floor.scaled(run.value));
  return run_mean(scaled);
}

// Whether the runs of a side are one group of the noise floor, so that they are already counted there.
bool scored_as_counts(const RunSide& side, const NoiseFloor& floor) {
  const auto group = [&](const RunValue& run) {
    return run.report < floor.group_of_report.size() ? floor.group_of_report[run.report] : kNone;
  };
  return group(side.front()) != kNone &&
         std::all_of(side.begin(), side.end(), [&](const RunValue& run) { return group(run) == group(side.front()); });
}

// The recording order of the runs of a side.
std::vector<std::int32_t> places_of(const RunSide& side, const NoiseFloor& floor) {
  std::vector<std::int32_t> out;
  for (const RunValue& run : side) out.push_back(run.report < floor.places.size() ? floor.places[run.report] : kNone);
  return out;
}

// The sides of a comparison on the scale of the noise floor (one side for a level), with the spread estimated from all
// groups of repeated runs.
struct SideMeans {
  std::vector<RunMean> sides;
  SpreadPrior prior;
  RunOrder order;

  SideMeans(const RunSide& base, const RunSide& treated, const NoiseFloor& floor) {
    std::vector<SpreadGroup> groups = floor.spreads;
    for (const RunSide* side : {&base, &treated}) {
      if (side->empty()) continue;
      sides.push_back(mean_of(*side, floor));
      if (!scored_as_counts(*side, floor))
        groups.push_back({sides.back().squares, static_cast<double>(side->size()) - 1});
    }
    prior = spread_prior(groups);
    order = run_order(places_of(base, floor), places_of(treated, floor), floor.correlation);
  }
  [[nodiscard]] std::optional<MeanError> error(std::span<const RunMean> of, double level) const {
    return mean_error(of, prior, level, order.widening, order.degrees);
  }
};

// MOVER (Zou and Donner 2008) on the intervals of two shares: the log of their ratio, with the error of each side on
// its own logit scale.
Bounds ratio_of_shares(const SideMeans& means, const NoiseFloor& floor, double level) {
  Bounds out{0, 0};
  double below = 0, above = 0;
  for (std::size_t i = 0; i < means.sides.size(); ++i) {
    const RunMean& side = means.sides[i];
    const auto error = means.error({&side, 1}, level);
    if (!error) return {};
    const double at = std::log(floor.unscaled(side.mean));
    const double low = at - std::log(floor.unscaled(side.mean - error->half));
    const double high = std::log(floor.unscaled(side.mean + error->half)) - at;
    const bool base = i == 0;
    out.lo += base ? -at : at;
    below = root_of_squares(below, base ? high : low);
    above = root_of_squares(above, base ? low : high);
  }
  return {out.lo - below, out.lo + above};
}

// "2.1 %", "0.31 in logits".
std::string spread_text(double sd, bool logits) {
  char text[48];
  if (logits)
    std::snprintf(text, sizeof text, "%.2g in logits", sd);
  else
    std::snprintf(text, sizeof text, "%.2g %%", 100 * std::expm1(sd));
  return text;
}

// The interval of the log of the effect, including the spread between runs; unknown if that spread is unknown.
LogInterval between_runs(Contrast& contrast, const SideMeans& means, const NoiseFloor& floor, double level) {
  const auto error = means.error(means.sides, level);
  if (!error) return {};
  const bool ratio = means.sides.size() == 2;
  const double difference = means.sides.back().mean - (ratio ? means.sides.front().mean : 0);
  contrast.basis = {floor.logits && !ratio, difference,          error->sd,
                    error->degrees,         contrast.basis.runs, ratio ? means.order.widening : 1};
  LogInterval out;
  char degrees[48];
  std::snprintf(degrees, sizeof degrees, " (%.3g degrees of freedom)", error->degrees);
  out.method = "t interval of means on a spread between runs of " + spread_text(error->sd, floor.logits) + degrees;
  if (floor.logits && ratio) {
    out.bounds = ratio_of_shares(means, floor, level);
    out.method = "MOVER of two t intervals of logits, spread between runs " + spread_text(error->sd, true) + degrees;
    // On the scale of the claim: logs of the ratio, recovered from the interval.
    contrast.basis.centre = std::log(contrast.effect.value);
    contrast.basis.sd *= (out.bounds.hi - out.bounds.lo) / (2 * error->half);
  } else if (floor.logits) {
    out.bounds = {std::log(floor.unscaled(difference - error->half)),
                  std::log(floor.unscaled(difference + error->half))};
  } else {
    out.bounds = {difference - error->half, difference + error->half};
  }
  if (!means.order.note.empty()) out.method += "; " + means.order.note;
  return out;
}

// Mean of a side as a value: the geometric mean, or for shares the mean of the logits. Equal values return unchanged.
double central_value(const RunSide& side, const NoiseFloor& floor) {
  const bool equal =
      std::all_of(side.begin(), side.end(), [&](const RunValue& r) { return r.value == side.front().value; });
  return equal ? side.front().value : floor.unscaled(mean_of(side, floor).mean);
}

// From this many runs per side, their own values include the sampling error, so the spread within runs adds nothing.
constexpr std::size_t kOwnSamples = 3;

// Fills interval, scope and method of a contrast whose value is set; `base` is empty for a level.
void set_interval(Contrast& contrast, const RunSide& base, const RunSide& treated, const NoiseFloor& floor,
                  double level, std::uint64_t seed) {
  Effect& effect = contrast.effect;
  const bool ratio = !base.empty();
  const double centre = std::log(effect.value);
  const LogInterval between = between_runs(contrast, SideMeans(base, treated, floor), floor, level);
  const bool replicated = treated.size() >= kOwnSamples && (!ratio || base.size() >= kOwnSamples);
  const LogInterval within = replicated ? LogInterval{} : within_runs(base, treated, centre, level, seed);
  if (!between.bounds.known() && !within.bounds.known()) {
    contrast.method = "no interval: one run per side and too few samples in it";
    return;
  }
  contrast.method = between.method;
  if (within.bounds.known()) contrast.method += (contrast.method.empty() ? "" : ", widened by ") + within.method;
  double below = 0, above = 0;
  for (const Bounds& bounds : {between.bounds, within.bounds}) {
    if (!bounds.known()) continue;
    below = root_of_squares(below, std::max(0.0, centre - bounds.lo));
    above = root_of_squares(above, std::max(0.0, bounds.hi - centre));
  }
  effect.lo = std::exp(centre - below);
  effect.hi = std::exp(centre + above);
  if (floor.logits && !ratio) effect.hi = std::min(effect.hi, 1.0);
  if (!std::isfinite(effect.hi)) {  // With less than one degree of freedom the interval carries no information.
    effect.lo = effect.hi = std::numeric_limits<double>::quiet_NaN();
    contrast.method += "; no interval, because it would exceed the range of numbers";
  }
  if (!between.bounds.known()) return;
  effect.scope = Scope::kBetweenRun;
  contrast.inside_noise_floor = ratio && between.bounds.lo <= 0 && between.bounds.hi >= 0;
}

}  // namespace

Contrast contrast_of(const StudyView& view, EffectKind kind, std::string_view metric, const RunSide& base,
                     const RunSide& treated, double level) {
  Contrast contrast;
  contrast.effect.kind = kind;
  contrast.effect.metric = view.study().metrics->id[*view.metric(metric)];
  contrast.effect.level = level;
  contrast.effect.n = static_cast<std::int64_t>(base.size() + treated.size());
  contrast.basis.runs = base.empty() ? treated.size() : std::min(base.size(), treated.size());
  for (const RunSide* side : {&base, &treated}) {
    for (const RunValue& run : *side)
      contrast.evidence.insert(contrast.evidence.end(), run.facts.begin(), run.facts.end());
  }
  return contrast;
}

namespace {

std::uint64_t contrast_seed(std::string_view seed, std::string_view metric, std::string_view dims) {
  return seed_of(std::string(seed) + '\n' + std::string(metric) + '\n' + std::string(dims));
}

}  // namespace

bool RunSides::has_ratio() const {
  return lengths.comparable() && measured() && all_positive(base) && all_positive(treated);
}

Contrast RunSides::ratio(const StudyView& view, std::string_view metric, std::string_view dims, const NoiseFloor& floor,
                         double level, std::string_view seed) const {
  Contrast contrast = contrast_of(view, EffectKind::kRatio, metric, base, treated, level);
  contrast.effect.value = central_value(treated, floor) / central_value(base, floor);
  set_interval(contrast, base, treated, floor, level, contrast_seed(seed, metric, dims));
  if (lengths.per_iteration) contrast.method += ", of values per iteration";
  return contrast;
}

std::optional<Contrast> ratio_contrast(const StudyView& view, const Stratum& stratum, std::string_view metric,
                                       std::string_view dims, const NoiseFloor& floor, double level,
                                       std::string_view seed) {
  const RunSides sides(view, stratum, metric, dims);
  if (!sides.has_ratio()) return std::nullopt;
  return sides.ratio(view, metric, dims, floor, level, seed);
}

std::optional<Contrast> level_contrast(const StudyView& view, const Runs& reports, std::string_view metric,
                                       std::string_view dims, const NoiseFloor& floor, double level,
                                       std::string_view seed) {
  const Lengths lengths = lengths_of(view, {}, reports, metric, dims);
  if (!lengths.comparable() || lengths.per_iteration) return std::nullopt;
  const RunSide runs = side_of(view, reports, metric, dims, lengths);
  if (runs.empty()) return std::nullopt;
  Contrast contrast = contrast_of(view, EffectKind::kLevel, metric, {}, runs, level);
  if (all_positive(runs)) {
    contrast.effect.value = central_value(runs, floor);
    set_interval(contrast, {}, runs, floor, level, contrast_seed(seed, metric, dims));
  } else {
    contrast.effect.value = median_value(runs);
    contrast.method = "no interval: a value is not positive";
  }
  return contrast;
}

bool differs(const Contrast& contrast) {
  const Effect& effect = contrast.effect;
  return effect.scope == Scope::kBetweenRun && !contrast.inside_noise_floor && (effect.lo > 1 || effect.hi < 1);
}

Verdict judge(const Effect& effect, double lo, double hi) {
  if (effect.scope != Scope::kBetweenRun || std::isnan(effect.lo) || std::isnan(effect.hi))
    return Verdict::kInconclusive;
  if (effect.lo >= lo && effect.hi <= hi) return Verdict::kSupported;
  return effect.hi < lo || effect.lo > hi ? Verdict::kRefuted : Verdict::kInconclusive;
}

}  // namespace assay
