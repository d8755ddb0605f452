#include "extremes.hpp"

#include <algorithm>

namespace assay::nsys {
namespace {

/// Minimum start and maximum end over slices of one thread's launches: a tree over blocks of launches.
class Extremes {
 public:
  Extremes(std::span<const Launch> launches, const Work& work)
      : launches_(launches), work_(work), leaves_((launches.size() + kBlock - 1) / kBlock), tree_(2 * leaves_) {
    for (std::size_t leaf = 0; leaf < leaves_; ++leaf) {
      tree_[leaves_ + leaf] = scan(leaf * kBlock, std::min((leaf + 1) * kBlock, launches.size()));
    }
    for (std::size_t node = leaves_; node-- > 1;) tree_[node] = joined(tree_[2 * node], tree_[2 * node + 1]);
  }

  [[nodiscard]] ProjectedRange range_of(Slice slice) const {
    const std::size_t first = slice.first, last = slice.last;
    const std::size_t first_block = (first + kBlock - 1) / kBlock, last_block = last / kBlock;
    if (first_block >= last_block) return scan(first, last);
    ProjectedRange found = joined(scan(first, first_block * kBlock), scan(last_block * kBlock, last));
    std::size_t low = leaves_ + first_block, high = leaves_ + last_block;
    for (; low < high; low /= 2, high /= 2) {
      if (low % 2 == 1) found = joined(found, tree_[low++]);
      if (high % 2 == 1) found = joined(found, tree_[--high]);
    }
    return found;
  }

 private:
  static constexpr std::size_t kBlock = 16;  // a few cache lines of launches

  static ProjectedRange joined(const ProjectedRange& a, const ProjectedRange& b) {
    if (a.works == 0) return b;
    if (b.works == 0) return a;
    return {std::min(a.first, b.first), std::max(a.last, b.last), a.works + b.works, a.ids + b.ids};
  }
  [[nodiscard]] ProjectedRange scan(std::size_t first, std::size_t last) const {
    ProjectedRange found;
    for (std::size_t l = first; l < last; ++l) {
      // Launches of one call are adjacent, and a slice contains all of them or none.
      const bool first_of_call = l == 0 || launches_[l - 1].call != launches_[l].call;
      found = joined(found, {work_.start(launches_[l].op), work_.end(launches_[l].op), 1, first_of_call ? 1 : 0});
    }
    return found;
  }

  std::span<const Launch> launches_;
  const Work& work_;
  std::size_t leaves_;
  std::vector<ProjectedRange> tree_;  ///< node n has children 2n and 2n + 1; blocks start at leaves_
};

}  // namespace

std::optional<std::vector<ProjectedRange>> project(const RangeHits& hits, const Launches& launches,
                                                   const CallTable& calls) {
  const std::vector<Instance>& instances = hits.instances();
  std::vector<ProjectedRange> out(instances.size());
  std::optional<Extremes> extremes;
  std::uint64_t visits = 0;
  std::vector<Op> ops;
  std::vector<std::int64_t> ids;
  const auto distinct = [](auto& values) {
    std::sort(values.begin(), values.end());
    return std::unique(values.begin(), values.end()) - values.begin();
  };
  for (std::size_t i = 0; i < instances.size(); ++i) {
    const std::uint32_t thread = instances[i].thread;
    const Slice slice = hits.slices()[i];
    if (i == 0 || instances[i - 1].thread != thread) {
      extremes.reset();
      if (launches.in_step(thread) && launches.repeated() == 0)
        extremes.emplace(launches.of_thread(thread), launches.work());
    }
    if (slice.first == slice.last) continue;
    if (extremes) {
      out[i] = extremes->range_of(slice);
      continue;
    }
    visits += slice.last - slice.first;
    if (visits > kMaxVisits) return std::nullopt;
    hits.each(i, [&](const Launch& launch) {
      const std::int64_t start = launches.work().start(launch.op), end = launches.work().end(launch.op);
      ProjectedRange& p = out[i];
      p.first = p.works == 0 ? start : std::min(p.first, start);
      p.last = p.works == 0 ? end : std::max(p.last, end);
      ++p.works;
      if (launches.repeated() > 0) ops.push_back(launch.op);
      const std::int64_t id = calls.correlation.present() ? calls.correlation[launch.call] : 0;
      ids.push_back(id > 0 ? id : -1 - std::int64_t{launch.call});  // 0: linked to nothing
    });
    out[i].ids = distinct(ids);
    ids.clear();
    if (ops.empty()) continue;
    out[i].works = distinct(ops);  // work launched by several calls inside counts once
    ops.clear();
  }
  return out;
}

}  // namespace assay::nsys
