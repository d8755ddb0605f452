#include "difference/device_gaps.hpp"

#include <algorithm>

namespace assay::difference {

DeviceGaps::DeviceGaps(const Report& report) {
  const auto add_table = [](const auto* table, Track& track) {
    if (table != nullptr) {
      track.rows = static_cast<std::size_t>(table->rows);
      track.starts = table->start, track.ends = table->end, track.calls = table->call;
      track.membership = table->membership;
    }
    close_gap(track);
  };
  add_table(report.kernels, tracks_[0]), add_table(report.graphs, tracks_[1]);
  add_table(report.copies, tracks_[2]), add_table(report.sets, tracks_[3]);
}

void DeviceGaps::close_gap(Track& track) {
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
    close_gap(first);
    if (gap.time.end > gap.time.start) return gap;
  }
}

}  // namespace assay::difference
