#include "load/guarded_cells.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

namespace assay::load {

void GuardedCells::Region::release() const {
  if (mapping != nullptr) ::munmap(mapping, mapped);
}

bool GuardedCells::Region::resize(std::size_t wanted) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t usable = (std::max<std::size_t>(wanted, 1) + page - 1) / page * page;
  void* const fresh = ::mmap(nullptr, usable + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (fresh == MAP_FAILED) return false;
  char* const end = static_cast<char*>(fresh) + usable;
  if (::mprotect(end, page, PROT_NONE) != 0) {
    ::munmap(fresh, usable + page);
    return false;
  }
  if (data != nullptr) std::memcpy(end - wanted, data, std::min(wanted, bytes));
  release();
  mapping = fresh;
  mapped = usable + page;
  bytes = wanted;
  data = end - wanted;
  return true;
}

}  // namespace assay::load
