// What a run over recordings does besides: how they were made, what is still needed, and what became of predictions.
#include <set>

#include "cli/tool.hpp"
#include "files/log_line.hpp"
#include "predictions/ledger.hpp"
#include "recordings/recorded.hpp"
#include "render/format.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

bool acts_beside(std::span<const fs::path> folders) { return !recordings_in(folders).empty(); }

void remark(std::span<const fs::path> folders, RunResult& run) { prepend_recordings(read_recordings(folders), run); }

/// Writes outcomes of predictions in claims to the ledger next to each recording.
Status register_predictions(const RunResult& result, std::span<const fs::path> folders) {
  const std::vector<predictions::JudgedPrediction> judged = predictions::judged(result);
  if (judged.empty()) return ok();
  std::set<fs::path> ledgers;
  for (const fs::path& recording : recordings_in(folders))
    ledgers.insert(record::root_of(recording) / predictions::kLedger);
  if (ledgers.empty())
    log_info("{} judged and kept in no ledger, because the runs are no recording of 'assay record'",
             counted(judged.size(), "prediction"));
  for (const fs::path& ledger : ledgers) {
    const Result<std::size_t> added = predictions::append(ledger, judged);
    if (!added) return added.error();
    if (*added > 0) log_info("{} added to {}", counted(*added, "judged prediction"), ledger.string());
  }
  return ok();
}

constexpr RunHooks kHooks{&declare_recorded, &acts_beside, &remark, &register_predictions};

}  // namespace

const Tool& recordings_tool() {
  static const Tool tool{.name = "recordings", .runs = &kHooks};
  return tool;
}

}  // namespace assay
