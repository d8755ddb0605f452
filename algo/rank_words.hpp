// Ranks in sentences.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "assay/words.hpp"

namespace assay {

/// "rank 2", "ranks 0, 1 and 3"; of many the first and how many more.
inline std::string ranks_text(const std::vector<std::int64_t>& ranks) {
  constexpr std::size_t kMaxRanks = 6;
  std::vector<std::string> texts;
  for (std::size_t r = 0; r < std::min(ranks.size(), kMaxRanks); ++r) texts.push_back(std::to_string(ranks[r]));
  if (ranks.size() > kMaxRanks) texts.push_back(std::to_string(ranks.size() - kMaxRanks) + " more");
  return (ranks.size() == 1 ? "rank " : "ranks ") + listed(texts);
}

}  // namespace assay
