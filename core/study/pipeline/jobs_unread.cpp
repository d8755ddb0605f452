#include "pipeline/jobs_unread.hpp"

#include <algorithm>

#include "assay/algo/participation.hpp"
#include "assay/words.hpp"

namespace assay {
namespace {

/// "a (2 ranks), b (4 ranks) and others".
std::string names_of(const StudyView& view, const std::vector<RunReports>& runs) {
  constexpr std::size_t kMax = 8;
  std::vector<std::string> names;
  for (const RunReports& run : runs) {
    if (names.size() < kMax)
      names.push_back(std::string(view.path(run.front())) +
                      (run.size() > 1 ? " (" + counted(run.size(), "rank") + ")" : std::string()));
  }
  if (runs.size() > kMax) names.emplace_back("others");
  return listed(names);
}

}  // namespace

UnreadStudy::UnreadStudy(const Question& question, const Catalog& catalog)
    : planned_{&question, {}, {}},
      reports_(provisional_results(catalog, catalog.questions.front())),
      tables_({planned_, catalog, catalog.questions.front(), reports_}, {}, {}),
      view_(tables_.study()) {}

JobsFound UnreadStudy::jobs() const {
  std::vector<std::size_t> all(reports_.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  const std::vector<RunReports> runs = as_runs(view_, all);
  const bool ranks = std::any_of(runs.begin(), runs.end(), [](const RunReports& run) { return run.size() > 1; });
  return {runs.size(), ranks, names_of(view_, runs)};
}

}  // namespace assay
