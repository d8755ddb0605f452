// Columns that the loader fills and a Report points into.
#pragma once

#include <algorithm>
#include <memory>
#include <new>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "assay/report.hpp"

namespace assay::load {

/// Leaves resized elements uninitialized, so that pages are first touched by the threads that fill them.
template <class T>
struct UninitializedAllocator : std::allocator<T> {
  template <class Other>
  struct rebind {
    using other = UninitializedAllocator<Other>;
  };
  template <class... Values>
  void construct(T* at, Values&&... values) {
    if constexpr (sizeof...(Values) == 0)
      ::new (static_cast<void*>(at)) T;
    else
      std::construct_at(at, std::forward<Values>(values)...);
  }
};
template <class T>
using Cells = std::vector<T, UninitializedAllocator<T>>;

/// A column under construction. Absent until `add` or `fill` is called for it.
template <class T>
class OwnedColumn {
 public:
  using Value = T;
  void make_present(std::size_t expected_rows) {
    present_ = true;
    values_.reserve(expected_rows);
  }
  void push(T value) { values_.push_back(value); }
  void assign(std::size_t rows, T value) {
    make_present(rows);
    values_.assign(rows, value);
  }
  /// New cells are uninitialized.
  void resize(std::size_t rows) {
    make_present(rows);
    values_.resize(rows);
  }
  [[nodiscard]] std::size_t size() const { return values_.size(); }
  [[nodiscard]] bool present() const { return present_; }
  [[nodiscard]] Cells<T>& values() { return values_; }
  [[nodiscard]] const Cells<T>& values() const { return values_; }
  /// Like Column: an absent column must not be read.
  T operator[](std::size_t row) const {
    if (values_.data() == nullptr) [[unlikely]]
      detail::refuse_cell(this);
    return values_[row];
  }

  void drop() {
    present_ = false;
    Cells<T>().swap(values_);
  }

  /// Moves row order[i] to row i; drops rows that are not in `order`. No effect on a column that is present but not
  /// filled yet.
  void reorder(const std::vector<std::uint32_t>& order) {
    if (values_.empty()) return;
    Cells<T> sorted(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) sorted[i] = values_[order[i]];
    values_ = std::move(sorted);
  }

  [[nodiscard]] Column<T> view() const {
    static constexpr T kEmpty{};  // a present column is never null, even without rows
    if (!present_) return {};
    return {values_.empty() ? &kEmpty : values_.data(), values_.size()};
  }
  [[nodiscard]] std::size_t bytes() const { return values_.capacity() * sizeof(T); }

 private:
  Cells<T> values_;
  bool present_ = false;
};

/// The order that sorts rows by start, then end, then position in the file; empty if they are already sorted.
inline std::vector<std::uint32_t> sorting_order(std::span<const std::int64_t> start,
                                                std::span<const std::int64_t> end) {
  const auto before = [&](std::size_t a, std::size_t b) {
    return start[a] != start[b] ? start[a] < start[b] : end[a] < end[b];
  };
  bool sorted = true;
  for (std::size_t i = 1; i < start.size() && sorted; ++i) sorted = !before(i, i - 1);
  if (sorted) return {};
  std::vector<std::uint32_t> order(start.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), before);
  return order;
}

}  // namespace assay::load
