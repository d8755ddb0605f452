// Memory of the whole program and of what it loads: large blocks come in huge pages. Filling pages of 4 KiB, one fault
// after the other, would take half the time of a question about a million kernels.
#include <cstdlib>
#include <new>

#include "huge_pages.hpp"

void* operator new(std::size_t bytes) {
  for (;;) {
    if (void* const memory = std::malloc(bytes == 0 ? 1 : bytes)) {
      assay::want_huge_pages(memory, bytes);
      return memory;
    }
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
