#include "launch_diff.hpp"

#include <algorithm>
#include <unordered_map>

namespace assay::difference {
namespace {

constexpr std::size_t kMaxCells = std::size_t{1} << 22;  ///< of the table for a gap; a larger gap stays whole

struct Pair {
  std::size_t before, after;
};

/// Pairs the k-th launch of an item with the k-th on the other side, if both launch it equally often, as far as the
/// order agrees.
std::vector<Pair> anchors(std::span<const std::uint32_t> before, std::span<const std::uint32_t> after) {
  struct LaunchPositions {
    std::vector<std::size_t> before, after;
  };
  std::unordered_map<std::uint32_t, LaunchPositions> places;
  for (std::size_t i = 0; i < before.size(); ++i) places[before[i]].before.push_back(i);
  for (std::size_t i = 0; i < after.size(); ++i) places[after[i]].after.push_back(i);
  std::vector<Pair> pairs;
  for (const auto& [thing, at] : places) {
    for (std::size_t k = 0; at.before.size() == at.after.size() && k < at.before.size(); ++k)
      pairs.push_back({at.before[k], at.after[k]});
  }
  std::sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) { return a.before < b.before; });
  // Longest chain with increasing positions on both sides.
  std::vector<std::size_t> tails, previous(pairs.size());
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    const auto at = std::lower_bound(tails.begin(), tails.end(), pairs[p].after,
                                     [&](std::size_t tail, std::size_t value) { return pairs[tail].after < value; });
    previous[p] = at == tails.begin() ? pairs.size() : *std::prev(at);
    at == tails.end() ? tails.push_back(p) : static_cast<void>(*at = p);
  }
  std::vector<Pair> chain;
  for (std::size_t p = tails.empty() ? pairs.size() : tails.back(); p < pairs.size(); p = previous[p])
    chain.push_back(pairs[p]);
  std::reverse(chain.begin(), chain.end());
  return chain;
}

/// Longest common subsequence of a gap, by dynamic programming.
void add_common(std::span<const std::uint32_t> before, std::span<const std::uint32_t> after, Pair offset,
                std::vector<Pair>& out) {
  const std::size_t n = before.size(), m = after.size();
  if (n == 0 || m == 0 || n * m > kMaxCells) return;
  std::vector<std::uint32_t> length((n + 1) * (m + 1), 0);
  const auto at = [&](std::size_t i, std::size_t j) -> std::uint32_t& { return length[i * (m + 1) + j]; };
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t j = m; j-- > 0;)
      at(i, j) = before[i] == after[j] ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
  }
  for (std::size_t i = 0, j = 0; i < n && j < m;) {
    if (before[i] == after[j]) {
      out.push_back({offset.before + i++, offset.after + j++});
    } else {
      at(i + 1, j) >= at(i, j + 1) ? ++i : ++j;
    }
  }
}

}  // namespace

std::vector<LaunchGap> launch_gaps(std::span<const std::uint32_t> before, std::span<const std::uint32_t> after) {
  std::vector<Pair> common;
  Pair from{0, 0};
  std::vector<Pair> chain = anchors(before, after);
  chain.push_back({before.size(), after.size()});
  for (const Pair& anchor : chain) {
    add_common(before.subspan(from.before, anchor.before - from.before),
               after.subspan(from.after, anchor.after - from.after), from, common);
    common.push_back(anchor);
    from = {anchor.before + 1, anchor.after + 1};
  }
  std::vector<LaunchGap> gaps;
  from = {0, 0};
  for (const Pair& pair : common) {
    if (pair.before > from.before || pair.after > from.after) {
      gaps.push_back({static_cast<std::ptrdiff_t>(from.before), static_cast<std::ptrdiff_t>(pair.before),
                      static_cast<std::ptrdiff_t>(from.after), static_cast<std::ptrdiff_t>(pair.after)});
    }
    from = {pair.before + 1, pair.after + 1};
  }
  return gaps;
}

}  // namespace assay::difference
