#include "copies.hpp"

namespace assay::summary {

std::array<CopySummary, kDirections> copies_by_direction(const CopyTable& copies, Interval window) {
  std::array<CopySummary, kDirections> out;
  for (std::size_t row = 0; row < copies.rows; ++row) {
    if (copies.membership[row] != Membership::kInside) continue;
    const auto direction = copies.direction.present() ? static_cast<std::size_t>(copies.direction[row]) : 0;
    CopySummary& c = out[direction < kDirections ? direction : 0];
    ++c.count;
    c.time += length(clipped(copies.start[row], copies.end[row], window));
    c.whole_time += copies.end[row] - copies.start[row];
    if (!copies.bytes.present() || copies.bytes[row] < 0) continue;
    c.bytes += copies.bytes[row];
    c.sizes.push_back(static_cast<double>(copies.bytes[row]));
  }
  return out;
}

}  // namespace assay::summary
