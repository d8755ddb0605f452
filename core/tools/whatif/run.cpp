#include "whatif/run.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "assay/algo/summary.hpp"
#include "assay/quantity.hpp"
#include "render/format.hpp"

namespace assay::whatif {
namespace {

Drift drift_of(const std::vector<std::int64_t>& seen, const std::vector<std::int64_t>& replayed) {
  std::vector<double> off;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (seen[i] > 0) off.push_back(std::abs(static_cast<double>(replayed[i] - seen[i])) / static_cast<double>(seen[i]));
  }
  if (off.empty()) return {};
  return {median(off), *std::max_element(off.begin(), off.end())};
}

}  // namespace

Result<Run> read_run(const FoundFile& file, const std::vector<std::string>& steps, const std::set<ColumnId>& also) {
  if (!is_report(file.kind)) {
    return Error{
        file.name + ": " +
            (file.problem.empty() ? "it is not a profile; expected an export of Nsight Systems or a PyTorch trace"
                                  : file.problem),
        Exit::kFailed};
  }
  const auto columns = replay::replay_columns();
  std::set<ColumnId> wanted(columns.begin(), columns.end());
  wanted.insert(also.begin(), also.end());
  Result<Profile> profile = load_profile({file.path, file.kind}, file.name, wanted, 1);
  if (!profile) return Error{profile.error().sentence, Exit::kFailed};
  Run run;
  run.name = file.name;
  run.profile = std::make_unique<Profile>(std::move(*profile));
  IterationSpec iterations;
  iterations.nvtx = steps;
  Result<Profile::View> view = run.profile->view({}, iterations);
  if (!view) return Error{view.error().sentence, Exit::kFailed};
  run.view = std::make_unique<Profile::View>(std::move(*view));
  run.whole = run.report().iterations == nullptr || run.report().iterations->rows == 0;
  try {
    run.graph = replay::build(run.report());
    const replay::Graph typical = replay::build(run.report(), replay::LagsUsed::kTypical);
    run.base = replay::run(run.graph);
    run.seen = replay::lengths(run.graph, run.graph.seen);
    run.replayed = replay::lengths(run.graph, run.base.time);
    const Drift own = drift_of(run.seen, run.replayed);
    const Drift model = drift_of(run.seen, replay::lengths(typical, replay::run(typical).time));
    run.drift = {std::max(own.median, model.median), std::max(own.worst, model.worst)};
  } catch (const std::invalid_argument& problem) {
    return Error{file.name + ": " + problem.what(), Exit::kFailed};
  }
  if (run.seen.empty()) return Error{file.name + ": it holds no iteration that can be replayed", Exit::kFailed};
  return run;
}

std::vector<std::string> remarks(const Run& run) {
  std::vector<std::string> out;
  const replay::Graph& graph = run.graph;
  if (run.whole)
    out.push_back(
        "no ranges of iterations were found, so the whole capture counts as one; name them with --iterations");
  if (graph.loose_waits > 0)
    out.push_back(counted(graph.loose_waits, "wait") +
                  " of streams for events do not say for which work; the replay has them only where timing shows it");
  if (graph.unexplained_count > 0)
    out.push_back(quantity(static_cast<double>(graph.unexplained), "ns") + " of waiting before " +
                  counted(graph.unexplained_count, "piece") +
                  " of device work have no cause in the profile; the replay leaves them out");
  if (graph.unlinked > 0)
    out.push_back(counted(graph.unlinked, "piece") +
                  " of device work have no launching call; in the replay they start when they did in the profile");
  const bool communicates = run.report().collectives != nullptr && run.report().collectives->rows > 0;
  if (communicates)
    out.push_back("collectives keep their measured time, which for one rank includes waiting for the others");
  return out;
}

}  // namespace assay::whatif
