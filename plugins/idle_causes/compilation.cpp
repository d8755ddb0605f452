#include "compilation.hpp"

#include <algorithm>
#include <unordered_map>

#include "assay/algo/intervals.hpp"
#include "assay/detail/step_names.hpp"

namespace assay::idle {

std::int64_t compilation_time(const Report& report, const std::vector<std::string>& names) {
  std::unordered_map<StringId, bool> known;
  const auto compiles = [&](StringId id) {
    const auto [at, fresh] = known.try_emplace(id, false);
    if (fresh) {
      const auto fits = [&](const std::string& name) { return step::matches(name, report.string(id)); };
      at->second = std::ranges::any_of(names, fits);
    }
    return at->second;
  };
  const Window& window = *report.window;
  const bool named = window.named != 0;
  const std::int64_t from = named ? window.host_start : window.start, to = named ? window.host_end : window.end;
  Intervals times;
  const auto add = [&](const auto* table) {
    for (std::size_t r = 0; table != nullptr && r < table->rows; ++r) {
      const Interval time{std::max(table->start[r], from), std::min(table->end[r], to)};
      if (time.start < time.end && compiles(table->name[r])) times.push_back(time);
    }
  };
  add(report.ranges), add(report.spans), add(report.ops);
  return measure(merge(std::move(times)));
}

}  // namespace assay::idle
