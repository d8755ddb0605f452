#include "device_gaps.hpp"

#include <algorithm>

namespace assay::step_items {

DeviceGaps::DeviceGaps(const Report& report) {
  const auto take = [](const auto* table, Track& track) {
    if (table != nullptr) {
      track.rows = static_cast<std::size_t>(table->rows);
      track.starts = table->start, track.ends = table->end, track.calls = table->call;
      track.membership = table->membership;
    }
    settle(track);
  };
  take(report.kernels, tracks_[0]), take(report.graphs, tracks_[1]);
  take(report.copies, tracks_[2]), take(report.sets, tracks_[3]);
}

void DeviceGaps::settle(Track& track) {
  while (track.row < track.rows && track.membership[track.row] == Membership::kOutside) ++track.row;
  track.start = track.row < track.rows ? track.starts[track.row] : kNever;
}

std::optional<idle::Gap> DeviceGaps::next() {
  while (true) {
    // Work of the first table wins among equal starts.
    Track& first = *std::min_element(tracks_.begin(), tracks_.end(),
                                     [](const Track& a, const Track& b) { return a.start < b.start; });
    if (first.start == kNever) return std::nullopt;
    const idle::Gap gap{{reach_, first.start}, false, first.calls[first.row]};
    reach_ = std::max(reach_, first.ends[first.row]);
    ++first.row;
    settle(first);
    if (gap.time.end > gap.time.start) return gap;
  }
}

}  // namespace assay::step_items
