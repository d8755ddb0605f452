#include "files/did_you_mean.hpp"

#include <algorithm>

#include "assay/detail/nearest.hpp"

namespace assay {

std::string did_you_mean(std::string_view word, std::span<const std::string> known) {
  constexpr std::size_t kLongestWord = 200;  // the cost of a distance is the product of the lengths
  if (word.empty() || word.size() > kLongestWord) return {};
  const std::string* nearest = nullptr;
  // Part of the word has to match: nothing is near to a single letter.
  std::size_t least = std::min(std::max<std::size_t>(1, word.size() / 3) + 1, word.size());
  for (const std::string& candidate : known) {
    if (candidate.size() > kLongestWord) continue;
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < least) {
      least = distance;
      nearest = &candidate;
    }
  }
  return nearest == nullptr ? std::string() : " Did you mean '" + *nearest + "'?";
}

}  // namespace assay
