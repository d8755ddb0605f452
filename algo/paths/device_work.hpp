// All device work of a report as one list by time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "assay/report.hpp"

namespace assay {

/// A kernel, graph launch, copy or set.
struct DeviceWorkItem {
  std::int64_t start = 0, end = 0;  ///< ns
  std::int32_t device = kNone;
  Row call = kNone;  ///< launching call; kNone: not recorded
  bool kernel = false;
};

/// Calls `use(DeviceWorkItem)` for all device work of the report, by start; among equal starts kernels, graphs, copies,
/// sets. Linear, without allocation.
template <class Use>
void each_device_work(const Report& report, Use&& use) {
  struct Track {
    std::size_t rows = 0, at = 0;
    Column<std::int64_t> start{}, end{};
    Column<std::int32_t> device{};
    Column<Row> call{};
    bool kernels = false;
  };
  std::vector<Track> tracks;
  const auto add = [&](const auto* table, bool kernels) {
    if (table == nullptr || table->rows == 0) return;
    tracks.push_back(
        {static_cast<std::size_t>(table->rows), 0, table->start, table->end, table->device, table->call, kernels});
  };
  add(report.kernels, true);
  add(report.graphs, false);
  add(report.copies, false);
  add(report.sets, false);
  while (true) {
    Track* first = nullptr;
    for (Track& track : tracks) {
      if (track.at < track.rows && (first == nullptr || track.start[track.at] < first->start[first->at]))
        first = &track;
    }
    if (first == nullptr) return;
    const std::size_t row = first->at++;
    use(DeviceWorkItem{first->start[row], first->end[row], first->device.present() ? first->device[row] : kNone,
                       first->call.present() ? first->call[row] : kNone, first->kernels});
  }
}

}  // namespace assay
