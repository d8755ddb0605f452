// Ranges inside ranges.
#pragma once

#include <algorithm>
#include <charconv>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "ranges.hpp"

namespace assay::nsys {

/// Nesting of ranges, thread by thread: the parent is the tightest range that starts no later and ends no earlier, of
/// either kind, push/pop or start/end.
class RangeTree {
 public:
  struct Node {
    std::int32_t parent = kNone;  ///< in the list
    std::int32_t level = 0, children = 0;
    std::int64_t held = 0;  ///< ns of the direct children
  };

  /// `id_of(i)` is the id of a range in the export.
  template <class IdOf>
  RangeTree(const std::vector<Instance>& ranges, const IdOf& id_of) : nodes_(ranges.size()) {
    std::vector<std::uint32_t> order(ranges.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      const Instance &x = ranges[a], &y = ranges[b];
      if (x.thread != y.thread) return x.thread < y.thread;
      if (x.start != y.start) return x.start < y.start;
      return x.end != y.end ? x.end > y.end : id_of(a) < id_of(b);
    });
    for (auto first = order.begin(); first != order.end();) {
      const auto last =
          std::find_if(first, order.end(), [&](std::uint32_t i) { return ranges[i].thread != ranges[*first].thread; });
      add_thread(ranges, {first, last});
      first = last;
    }
  }
  [[nodiscard]] const Node& operator[](std::size_t i) const { return nodes_[i]; }
  /// Sum of the depths of all ranges.
  [[nodiscard]] std::uint64_t levels() const { return levels_; }

  /// ":1:4:5": the ids of the enclosing ranges and of the range itself.
  template <class IdOf>
  std::string stack(std::size_t i, const IdOf& id_of) const {
    path_.clear();
    for (auto at = static_cast<std::int32_t>(i); at != kNone; at = nodes_[static_cast<std::size_t>(at)].parent)
      path_.push_back(static_cast<std::size_t>(at));
    std::string text;
    char digits[24];
    for (std::size_t p = path_.size(); p-- > 0;) {
      text.push_back(':');
      const auto end = std::to_chars(digits, digits + sizeof digits, id_of(path_[p])).ptr;
      text.append(digits, end);
    }
    return text;
  }

 private:
  /// Adds the ranges of one thread, sorted by start. The tightest enclosing range is the shortest of those that began
  /// earlier and end no earlier: a prefix minimum in descending order of ends (a Fenwick tree). Of equally short ones
  /// the one that began last.
  void add_thread(const std::vector<Instance>& ranges, std::span<const std::uint32_t> order) {
    std::vector<std::int64_t> ends;
    for (const std::uint32_t i : order) ends.push_back(ranges[i].end);
    std::sort(ends.begin(), ends.end(), std::greater<>());
    std::vector<std::int32_t> shortest(ends.size() + 1, kNone);
    const auto shorter = [&](std::int32_t a, std::int32_t b) {
      if (a == kNone || b == kNone) return b == kNone ? a : b;
      const std::int64_t of_a = ranges[static_cast<std::size_t>(a)].duration();
      return of_a < ranges[static_cast<std::size_t>(b)].duration() ? a : b;
    };
    for (const std::uint32_t i : order) {
      const Instance& range = ranges[i];
      const auto after = std::upper_bound(ends.begin(), ends.end(), range.end, std::greater<>());
      const auto place = static_cast<std::size_t>(after - ends.begin());
      std::int32_t around = kNone;
      for (std::size_t at = place; at > 0; at -= at & (~at + 1)) around = shorter(around, shortest[at]);
      for (std::size_t at = place; at < shortest.size(); at += at & (~at + 1))
        shortest[at] = shorter(shortest[at], static_cast<std::int32_t>(i));
      if (around == kNone) continue;
      Node &node = nodes_[i], &parent = nodes_[static_cast<std::size_t>(around)];
      node.parent = around;
      node.level = parent.level + 1;
      ++parent.children;
      parent.held += range.duration();
      levels_ += static_cast<std::uint64_t>(node.level);
    }
  }

  std::vector<Node> nodes_;
  std::uint64_t levels_ = 0;
  mutable std::vector<std::size_t> path_;
};

}  // namespace assay::nsys
