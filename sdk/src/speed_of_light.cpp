#include "assay/algo/speed_of_light.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace assay {
namespace {

bool are_timed(const std::vector<SpeedOfLight>& launches) {
  return std::ranges::all_of(launches, [](const SpeedOfLight& launch) { return launch.duration.value_or(0) > 0; });
}

}  // namespace

Bound bound_of(const SpeedOfLight& speed, double threshold) {
  if (!speed.compute) return Bound::kUnknown;
  if (!speed.memory) {
    const bool by_dram = speed.dram && *speed.dram >= threshold && *speed.dram > *speed.compute;
    return by_dram ? Bound::kMemory : Bound::kUnknown;
  }
  if (*speed.compute < threshold && *speed.memory < threshold) return Bound::kLatency;
  return *speed.compute >= *speed.memory ? Bound::kCompute : Bound::kMemory;
}

SpeedsOfLight::SpeedsOfLight(const Report& report) {
  if (report.profiled == nullptr || report.counters == nullptr) return;
  const ProfiledTable& launches = *report.profiled;
  const std::vector<Launch> measured = launches_of(report);
  std::map<Row, Means> sums;
  for (std::size_t i = 0; i < launches.rows; ++i) {
    const Row group = launches.group[i];
    ++speeds_[group].launches;
    const auto of = [&](Quantity q) { return measured[i][q].value; };
    SpeedOfLight launch;
    launch.compute = of(kSm);
    launch.memory = of(kMemory);
    launch.dram = of(kDram);
    launch.duration = of(kDuration);
    launches_[group].push_back(launch);
  }
  std::map<Row, bool> timed;
  for (const auto& [group, all] : launches_) timed[group] = are_timed(all);
  for (std::size_t i = 0; i < launches.rows; ++i) {
    const Row group = launches.group[i];
    const double time = timed[group] ? *measured[i][kDuration].value : 1;
    for (std::size_t q = 0; q < kQuantities; ++q)
      sums[group][q].add(measured[i][q].value, is_count(static_cast<Quantity>(q)) ? 1 : time);
  }
  for (auto& [group, speed] : speeds_) {
    const Means& sum = sums.at(group);
    const auto mean = [&](Quantity q) { return sum[q].value(); };
    speed.compute = mean(kSm);
    speed.memory = mean(kMemory);
    speed.dram = mean(kDram);
    speed.occupancy = mean(kOccupancy);
    speed.duration = mean(kDuration);
    speed.warp_execution = mean(kWarpShare) ? mean(kWarpShare) : mean(kWarpThreads);
    speed.load_sectors = mean(kLoadMean) ? mean(kLoadMean) : ratio(mean(kLoadSectors), mean(kLoadRequests));
    speed.store_sectors = mean(kStoreMean) ? mean(kStoreMean) : ratio(mean(kStoreSectors), mean(kStoreRequests));
    speed.dram_rate = mean(kDramRate);
    if (!speed.dram_rate && mean(kDramRead) && mean(kDramWrite)) {
      constexpr double kNsPerS = 1e9;
      speed.dram_rate = ratio((*mean(kDramRead) + *mean(kDramWrite)) * kNsPerS, speed.duration);
    }
    speed.dram_peak = ratio(speed.dram_rate, speed.dram);
  }
}

BoundTimes SpeedsOfLight::bounds(Row group, double threshold) const {
  BoundTimes out;
  const auto at = launches_.find(group);
  if (at == launches_.end()) {
    out.add(Bound::kUnknown, 1);
    return out;
  }
  const bool timed = are_timed(at->second);
  for (const SpeedOfLight& launch : at->second) out.add(bound_of(launch, threshold), timed ? *launch.duration : 1);
  const double all = out.total();
  for (double& time : out.times) time /= all;
  return out;
}

std::optional<double> SpeedsOfLight::ratio(const std::optional<double>& above, const std::optional<double>& below) {
  return above && below && *below > 0 ? std::optional(*above / *below) : std::nullopt;
}

std::optional<SpeedsOfLight::CounterMeaning> SpeedsOfLight::meaning_of(std::string_view name, std::string_view unit) {
  for (std::size_t q = 0; !name.empty() && q < kQuantities; ++q) {
    if (kWanted[q].unit != kAnyUnit && kWanted[q].unit != unit) continue;
    const auto& counters = kWanted[q].counters;
    const auto at = std::ranges::find(counters, name);
    if (at != counters.end()) return CounterMeaning{q, static_cast<std::size_t>(at - counters.begin())};
  }
  return std::nullopt;
}

std::vector<SpeedsOfLight::Launch> SpeedsOfLight::launches_of(const Report& report) {
  std::vector<Launch> out(static_cast<std::size_t>(report.profiled->rows));
  const CounterTable& counters = *report.counters;
  std::map<std::pair<StringId, StringId>, std::optional<CounterMeaning>> meanings;
  for (std::size_t c = 0; c < counters.rows; ++c) {
    const auto [known, is_new] = meanings.try_emplace({counters.name[c], counters.unit[c]});
    if (is_new) known->second = meaning_of(report.string(counters.name[c]), report.string(counters.unit[c]));
    const std::optional<CounterMeaning>& meaning = known->second;
    if (!meaning) continue;
    LaunchValue& best = out[static_cast<std::size_t>(counters.profiled[c])][meaning->quantity];
    if (meaning->rank < best.rank) best = {meaning->rank, counters.value[c] * kWanted[meaning->quantity].factor};
  }
  return out;
}

}  // namespace assay
