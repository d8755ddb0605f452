#include "recognise/step_name.hpp"

#include <exception>

#include "assay/algo/named_ranges.hpp"
#include "assay/detail/step_names.hpp"
#include "config/installed_options.hpp"
#include "recognise/profiles.hpp"
#include "workers.hpp"

namespace assay {

const std::set<ColumnId>& step_columns() {
  static const std::set<ColumnId> columns = {col::kernels, col::graphs, col::copies, col::sets,
                                             col::calls,   col::ranges, col::spans};
  return columns;
}

std::string step_name(const Report& report) {
  static const std::vector<std::string> kUsual = installed_step_names();
  std::set<StringId> names;
  for (const RangeTable* table : {report.ranges, report.spans}) {
    if (table != nullptr) names.insert(table->name.begin(), table->name.end());
  }
  for (const std::string& pattern : kUsual) {
    for (const StringId name : names) {
      if (range_name_matches(pattern, report.string(name))) return folded_name(report.string(name));
    }
  }
  return step::found_steps(report);
}

std::vector<std::string> step_names(const Catalog& catalog) {
  std::vector<std::string> names(catalog.files.size());
  for_each_on_workers(names.size(), 0, [&](std::size_t f) {
    const FoundFile& file = catalog.files[f];
    if (!is_report(file.kind) || file.kind.counters) return;
    try {
      const Result<Profile> profile = read_profile({file}, step_columns());
      if (!profile) return;
      if (const Result<Profile::View> view = profile->view({}, {})) names[f] = step_name(view->report());
    } catch (const std::exception&) {  // 'assay look' says why a profile cannot be read
    }
  });
  return names;
}

}  // namespace assay
