#include "load/clean.hpp"

#include <fmt/core.h>

namespace assay::load {

void bound_bytes(OwnedColumn<std::int64_t>& bytes, const std::string& table, std::vector<Issue>& issues) {
  Cells<std::int64_t>& sizes = bytes.values();
  const std::int64_t most =
      most_a_row(sizes.size(), [&](std::size_t i) { return std::max<std::int64_t>(sizes[i], 0); });
  const bool negative = std::ranges::any_of(sizes, [](std::int64_t size) { return size < kNone; });
  if (most == kMaxInAll && !negative) return;
  std::int64_t impossible = 0;
  for (std::int64_t& size : sizes) {
    if (size <= most && size >= kNone) continue;
    size = kNone;
    ++impossible;
  }
  issues.push_back(
      {"impossible_bytes", Severity::kError, impossible,
       fmt::format("{} rows of {} have a size that no device can move; it counts as unknown, export the profile again.",
                   impossible, table)});
}

}  // namespace assay::load
