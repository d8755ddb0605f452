// Which values of a sequence are in order, and which stand where they cannot.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace assay {

/// The places of the longest subsequence that does not fall.
inline std::vector<std::size_t> longest_ascending(std::span<const std::int64_t> values) {
  std::vector<std::size_t> tails, before(values.size()), out;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto at = std::ranges::upper_bound(tails, values[i], {}, [&](std::size_t t) { return values[t]; });
    before[i] = at == tails.begin() ? i : *std::prev(at);
    if (at == tails.end())
      tails.push_back(i);
    else
      *at = i;
  }
  if (tails.empty()) return out;
  for (std::size_t i = tails.back();; i = before[i]) {
    out.push_back(i);
    if (before[i] == i) break;
  }
  std::ranges::reverse(out);
  return out;
}

}  // namespace assay
