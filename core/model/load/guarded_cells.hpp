// Memory of columns with a page behind each that nobody may touch, so that a format that writes beyond its cells
// crashes at once and not in what lies behind. For a process that only tries a format.
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
  /// Memory for `rows` cells that stands for that of `column`, holding what was written to it before; null: there is
  /// none.
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
  /// Copies everything to the columns.
  void store() {
    for (auto& [column, region] : regions_) region.store();
  }

 private:
  struct Region {
    Region() = default;
    Region(const Region&) = delete;
    Region& operator=(const Region&) = delete;
    ~Region() { release(); }
    /// The cells end where the page begins that nobody may touch.
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
