#include "side.hpp"

#include <algorithm>
#include <map>

namespace assay::difference {

std::int64_t Side::device_time() const {
  std::int64_t sum = 0;
  for (const Item& item : items) {
    if (item.key.kind == ItemKind::kKernel || item.key.kind == ItemKind::kGraph) sum += item.sums.device;
  }
  return sum;
}

void join_items(Side& side) {
  std::map<ItemKey, std::size_t> place;
  for (const SideRun& run : side.runs) {
    for (const Item& item : run.items) place.emplace(item.key, 0);
  }
  std::size_t next = 0;
  for (auto& [key, at] : place) at = next++;
  side.items.assign(place.size(), {});
  side.wall.assign(place.size(), std::vector<std::int64_t>(side.runs.size(), 0));
  side.counts = side.wall;
  side.time = side.steps = 0;
  for (std::size_t r = 0; r < side.runs.size(); ++r) {
    const SideRun& run = side.runs[r];
    std::vector<std::uint32_t> places;
    for (const Item& item : run.items) {
      const std::size_t at = place[item.key];
      places.push_back(static_cast<std::uint32_t>(at));
      Item& joined = side.items[at];
      joined.key = item.key;
      if (joined.sums.count == 0) joined.traits = item.traits;
      joined.sums.add(item.sums);
      side.wall[at][r] += item.sums.wall;
      side.counts[at][r] += item.sums.count;
      joined.traits.add_counters(item.traits);
    }
    side.time += run.time;
    side.steps += static_cast<std::int64_t>(run.steps());
    if (r > 0) continue;
    side.launches.clear();
    for (const std::uint32_t launch : run.launches) side.launches.push_back(places[launch]);
  }
}

LaunchCounts launches_of(const Side& side) {
  LaunchCounts sum;
  for (const SideRun& run : side.runs) {
    sum.all += run.launch_calls.all;
    sum.graphs += run.launch_calls.graphs;
  }
  return sum;
}

bool knows_operators(const Side& side) {
  return std::ranges::any_of(side.items,
                             [](const Item& item) { return item.key.kind != ItemKind::kIdle && !item.key.op.empty(); });
}

void forget_operators(Side& side) {
  for (SideRun& run : side.runs) {
    for (Item& item : run.items) {
      if (item.key.kind != ItemKind::kIdle) {
        item.key.op.clear();
        item.key.inputs.clear();
      }
    }
  }
  join_items(side);
}

}  // namespace assay::difference
