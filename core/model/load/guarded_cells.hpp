// Column memory with an inaccessible page behind it, so that a format that writes beyond its cells crashes at once
// instead of damaging other memory. For processes that only try a format.
#pragma once

#include <cstddef>
#include <cstring>
#include <functional>
#include <map>
#include <memory>

#include "load/owned_column.hpp"

namespace assay::load {

class GuardedCells {
 public:
  /// Memory for `rows` cells in place of that of `column`, with its earlier content; null if there is none.
  template <class T>
  T* resize(OwnedColumn<T>& column, std::size_t rows) {
    Region& region = regions_[&column];
    if (!region.resize(rows * sizeof(T))) return nullptr;
    region.store = [&column, &region] {
      column.make_present(region.bytes / sizeof(T));
      const T* const first = reinterpret_cast<const T*>(region.data);
      column.values().assign(first, first + region.bytes / sizeof(T));
    };
    return reinterpret_cast<T*>(region.data);
  }
  /// Copies everything back to the columns.
  void store() {
    for (auto& [column, region] : regions_) region.store();
  }

 private:
  struct Region {
    Region() = default;
    Region(const Region&) = delete;
    Region& operator=(const Region&) = delete;
    ~Region() { release(); }
    /// Resizes so that the cells end at the inaccessible page.
    bool resize(std::size_t wanted);
    void release() const;
    void* mapping = nullptr;
    std::size_t mapped = 0, bytes = 0;
    char* data = nullptr;
    std::function<void()> store;
  };
  std::map<const void*, Region> regions_;
};

}  // namespace assay::load
