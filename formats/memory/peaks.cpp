#include "peaks.hpp"

#include <algorithm>
#include <map>

namespace assay::memory_snapshot {

std::vector<std::size_t> rows_at_peaks(const AllocationColumns& allocations, const ChangeColumns& changes,
                                       std::size_t most) {
  struct Peak {
    std::int64_t bytes = 0, change = kNone;
    std::vector<std::size_t> rows = {};
  };
  std::map<std::int64_t, Peak> peaks;
  for (std::size_t a = 0; a < allocations.size.size(); ++a) {
    if (allocations.allocated_by[a] == kNone) peaks[allocations.device[a]].bytes += allocations.size[a];
  }
  for (std::size_t c = 0; c < changes.time.size(); ++c) {
    Peak& peak = peaks[changes.device[c]];
    if (changes.allocated[c] > peak.bytes) {
      peak.bytes = changes.allocated[c];
      peak.change = static_cast<std::int64_t>(c);
    }
  }
  for (std::size_t a = 0; a < allocations.size.size(); ++a) {
    Peak& peak = peaks[allocations.device[a]];
    const std::int64_t freed = allocations.freed_by[a];
    if (allocations.allocated_by[a] <= peak.change && (freed == kNone || freed > peak.change)) peak.rows.push_back(a);
  }
  std::vector<std::size_t> largest;
  for (auto& [device, peak] : peaks) {
    std::ranges::stable_sort(peak.rows, std::ranges::greater(), [&](std::size_t row) { return allocations.size[row]; });
    peak.rows.resize(std::min(peak.rows.size(), most));
    largest.insert(largest.end(), peak.rows.begin(), peak.rows.end());
  }
  std::ranges::sort(largest);  // rows sorted by begin
  return largest;
}

}  // namespace assay::memory_snapshot
