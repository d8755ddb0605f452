// Large buffers on huge pages.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>

namespace assay {

/// Asks the system to back `bytes` at `buffer`, which are not yet written, by huge pages: filling a column of a large
/// report then takes a page fault for every 2 MiB and not for every 4 KiB. A system that has none goes on as before.
inline void want_huge_pages([[maybe_unused]] void* buffer, [[maybe_unused]] std::size_t bytes) {
#ifdef MADV_HUGEPAGE
  constexpr std::uintptr_t kPage = std::uintptr_t{2} << 20, kWorthwhile = 2 * kPage;
  if (bytes < kWorthwhile) return;
  const auto begin = reinterpret_cast<std::uintptr_t>(buffer);
  const std::uintptr_t first = (begin + kPage - 1) / kPage * kPage, last = (begin + bytes) / kPage * kPage;
  if (first < last) ::madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
#endif
}

}  // namespace assay
