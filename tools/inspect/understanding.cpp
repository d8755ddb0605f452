#include "inspect/understanding.hpp"

#include <iterator>
#include <map>

#include "assay/words.hpp"
#include "catalog/graph_captures.hpp"
#include "render/text.hpp"
#include "render/text_table.hpp"
#include "runs/find_runs.hpp"
#include "runs/run_table.hpp"

namespace assay {

std::string role_of(const FoundFile& file) {
  if (!is_report(file.kind)) return file.problem.empty() ? "" : "left out";
  if (!property_text(file, kCompanionName).empty()) return "companion";
  const bool capture = !property_text(file, kCaptureName).empty();
  if (!property_text(file, kJobName).empty() && (!capture || !property_text(file, "rank").empty())) return "rank";
  if (file.kind.counters) return "counters";
  if (file.kind.framework && named_like_graph_capture(file.path)) return "graph capture";
  return capture ? "capture" : "profile";
}

void print_understanding(const Catalog& catalog, const std::vector<ProfileReading>& readings, const RunTable& runs,
                         std::ostream& to) {
  std::vector<std::string> run_of(catalog.files.size());
  for (const RunRow& row : runs.rows) {
    if (!property_text(catalog.files[row.file], kJobName).empty()) run_of[row.file] = std::to_string(row.run);
  }
  std::vector<std::vector<std::string>> rows;
  std::map<std::vector<std::string>, std::size_t> place;  // row index of such files
  std::vector<std::size_t> files;                         // of each row
  for (std::size_t f = 0; f < catalog.files.size(); ++f) {
    const FoundFile& file = catalog.files[f];
    const std::string role = role_of(file);
    if (role.empty()) continue;
    std::vector<std::string> cells = {role,
                                      run_of[f],
                                      std::string(property_text(file, "rank")),
                                      std::string(property_text(file, "world_size")),
                                      std::string(property_text(file, kCaptureName)),
                                      std::string(property_text(file, "device")),
                                      readings[f].step,
                                      one_line(file.problem.empty() ? readings[f].left_out : file.problem)};
    const bool of_run = role == "rank" || role == "capture" || role == "companion";  // these have a row each
    cells.push_back(of_run ? file.name : std::string());
    const auto [at, fresh] = place.emplace(std::move(cells), rows.size());
    if (fresh) {
      rows.push_back({file.name});
      rows.back().insert(rows.back().end(), at->first.begin(), std::prev(at->first.end()));
      files.push_back(0);
    }
    ++files[at->second];
  }
  if (rows.empty()) return;
  TextTable table({{"file"},
                   {"role"},
                   {"run", true},
                   {"rank", true},
                   {"of", true},
                   {"capture", true},
                   {"device"},
                   {"step"},
                   {"left out"}});
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (files[r] > 1) rows[r].front() += " and " + counted(files[r] - 1, "other");
    table.row(rows[r]);
  }
  to << "\nUnderstood as\n";
  table.print(to, 2);
  for (const std::string& sentence : runs.sentences) to << "  " << one_line(sentence) << ".\n";
}

}  // namespace assay
