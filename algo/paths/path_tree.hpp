// Ranges as a tree of folded paths: all "request_3/decode_17" are "request_{i}/decode_{i}".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "assay/algo/intervals.hpp"
#include "assay/report.hpp"

namespace assay::ranges {

/// Deeper ranges belong to their ancestor of this depth, and so do those beyond the max number of paths: nobody reads
/// them, and their rows would take more memory than the ranges.
inline constexpr std::int32_t kMaxDepth = 64;
inline constexpr std::size_t kMaxPaths = 65536;

struct PathNode {
  Row parent = kNone;      ///< in the tree
  std::uint32_t name = 0;  ///< index of the folded name
  std::int32_t depth = 0;
};

/// A recorded range.
struct Occurrence {
  std::size_t number = 0;  ///< row of `ranges`; rows of `spans` follow after all those
  Row node = kNone;
  Interval time;  ///< on the host
  std::uint32_t thread = 0;
  bool overlaps = false;  ///< may overlap others of its thread: a start/end range
};

class PathTree {
 public:
  /// Needs col::ranges and col::spans if present. Push/pop ranges are below the one around them on their thread,
  /// start/end ranges at the root. Names in a named domain are "domain:name".
  explicit PathTree(const Report& report);

  [[nodiscard]] const std::vector<PathNode>& nodes() const { return nodes_; }
  [[nodiscard]] std::string_view name(Row node) const { return names_[nodes_[static_cast<std::size_t>(node)].name]; }
  /// "request_{i}/decode_{i}".
  [[nodiscard]] std::string path(Row node) const;

  /// Upper bound of occurrence numbers.
  [[nodiscard]] std::size_t numbers() const { return node_of_.size(); }
  /// Node of the occurrence with that number, or of its ancestor if it is left out; kNone: none.
  [[nodiscard]] Row node_of(std::size_t number) const {
    const std::uint32_t node = node_of_[number] & ~kLeftOut;
    return node == kNoNode ? kNone : static_cast<Row>(node);
  }
  /// Calls `use(Occurrence)` for each complete one, by start.
  template <class Use>
  void each(Use&& use) const {
    const std::size_t ranges = rows(report_.ranges), spans = rows(report_.spans);
    for (std::size_t r = 0, s = 0; r < ranges || s < spans;) {
      const bool span = r == ranges || (s < spans && report_.spans->start[s] < report_.ranges->start[r]);
      const RangeTable& table = span ? *report_.spans : *report_.ranges;
      const std::size_t row = span ? s++ : r++, number = span ? ranges + row : row;
      if ((node_of_[number] & kLeftOut) != 0) continue;
      use(Occurrence{
          number, static_cast<Row>(node_of_[number]), {table.start[row], table.end[row]}, table.thread[row], span});
    }
  }

  [[nodiscard]] std::int64_t open() const { return open_; }  ///< never ended; not counted anywhere
  [[nodiscard]] std::int64_t too_deep() const {
    return too_deep_;
  }  ///< below kMaxDepth, or beyond the max number of
     ///< paths

 private:
  static constexpr std::uint32_t kLeftOut = 1U << 31U, kNoNode = kLeftOut - 1, kNoName = kNoNode, kNotAsked = kLeftOut;

  static std::size_t rows(const RangeTable* table) {
    return table == nullptr ? 0 : static_cast<std::size_t>(table->rows);
  }
  void add(const RangeTable& table, std::size_t first);
  void insert(const RangeTable& table, std::size_t row, std::size_t first, Row parent);
  [[nodiscard]] std::uint32_t name_of(const RangeTable& table, std::size_t row);
  [[nodiscard]] std::uint32_t intern(std::string text);

  const Report& report_;
  std::vector<PathNode> nodes_;
  std::vector<std::string> names_;
  std::vector<std::uint32_t> node_of_;                          ///< by number
  std::vector<std::uint32_t> plain_names_;                      ///< by string
  std::unordered_map<std::uint64_t, std::uint32_t> in_domain_;  ///< by (domain, string)
  std::unordered_map<std::string, std::uint32_t> by_text_;
  std::unordered_map<std::uint64_t, Row> children_;  ///< by (parent + 1, name)
  std::int64_t open_ = 0, too_deep_ = 0;
};

}  // namespace assay::ranges
