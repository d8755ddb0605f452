#include "cli/memory.hpp"

#include <malloc.h>

#include <cstdlib>
#include <limits>
#include <new>

#include "huge_pages.hpp"

namespace assay {

void keep_memory_in_huge_pages() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
  // The heap grows by as much, is advised, and keeps it. Nothing of it is touched, and where there is not so much
  // address space (ulimit -v) it grows as it is needed.
  constexpr std::size_t kHeap = std::size_t{512} << 20;
  void* const heap = std::malloc(kHeap);
  if (heap != nullptr) want_huge_pages(heap, kHeap);
  std::free(heap);
#endif
}

}  // namespace assay

/// Of the program and its analyzers: what is large is backed by huge pages, also beyond the first part of the heap and
/// on other threads, whose heaps are apart.
void* operator new(std::size_t bytes) {
  void* memory = nullptr;
  while ((memory = std::malloc(bytes != 0 ? bytes : 1)) == nullptr) {
    const std::new_handler handler = std::get_new_handler();  // an isolated analyzer's says so
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
  assay::want_huge_pages(memory, bytes);
  return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t /*bytes*/) noexcept { std::free(memory); }
