// Groups rows: dense numbers for keys, and the values of each group stored contiguously.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "summary.hpp"

namespace assay::nsys {

inline constexpr std::uint32_t kNoGroup = std::numeric_limits<std::uint32_t>::max();

/// Distinct tuples of numbers, numbered in order of appearance.
template <std::size_t N>
class TupleIds {
 public:
  using Key = std::array<std::uint32_t, N>;

  std::uint32_t id_of(const Key& key) {
    if (!keys_.empty() && key == keys_[last_]) return last_;  // neighbours often agree
    if (keys_.size() * 2 >= slots_.size()) grow();
    std::uint32_t& slot = slots_[slot_of(key)];
    if (slot == 0) {
      keys_.push_back(key);
      slot = static_cast<std::uint32_t>(keys_.size());
    }
    return last_ = slot - 1;
  }
  [[nodiscard]] const std::vector<Key>& keys() const { return keys_; }
  [[nodiscard]] std::size_t size() const { return keys_.size(); }

 private:
  [[nodiscard]] std::size_t slot_of(const Key& key) const {
    std::uint64_t hash = seed_;
    for (const std::uint32_t part : key) {
      hash = (hash ^ part) * 0x9E3779B97F4A7C15ULL;
      hash ^= hash >> 29;
    }
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = hash & mask;
    while (slots_[slot] != 0 && keys_[slots_[slot] - 1] != key) slot = (slot + 1) & mask;
    return slot;
  }
  void grow() {
    slots_.assign(slots_.empty() ? 64 : slots_.size() * 2, 0);
    for (std::uint32_t id = 0; id < keys_.size(); ++id) slots_[slot_of(keys_[id])] = id + 1;
  }

  std::vector<Key> keys_;
  std::vector<std::uint32_t> slots_;             // open addressing; 0: free, else number + 1
  std::uint64_t seed_ = std::random_device{}();  // so that a file cannot make its keys collide
  std::uint32_t last_ = 0;
};

/// Dense numbers for ids below a known bound.
class DenseIds {
 public:
  explicit DenseIds(std::size_t bound) : number_(bound, kNoGroup) {}
  std::uint32_t id_of(std::uint32_t id) {
    std::uint32_t& number = number_[id];
    if (number == kNoGroup) {
      number = static_cast<std::uint32_t>(ids_.size());
      ids_.push_back(id);
    }
    return number;
  }
  /// For an id that has one.
  [[nodiscard]] std::uint32_t number(std::uint32_t id) const { return number_[id]; }
  [[nodiscard]] const std::vector<std::uint32_t>& ids() const { return ids_; }

 private:
  std::vector<std::uint32_t> number_, ids_;
};

/// One summary per group; `group_of[row]` is the group of a row, kNoGroup for excluded rows. Empty if a value does not
/// fit T.
template <class T, class Groups, class ValueOf>
std::optional<std::vector<Summary>> summaries_in(const Groups& group_of, std::size_t groups, ValueOf value_of,
                                                 bool keeps) {
  std::vector<std::size_t> first(groups + 1, 0);
  for (std::size_t row = 0; row < group_of.size(); ++row) {
    if (group_of[row] != kNoGroup) ++first[group_of[row] + 1];
  }
  for (std::size_t g = 0; g < groups; ++g) first[g + 1] += first[g];
  const auto values = std::make_unique_for_overwrite<T[]>(first[groups]);
  std::vector<std::size_t> next(first.begin(), first.end() - 1);
  for (std::size_t row = 0; row < group_of.size(); ++row) {
    const std::uint32_t group = group_of[row];
    if (group == kNoGroup) continue;
    const std::int64_t value = value_of(row);
    if (!std::in_range<T>(value)) return std::nullopt;
    values[next[group]++] = static_cast<T>(value);
  }
  std::vector<Summary> summaries(groups);
  for (std::size_t g = 0; g < groups; ++g) {
    const std::span<T> slice(values.get() + first[g], first[g + 1] - first[g]);
    if (!slice.empty()) summaries[g] = summarize(slice);
    if (keeps) summaries[g].values.assign(slice.begin(), slice.end());
  }
  return summaries;
}

/// The same for any values; `keeps`: including them. Uses half the memory if all are below 2^32, as durations mostly
/// are.
template <class Groups, class ValueOf>
std::vector<Summary> summarize_groups(const Groups& group_of, std::size_t groups, ValueOf value_of,
                                      bool keeps = false) {
  auto made = summaries_in<std::uint32_t>(group_of, groups, value_of, keeps);
  return made ? std::move(*made) : *summaries_in<std::int64_t>(group_of, groups, value_of, keeps);
}

/// The values behind each row of a table; `sums` are in row order.
inline std::vector<std::vector<std::int64_t>> values_of(const std::vector<Summary>& sums) {
  std::vector<std::vector<std::int64_t>> values;
  values.reserve(sums.size());
  for (const Summary& sum : sums) values.push_back(sum.values);
  return values;
}

/// Group numbers 0, 1, ... sorted by `before`.
template <class Before>
std::vector<std::uint32_t> sorted_groups(std::size_t groups, Before before) {
  std::vector<std::uint32_t> order(groups);
  for (std::uint32_t g = 0; g < groups; ++g) order[g] = g;
  std::sort(order.begin(), order.end(), before);
  return order;
}

/// `values[order[0]], values[order[1]], ...`
template <class T>
std::vector<T> arranged(const std::vector<T>& values, std::span<const std::uint32_t> order) {
  std::vector<T> out;
  out.reserve(order.size());
  for (const std::uint32_t i : order) out.push_back(values[i]);
  return out;
}

}  // namespace assay::nsys
