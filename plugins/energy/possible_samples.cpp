#include "possible_samples.hpp"

#include <algorithm>
#include <cmath>

#include "assay/detail/longest_ascending.hpp"
#include "assay/words.hpp"

namespace assay::energy {
namespace {

constexpr double kMaxWatts = 2500;    ///< twice what any board draws
constexpr double kLeast = 1e-3;       ///< W or MHz of a board that runs
constexpr double kMaxMhz = 50000;     ///< several times any clock; memory is sometimes counted by transfers
constexpr double kCounterStep = 0.5;  ///< s: a counter is updated late, so it may seem to rise faster for that long

using Reading = std::optional<double> PowerSample::*;

/// Clears readings below `least` or above `most`; returns how many.
std::size_t clear_beyond(std::vector<PowerSample>& samples, Reading reading, double least, double most) {
  std::size_t cleared = 0;
  for (PowerSample& sample : samples) {
    std::optional<double>& value = sample.*reading;
    if (!value || (*value >= least && *value <= most)) continue;  // a NaN is neither
    value.reset();
    ++cleared;
  }
  return cleared;
}

std::size_t drop_misplaced(std::vector<PowerSample>& samples) {
  const auto falls = [](const PowerSample& a, const PowerSample& b) { return b.time_s < a.time_s; };
  std::size_t falling = 0, level = 0;
  for (std::size_t i = 1; i < samples.size(); ++i) {
    falling += falls(samples[i - 1], samples[i]) ? 1U : 0U;
    level += samples[i - 1].time_s == samples[i].time_s ? 1U : 0U;
  }
  if (falling + level == 0) return 0;
  if (2 * falling > samples.size()) std::ranges::reverse(samples);
  std::vector<std::int64_t> times;
  for (const PowerSample& sample : samples) times.push_back(std::llround(std::clamp(sample.time_s * 1e6, -9e18, 9e18)));
  std::vector<PowerSample> kept;
  for (const std::size_t i : longest_ascending(times)) {
    if (kept.empty() || kept.back().time_s < samples[i].time_s) kept.push_back(samples[i]);
  }
  const std::size_t dropped = samples.size() - kept.size();
  samples = std::move(kept);
  return dropped;
}

/// Samples whose counter is known, in order of time.
std::vector<PowerSample*> counted_samples(std::vector<PowerSample>& samples) {
  std::vector<PowerSample*> counts;
  for (PowerSample& sample : samples) {
    if (sample.energy_j && *sample.energy_j >= 0 && std::isfinite(*sample.energy_j)) counts.push_back(&sample);
  }
  return counts;
}

bool too_fast(const PowerSample& from, const PowerSample& to) {
  return *to.energy_j - *from.energy_j > kMaxWatts * (to.time_s - from.time_s + kCounterStep);
}

std::size_t clear_energies(std::vector<PowerSample>& samples) {
  std::size_t had = 0;
  for (const PowerSample& sample : samples) had += sample.energy_j ? 1U : 0U;
  std::vector<PowerSample*> counts = counted_samples(samples);
  std::vector<std::int64_t> millijoules;
  for (const PowerSample* sample : counts)
    millijoules.push_back(static_cast<std::int64_t>(std::min(*sample->energy_j * 1e3, 9e18)));
  std::vector<PowerSample*> kept;
  for (const std::size_t i : longest_ascending(millijoules)) {
    // One that rises too fast is wrong itself, unless the one after it goes on from there.
    if (!kept.empty() && too_fast(*kept.back(), *counts[i])) {
      const bool goes_on = i + 1 < counts.size() && *counts[i + 1]->energy_j >= *counts[i]->energy_j &&
                           !too_fast(*counts[i], *counts[i + 1]);
      if (!goes_on) continue;
      if (kept.size() == 1) kept.clear();  // the first was wrong; later, the driver began anew
    }
    kept.push_back(counts[i]);
  }
  auto next = kept.begin();
  for (PowerSample& sample : samples) {
    if (next != kept.end() && *next == &sample)
      ++next;
    else
      sample.energy_j.reset();
  }
  return had - kept.size();
}

}  // namespace

std::vector<std::string> ImpossibleReadings::clauses() const {
  std::vector<std::string> clauses;
  const auto add = [&](std::size_t count, const char* what) {
    if (count > 0) clauses.push_back(counted_of(count, samples, "sample") + what);
  };
  add(times, " come out of the order of their times, or twice");
  add(energies, " have an energy that falls, or rises faster than any board draws");
  add(powers, " have a power of 0 or less, or above 2.5 kW");
  add(clocks, " have a clock of 0 or less, or above 50 GHz");
  add(ratios, " are throttled by less than 0 or more than 1");
  return clauses;
}

void leave_out_impossible(std::vector<PowerSample>& samples, ImpossibleReadings& count) {
  count.samples += samples.size();
  count.times += drop_misplaced(samples);
  count.energies += clear_energies(samples);
  count.powers += clear_beyond(samples, &PowerSample::power_w, kLeast, kMaxWatts);
  count.clocks += clear_beyond(samples, &PowerSample::sm_mhz, kLeast, kMaxMhz);
  count.clocks += clear_beyond(samples, &PowerSample::memory_mhz, kLeast, kMaxMhz);
  count.ratios += clear_beyond(samples, &PowerSample::throttled, 0, 1);
}

}  // namespace assay::energy
