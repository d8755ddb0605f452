#include "timeline/trace_tracks.hpp"

#include <fmt/core.h>

#include "assay/report.hpp"

namespace assay {

TraceTracks::NameIndex TraceTracks::named(bool is_device, std::int64_t number, const std::string& name) {
  const auto [group, fresh_group] = group_rows_.try_emplace(
      process_ ? std::pair(false, std::int64_t{0}) : std::pair(is_device, number), groups_.size());
  if (fresh_group)
    groups_.push_back({is_device, number, process_.value_or(static_cast<std::int64_t>(groups_.size()) + 1), {}});
  const std::string shown = !process_ || !is_device ? name
                            : number == kNone       ? "GPU unknown " + name
                                                    : fmt::format("GPU {} {}", number, name);
  const auto [at, fresh] = names_.try_emplace({group->second, is_device ? -1 - number : number, shown}, lanes_.size());
  if (fresh) lanes_.push_back({group->second, shown, {}});
  return at->second;
}

Track TraceTracks::track_for(NameIndex name, std::int64_t start, std::int64_t end, Overlap overlap) {
  NamedLanes& named = lanes_[name];
  const auto fits = [&](Lane& lane) {
    while (!lane.open.empty() && lane.open.back() <= start) lane.open.pop_back();
    return lane.open.empty() || (overlap == Overlap::kNests && end <= lane.open.back());
  };
  std::size_t lane = 0;
  while (lane < named.lanes.size() && !fits(named.lanes[lane])) ++lane;
  if (lane == kMaxLanes) {
    --lane;
  } else if (lane == named.lanes.size()) {
    std::vector<std::pair<std::int64_t, std::string>>& tracks = groups_[named.group].tracks;
    const auto thread = static_cast<std::int64_t>(tracks.size()) + 1;
    tracks.emplace_back(thread, lane == 0 ? named.name : fmt::format("{} ({})", named.name, lane + 1));
    named.lanes.push_back({thread, {}});
  }
  named.lanes[lane].open.push_back(end);
  return {groups_[named.group].id, named.lanes[lane].thread};
}

}  // namespace assay
