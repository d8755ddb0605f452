#include "discover/capture_files.hpp"

#include <set>

#include "catalog/graph_captures.hpp"
#include "runs/find_runs.hpp"

namespace assay {
namespace {

bool is_trace(const FoundFile& file) { return is_report(file.kind) && file.kind.framework && !file.kind.counters; }

}  // namespace

CaptureFiles::CaptureFiles(const FileList& list, const std::function<bool(std::size_t)>& considered)
    : list_(list), claimed_(list.files.size(), 0) {
  std::set<std::string> runs;
  for (std::size_t f = 0; f < list.files.size(); ++f) {
    const std::filesystem::path path = list.absolute[f];
    if (is_trace(list.files[f]) && considered(f) && !named_like_graph_capture(path))
      runs.insert(path.parent_path().native());
  }
  for (std::size_t f = 0; f < list.files.size(); ++f) {
    const std::filesystem::path path = list.absolute[f];
    if (!is_trace(list.files[f]) || !considered(f) || !named_like_graph_capture(path)) continue;
    const std::string folder = folder_of_replays(path).native();
    if (!runs.contains(folder)) continue;
    claimed_[f] = 1;
    of_folder_[folder].push_back(f);
  }
}

void CaptureFiles::join(QuestionCatalog& catalog) const {
  for (CatalogEntry& entry : catalog.entries) {
    const FoundFile& file = list_.files[entry.file];
    if (!is_trace(file)) continue;
    const auto captures = of_folder_.find(std::filesystem::path(list_.absolute[entry.file]).parent_path().native());
    if (captures == of_folder_.end()) continue;
    const std::string_view rank = property_text(file, "rank");
    for (const std::size_t capture : captures->second) {
      const std::string_view of = property_text(list_.files[capture], "rank");
      if (rank.empty() || of.empty() || rank == of) entry.counters.push_back(capture);
    }
  }
}

}  // namespace assay
