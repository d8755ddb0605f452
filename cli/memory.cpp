// Memory of the whole program and of what it loads: large blocks come in huge pages. Filling pages of 4 KiB, one fault
// after the other, would take half the time of a question about a million kernels.
#include <cstdlib>
#include <new>

#include "huge_pages.hpp"

namespace {

/// A block that begins with a huge page, else it would have small ones at both ends.
void* large_block(std::size_t bytes) {
  void* const memory = std::aligned_alloc(assay::kHugePage, bytes);
  if (memory != nullptr) assay::want_huge_pages(memory, bytes);
  return memory;
}

}  // namespace

void* operator new(std::size_t bytes) {
  for (;;) {
    void* const memory = bytes < assay::kHugePage ? std::malloc(bytes == 0 ? 1 : bytes) : large_block(bytes);
    if (memory != nullptr) return memory;
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
