#include "course.hpp"

#include <algorithm>
#include <cmath>

#include "assay/algo/summary.hpp"
#include "assay/words.hpp"

namespace assay::energy {
namespace {

constexpr std::size_t kMinSamples = 5;
constexpr double kAverage = 1;      ///< s, averaging time of NVML's power reading
constexpr double kDense = 0.4;      ///< s between counter updates, below which nothing needs to be inserted
constexpr int kSecondsAway = 3;     ///< from a counter update, within which errors of power readings add up little
constexpr double kConstant = 1.05;  ///< largest over smallest power reading of a stretch of constant power
constexpr double kMinAveraged = 2;  ///< s, shortest stretch that the average readings can resolve

using Reading = std::optional<double> PowerSample::*;

/// The reading at a time, interpolated linearly; empty outside of the samples or next to a missing one.
std::optional<double> reading_at(const std::vector<PowerSample>& course, Reading reading, double time) {
  const auto after = std::ranges::lower_bound(course, time, {}, &PowerSample::time_s);
  if (after == course.end()) return std::nullopt;
  if (after->time_s == time) return (*after).*reading;
  if (after == course.begin()) return std::nullopt;
  const auto before = after - 1;
  if (!((*before).*reading) || !((*after).*reading)) return std::nullopt;
  const double part = (time - before->time_s) / (after->time_s - before->time_s);
  return *((*before).*reading) * (1 - part) + *((*after).*reading) * part;
}

std::optional<double> mean_of(const std::vector<PowerSample>& course, Reading reading, double begin, double end) {
  double sum = 0;
  std::size_t count = 0;
  for (const PowerSample& sample : course) {
    if (sample.time_s < begin || sample.time_s > end || !(sample.*reading)) continue;
    sum += *(sample.*reading);
    ++count;
  }
  return count == 0 ? std::nullopt : std::optional(sum / static_cast<double>(count));
}

/// The samples at which the counter changed: drivers update it five to fifty times a second, and between updates it has
/// no information.
std::vector<PowerSample> counter_updates(const std::vector<PowerSample>& course) {
  std::vector<PowerSample> out;
  for (const PowerSample& sample : course) {
    if (sample.energy_j && (out.empty() || *sample.energy_j != *out.back().energy_j)) out.push_back(sample);
  }
  return out;
}

std::size_t count_within(const std::vector<PowerSample>& course, double begin, double end) {
  return static_cast<std::size_t>(std::ranges::count_if(
      course, [&](const PowerSample& sample) { return sample.time_s >= begin && sample.time_s <= end; }));
}

/// Times at which the energy is known: updates of the counter, and whole seconds before and after them, because a power
/// reading is the energy of the second before it. A counter read once every second or two is thus known every few
/// tenths of a second.
std::vector<PowerSample> known_energies(const std::vector<PowerSample>& course) {
  const std::vector<PowerSample> updates = counter_updates(course);
  std::vector<PowerSample> out = updates;
  const auto known_at = [&](double time, double energy) {
    const auto after = std::ranges::lower_bound(updates, time, {}, &PowerSample::time_s);
    // Between two distant updates, and in their order. Readings that average over another time than a second are
    // excluded.
    if (after == updates.begin() || after == updates.end() || after->time_s - (after - 1)->time_s < kDense) return;
    if (energy < *(after - 1)->energy_j || energy > *after->energy_j) return;
    PowerSample sample;
    sample.time_s = time;
    sample.energy_j = energy;
    out.push_back(sample);
  };
  for (const PowerSample& update : updates) {
    double later = *update.energy_j, earlier = later;
    for (int k = 1; k <= kSecondsAway; ++k) {
      const auto next = reading_at(course, &PowerSample::power_w, update.time_s + k * kAverage),
                 last = reading_at(course, &PowerSample::power_w, update.time_s - (k - 1) * kAverage);
      if (!next || !last) break;
      known_at(update.time_s + k * kAverage, later += *next * kAverage);
      known_at(update.time_s - k * kAverage, earlier -= *last * kAverage);
    }
  }
  std::ranges::sort(out, {}, &PowerSample::time_s);
  for (std::size_t i = 1; i < out.size(); ++i) out[i].energy_j = std::max(*out[i].energy_j, *out[i - 1].energy_j);
  return out;
}

/// Uses the counter. Returns false if there is none, or if it is known too rarely; `use.refused` then has the reason.
bool add_counted(const std::vector<PowerSample>& course, double begin, double end, StretchUse& use) {
  const std::vector<PowerSample> known = known_energies(course);
  const auto from = reading_at(known, &PowerSample::energy_j, begin),
             to = reading_at(known, &PowerSample::energy_j, end);
  if (!from || !to) return false;
  const std::size_t moves = count_within(known, begin, end);
  if (moves < kMinSamples) {
    use.refused = filled("the energy counter moved on {} within it; at least {} are needed, so measure more iterations",
                         {counted(moves, "time"), std::to_string(kMinSamples)});
    return false;
  }
  use.joules = *to - *from;
  use.method = "the energy counter";
  return true;
}

/// Uses power readings that hardly vary, so that neither their lag nor the pauses of the counter matter. Returns false
/// if they vary or do not cover the stretch.
bool add_constant(const std::vector<PowerSample>& course, double begin, double end, StretchUse& use) {
  std::vector<double> watts;
  double last = begin;
  for (const PowerSample& sample : course) {
    if (sample.time_s < begin || sample.time_s > end || !sample.power_w) continue;
    if (sample.time_s - last > kDense) return false;
    watts.push_back(*sample.power_w);
    last = sample.time_s;
  }
  if (watts.size() < kMinSamples || end - last > kDense) return false;
  const auto [least, most] = std::ranges::minmax_element(watts);
  if (*most > kConstant * *least) return false;
  use.refused.clear();
  use.joules = mean(watts) * (end - begin);
  use.method = "power readings, which varied by less than 5 %";
  return true;
}

/// Uses readings that average over the last second.
void add_averaged(const std::vector<PowerSample>& course, double begin, double end, StretchUse& use) {
  if (end - begin < kMinAveraged) {
    use.refused = "there is no energy counter, and power readings lag by about 1 s: less than 2 s say too little";
    return;
  }
  if (course.back().time_s < end + kAverage) {
    use.refused = "there is no energy counter, and power readings lag by about 1 s: none were taken after the run";
    return;
  }
  const double whole = std::floor((end - begin) / kAverage), rest = end - begin - whole * kAverage;
  double joules = 0;
  for (double k = 0; k < whole; ++k) {
    const auto reading = reading_at(course, &PowerSample::power_w, end - k * kAverage);
    if (!reading) return void(use.refused = "power readings are missing");
    joules += *reading * kAverage;
  }
  const auto first = reading_at(course, &PowerSample::power_w, begin + kAverage);
  if (!first) return void(use.refused = "power readings are missing");
  use.joules = joules + *first * rest;
  use.method = "average power, corrected for its lag of about 1 s";
}

}  // namespace

StretchUse use_of(const std::vector<PowerSample>& course, double begin, double end) {
  StretchUse use;
  use.samples = count_within(course, begin, end);
  if (use.samples < kMinSamples) {
    use.refused =
        filled("{} within it; at least {} are needed", {counted(use.samples, "sample"), std::to_string(kMinSamples)});
    return use;
  }
  use.sm_mhz = mean_of(course, &PowerSample::sm_mhz, begin, end);
  use.memory_mhz = mean_of(course, &PowerSample::memory_mhz, begin, end);
  use.throttled_ratio = mean_of(course, &PowerSample::throttled, begin, end);
  const bool known = add_counted(course, begin, end, use) || add_constant(course, begin, end, use);
  if (!known && use.refused.empty()) add_averaged(course, begin, end, use);
  if (use.joules) use.mean_w = *use.joules / (end - begin);
  return use;
}

}  // namespace assay::energy
