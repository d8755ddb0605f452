#include "cli/understanding.hpp"

#include "catalog/jobs.hpp"
#include "render/text.hpp"
#include "render/text_table.hpp"

namespace assay {

std::string role_of(const FoundFile& file) {
  if (!is_report(file.kind)) return file.problem.empty() ? "" : "left out";
  if (!said(file, kCompanionName).empty()) return "companion";
  if (!said(file, kJobName).empty()) return "rank";
  if (file.kind.counters) return "counters";
  return said(file, kCaptureName).empty() ? "profile" : "capture";
}

void print_understanding(const Catalog& catalog, std::ostream& to) {
  TextTable table({{"file"}, {"role"}, {"job"}, {"rank", true}, {"of", true}, {"capture", true}, {"left out"}});
  std::size_t rows = 0;
  for (const FoundFile& file : catalog.files) {
    const std::string role = role_of(file);
    if (role.empty() || role == "profile") continue;
    const std::string_view job = said(file, kJobName), beside = said(file, kCompanionName);
    table.row({file.name, role, std::string(job.empty() ? beside : job), std::string(said(file, "rank")),
               std::string(said(file, "world_size")), std::string(said(file, kCaptureName)), one_line(file.problem)});
    ++rows;
  }
  if (rows == 0) return;
  to << "\nUnderstood as\n";
  table.print(to, 2);
}

}  // namespace assay
