#include "sql/remarks.hpp"

#include <algorithm>
#include <iostream>

#include "query/model.hpp"
#include "render/format.hpp"
#include "render/text.hpp"

namespace assay::query {

void warn_missing_tables(const std::vector<std::string>& tables, const std::vector<const Report*>& reports) {
  if (reports.size() < 2) return;  // with a single report, the statement is refused
  constexpr std::size_t kNamed = 5;
  for (const std::string& name : tables) {
    const SqlTable& table = *find_table(name);
    std::size_t lacking = 0;
    for (const Report* report : reports) {
      if (table.in(*report) != nullptr || ++lacking > kNamed) continue;
      std::cerr << one_line(report->path.view()) << " has no " << table.words << " and gives no rows of " << name
                << "\n";
    }
    if (lacking > kNamed) std::cerr << "and " << counted(lacking - kNamed, "more profile") << " likewise\n";
  }
}

void warn_hidden_kernels(const StatementReferences& names, const std::vector<const Report*>& reports) {
  if (!names.tables.contains("kernels") || names.tables.contains("graphs")) return;
  const auto hiding = static_cast<std::size_t>(std::ranges::count_if(
      reports, [](const Report* report) { return report->graphs != nullptr && report->graphs->rows > 0; }));
  if (hiding == 0) return;
  std::cerr << counted(hiding, "profile") << " traced CUDA graphs as a whole, so 'kernels' lacks the kernels inside "
            << "them; the view 'device_work' has kernels, copies, sets and graphs\n";
}

void warn_clocks(const StatementReferences& names, std::size_t reports) {
  if (reports < 2 || !mixes_clocks(names)) return;
  std::cerr << "The statement compares times of " << reports
            << " profiles, but each counts from its own start: group or join by report, or query one profile\n";
}

}  // namespace assay::query
