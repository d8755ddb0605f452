#include "recognise/step_name.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "assay/algo/named_ranges.hpp"
#include "recognise/profiles.hpp"
#include "workers.hpp"

namespace assay {

const std::set<ColumnId>& step_columns() {
  static const std::set<ColumnId> columns = {col::steps};
  return columns;
}

std::string step_name(const Report& report) {
  if (report.steps == nullptr || report.steps->rows == 0) return {};
  return folded_name(report.string(report.steps->name[0]));
}

ProfileReading reading_of(const Report& report) {
  constexpr std::string_view kCensus[] = {
      "launches_without_kernels", "impossible_times", "bad_end", "no_start", "recorded_time", "passed_over"};
  ProfileReading reading{step_name(report), {}};
  for (std::size_t i = 0; i < report.issues->rows; ++i) {
    std::string name(report.issues->name[i].view());
    if (report.issues->count[i] <= 0 || std::ranges::find(kCensus, name) == std::end(kCensus)) continue;
    std::ranges::replace(name, '_', ' ');
    reading.left_out += fmt::format("{}{} {}", reading.left_out.empty() ? "" : ", ", report.issues->count[i], name);
  }
  return reading;
}

std::vector<ProfileReading> read_each(const Catalog& catalog) {
  std::vector<ProfileReading> all(catalog.files.size());
  for_each_on_workers(all.size(), 0, [&](std::size_t f) {
    const FoundFile& file = catalog.files[f];
    if (!is_report(file.kind) || file.kind.counters) return;
    try {
      const Result<Profile> profile = read_profile({file}, step_columns());
      if (!profile) return;
      if (const Result<Profile::View> view = profile->view({}, {})) all[f] = reading_of(view->report());
    } catch (const std::exception&) {  // 'assay look' shows why a profile cannot be read
    }
  });
  return all;
}

}  // namespace assay
