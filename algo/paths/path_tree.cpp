#include "algo/paths/path_tree.hpp"

#include <algorithm>
#include <utility>

#include "assay/algo/named_ranges.hpp"
#include "assay/algo/op_tree.hpp"

namespace assay::ranges {
namespace {

std::uint64_t key_of(std::uint32_t high, std::uint32_t low) {
  constexpr unsigned kHalf = 32;
  return std::uint64_t{high} << kHalf | low;
}

}  // namespace

PathTree::PathTree(const Report& report)
    : report_(report),
      node_of_(rows(report.ranges) + rows(report.spans), kNoNode | kLeftOut),
      plain_names_(static_cast<std::size_t>(report.strings.size), kNotAsked) {
  if (report.ranges != nullptr) add(*report.ranges, 0);
  if (report.spans != nullptr) add(*report.spans, rows(report.ranges));
  plain_names_ = {};
}

/// On equal starts the inner row comes first, so each row is placed after the rows that enclose it.
void PathTree::add(const RangeTable& table, std::size_t first) {
  std::vector<bool> placed(static_cast<std::size_t>(table.rows), false);
  std::vector<Row> waiting;
  for (std::size_t r = 0; r < table.rows; ++r) {
    for (auto at = static_cast<Row>(r); at != kNone && !placed[static_cast<std::size_t>(at)];
         at = table.parent.present() ? table.parent[at] : kNone)
      waiting.push_back(at);
    for (; !waiting.empty(); waiting.pop_back()) {
      const auto row = static_cast<std::size_t>(waiting.back());
      const Row around = table.parent.present() ? table.parent[row] : kNone;
      insert(table, row, first, around == kNone ? kNone : node_of(first + static_cast<std::size_t>(around)));
      placed[row] = true;
    }
  }
}

void PathTree::insert(const RangeTable& table, std::size_t row, std::size_t first, Row parent) {
  std::uint32_t& node = node_of_[first + row];
  if (parent != kNone) node = static_cast<std::uint32_t>(parent) | kLeftOut;
  if (!on_host_in_window(report_, table.start[row], table.end[row])) {  // ranges that enclose the window are not paths
                                                                        // in it
    node = kNoNode | kLeftOut;
    return;
  }
  const std::int32_t depth = parent == kNone ? 0 : nodes_[static_cast<std::size_t>(parent)].depth + 1;
  const std::uint32_t name = depth < kMaxDepth ? name_of(table, row) : kNoName;
  const auto [at, fresh] = children_.try_emplace(key_of(static_cast<std::uint32_t>(parent + 1), name), kNone);
  if (fresh && name != kNoName && nodes_.size() < kMaxPaths) {
    at->second = static_cast<Row>(nodes_.size());
    nodes_.push_back({parent, name, depth});
  }
  if (at->second == kNone) {
    ++too_deep_;
    return;
  }
  const bool ended = !table.open.present() || table.open[row] == 0;
  open_ += ended ? 0 : 1;
  node = static_cast<std::uint32_t>(at->second) | (ended ? 0 : kLeftOut);
}

std::uint32_t PathTree::name_of(const RangeTable& table, std::size_t row) {
  const StringId name = table.name[row];
  const StringId domain = table.domain.present() ? table.domain[row] : 0;
  std::uint32_t& known =
      domain == 0 ? plain_names_[name] : in_domain_.try_emplace(key_of(domain, name), kNotAsked).first->second;
  if (known == kNotAsked) {
    std::string text = folded_name(report_.string(name));
    if (domain != 0) text = std::string(report_.string(domain)) + ":" + text;
    known = intern(std::move(text));
  }
  return known;
}

std::uint32_t PathTree::intern(std::string text) {
  if (const auto at = by_text_.find(text); at != by_text_.end()) return at->second;
  if (names_.size() >= kMaxPaths) return kNoName;
  names_.push_back(std::move(text));
  return by_text_.emplace(names_.back(), static_cast<std::uint32_t>(names_.size() - 1)).first->second;
}

std::string PathTree::path(Row node) const {
  std::vector<std::string_view> parts;
  for (Row at = node; at != kNone; at = nodes_[static_cast<std::size_t>(at)].parent) parts.push_back(name(at));
  std::string text;
  for (std::size_t p = parts.size(); p-- > 0;) (text += parts[p]) += p > 0 ? "/" : "";
  return text;
}

}  // namespace assay::ranges
