#include "assay/detail/nearest.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

std::vector<std::string> nearest_names(std::string_view name, const std::vector<std::string_view>& known,
                                       std::size_t most) {
  constexpr std::size_t kLongest = 200;
  std::map<std::string, std::pair<std::size_t, std::string_view>> families;  // keyed by the name with '#' for each
                                                                             // number
  for (const std::string_view candidate : known) {
    std::string family;
    for (const char c : candidate.substr(0, kLongest)) {
      const bool digit = c >= '0' && c <= '9';
      if (!digit || family.empty() || family.back() != '#') family += digit ? '#' : c;
    }
    const auto [at, fresh] = families.emplace(std::move(family), std::pair(std::size_t{0}, candidate));
    if (!fresh && candidate.size() >= at->second.second.size())
      continue;  // one name per family is enough: the
                 // shortest
    at->second = {edit_distance(name.substr(0, kLongest), candidate.substr(0, kLongest)), candidate};
  }
  std::vector<std::pair<std::size_t, std::string_view>> sorted;
  for (const auto& [family, nearest] : families) sorted.push_back(nearest);
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::string> out;
  for (std::size_t i = 0; i < std::min(most, sorted.size()); ++i) out.emplace_back(sorted[i].second);
  return out;
}

std::string nearest_text(std::string_view name, const std::vector<std::string_view>& known) {
  constexpr std::size_t kNamed = 3;
  std::vector<std::string> names = nearest_names(name, known, kNamed);
  if (names.empty()) return {};
  for (std::string& one : names) one = "'" + one + "'";
  return (names.size() == 1 ? "; the nearest is " : "; the nearest are ") + listed(names);
}

std::vector<std::string_view> range_names(const Report& report) {
  std::vector<char> seen(static_cast<std::size_t>(report.strings.size), 0);
  std::vector<std::string_view> names;
  for (const RangeTable* table : {report.ranges, report.spans}) {
    for (std::size_t r = 0; table != nullptr && r < table->rows; ++r) {
      const StringId name = table->name[r];
      if (name >= seen.size() || seen[name] != 0) continue;
      seen[name] = 1;
      names.push_back(report.string(name));
    }
  }
  return names;
}

}  // namespace assay
