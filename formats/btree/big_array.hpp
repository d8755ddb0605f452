// Memory for a column that will be written once, from start to end.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <type_traits>

namespace assay::load::btree {

/// `size` uninitialised elements. Large arrays ask for huge pages: the first touch of ordinary pages takes longer than
/// decoding into them. Throws std::bad_alloc.
template <class T>
  requires std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>
class BigArray {
 public:
  BigArray() = default;
  explicit BigArray(std::size_t size) : size_(size) {
    constexpr std::size_t kHugePage = std::size_t{1} << 21;
    if (size > (~std::size_t{0} - kHugePage) / sizeof(T)) throw std::bad_alloc();
    const std::size_t bytes = size * sizeof(T);
    const std::size_t alignment = bytes < kHugePage ? 64 : kHugePage;
    data_.reset(static_cast<T*>(std::aligned_alloc(alignment, (bytes / alignment + 1) * alignment)));
    if (data_ == nullptr) throw std::bad_alloc();
    // Whole huge pages only: the unused rest of the last one would count as used memory. A failing madvise costs only
    // time.
    if (bytes >= kHugePage) madvise(data_.get(), bytes / kHugePage * kHugePage, MADV_HUGEPAGE);
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] T* data() { return data_.get(); }
  [[nodiscard]] const T* data() const { return data_.get(); }
  [[nodiscard]] std::span<T> span() { return {data_.get(), size_}; }
  [[nodiscard]] std::span<const T> span() const { return {data_.get(), size_}; }

 private:
  struct Free {
    void operator()(T* memory) const { std::free(memory); }
  };
  std::unique_ptr<T, Free> data_;
  std::size_t size_ = 0;
};

}  // namespace assay::load::btree
