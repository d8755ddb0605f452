// What the program and its plugins allocate in megabytes lies on huge pages: else clearing and mapping the small ones
// of a large profile takes as long as reading it.
#include <malloc.h>

#include <cstdlib>
#include <limits>
#include <new>

#include "huge_pages.hpp"

// The sanitizers have allocators of their own.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define ASSAY_SANITIZED
#endif
#endif

#if !defined(ASSAY_SANITIZED) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

namespace {

/// What was given back is used again: whatever comes from the system is cleared first.
[[maybe_unused]] const bool kKeepsMemory = [] {
  constexpr int kLargest = 1 << 30;
  return mallopt(M_MMAP_THRESHOLD, kLargest) != 0 && mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max()) != 0;
}();

}  // namespace

void* operator new(std::size_t bytes) {
  while (true) {
    if (void* const got = std::malloc(bytes == 0 ? 1 : bytes); got != nullptr) {
      assay::want_huge_pages(got, bytes);
      return got;
    }
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}

void operator delete(void* at) noexcept { std::free(at); }
void operator delete(void* at, std::size_t) noexcept { std::free(at); }

#endif
