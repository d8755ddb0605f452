#include "assay/detail/lengths.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "assay/words.hpp"

namespace assay {

bool is_extensive(const StudyView& view, std::string_view metric) {
  const auto row = view.metric(metric);
  return row && metric != kIterationCount && view.study().metrics->extensive[*row] != 0;
}

Lengths lengths_of(const StudyView& view, const Runs& base, const Runs& treated, std::string_view metric,
                   std::string_view dims) {
  if (!is_extensive(view, metric)) return {};
  std::vector<double> counts;
  std::size_t runs = 0;
  for (const Runs* side : {&base, &treated}) {
    for (const std::size_t r : *side) {
      if (!view.fact(static_cast<Row>(r), metric, dims)) continue;
      ++runs;
      const auto count = view.value(static_cast<Row>(r), kIterationCount);
      if (count && *count > 0) counts.push_back(*count);
    }
  }
  if (counts.empty()) return {};
  if (counts.size() < runs) {
    return {false, filled("it grows with the length of a run, and of {} of {} runs the number of iterations is unknown",
                          {std::to_string(runs - counts.size()), std::to_string(runs)})};
  }
  return {std::adjacent_find(counts.begin(), counts.end(), std::not_equal_to<>()) != counts.end(), {}};
}

std::optional<double> value_for(const StudyView& view, std::size_t report, std::string_view metric,
                                std::string_view dims, const Lengths& lengths) {
  const auto value = view.value(static_cast<Row>(report), metric, dims);
  if (!value || !lengths.per_iteration) return value;
  const auto count = view.value(static_cast<Row>(report), kIterationCount);
  return count && *count > 0 ? std::optional<double>(*value / *count) : std::nullopt;
}

}  // namespace assay
