#include "memory.hpp"

#include <algorithm>
#include <map>

#include "occupancy.hpp"

namespace assay::step {

std::vector<MemoryPeak> memory_peaks(const Report& report) {
  const AllocationTable& t = *report.allocations;
  std::map<std::int32_t, MemoryPeak> devices;
  for (std::size_t a = 0; a < t.rows; ++a) {
    const bool in_window =
        report.window->named == 0 || (t.time[a] >= report.window->start && t.time[a] <= report.window->end);
    if (t.device[a] == kNone || !in_window) continue;
    MemoryPeak& peak = devices[t.device[a]];
    peak.allocated = std::max(peak.allocated, t.allocated[a]);
    peak.reserved = std::max(peak.reserved, t.reserved[a]);
  }
  std::vector<MemoryPeak> out;
  for (auto& [id, peak] : devices) {
    peak.device = id;
    // One device may have one number among devices and another among those that can compute (ROCm).
    const bool only = devices.size() == 1 && report.devices->rows == 1;
    const auto row = only ? std::optional<std::size_t>(0) : device_row(*report.devices, id);
    if (row && report.devices->total_memory.present()) peak.total = report.devices->total_memory[*row];
    if (peak.held() >= 0) out.push_back(peak);
  }
  return out;
}

}  // namespace assay::step
