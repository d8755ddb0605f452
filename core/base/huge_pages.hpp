// Large buffers on huge pages.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>

namespace assay {

inline constexpr std::size_t kHugePage = std::size_t{2} << 20;

/// Asks the system to back `bytes` at `buffer`, not yet written, by huge pages: filling a column of a large report then
/// takes one page fault per 2 MiB instead of one per 4 KiB. No effect on a system without them.
inline void want_huge_pages([[maybe_unused]] void* buffer, [[maybe_unused]] std::size_t bytes) {
#ifdef MADV_HUGEPAGE
  if (bytes < kHugePage) return;
  const auto begin = reinterpret_cast<std::uintptr_t>(buffer);
  const std::uintptr_t first = (begin + kHugePage - 1) / kHugePage * kHugePage,
                       last = (begin + bytes) / kHugePage * kHugePage;
  if (first < last) ::madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
#endif
}

}  // namespace assay
