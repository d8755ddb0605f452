#include "whatif/run.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

#include "assay/algo/summary.hpp"
#include "assay/detail/nearest.hpp"
#include "assay/quantity.hpp"
#include "render/format.hpp"

namespace assay::whatif {
namespace {

constexpr double kAhead = 1.01;

/// What of the profile the replay cannot know.
std::vector<std::string> remarks(const Run& run) {
  std::vector<std::string> out;
  const replay::Graph& graph = run.graph;
  if (run.whole)
    out.push_back(
        "no ranges of iterations were found, so the whole capture counts as one; name them with --iterations");
  const auto typical = [](const std::vector<std::int64_t>& lengths) {
    return median(std::vector<double>(lengths.begin(), lengths.end()));
  };
  if (const double steady = typical(run.steady); steady > kAhead * typical(run.replayed))
    out.push_back(
        fmt::format("the host runs ahead of the device in this capture; going on like this, a step takes {}, as its "
                    "device work does",
                    quantity(steady, "ns")));
  if (graph.loose_waits > 0)
    out.push_back(counted(graph.loose_waits, "wait") +
                  " of streams for events do not say for which work; the replay has them only where timing shows it");
  if (graph.unexplained_count > 0)
    out.push_back(quantity(static_cast<double>(graph.unexplained), "ns") + " of waiting before " +
                  counted(graph.unexplained_count, "piece") +
                  " of device work have no cause in the profile; the replay leaves them out");
  if (graph.broken > 0)
    out.push_back(counted(graph.broken, "piece") +
                  " of device work begin before their launching call or before earlier work of their stream (broken "
                  "time stamps); in the replay they start right after it");
  if (graph.unlinked > 0)
    out.push_back(counted(graph.unlinked, "piece") +
                  " of device work have no launching call; in the replay they start when they did in the profile");
  const bool communicates = run.report().collectives != nullptr && run.report().collectives->rows > 0;
  if (communicates)
    out.push_back("collectives keep their measured time, which for one rank includes waiting for the others");
  return out;
}

}  // namespace

Result<Run> read_run(const FoundFile& file, const std::vector<std::string>& steps, const std::set<ColumnId>& also) {
  if (!is_report(file.kind)) return refusal_of(file).in(file.name + ": ").as(Exit::kFailed);
  const auto columns = replay::replay_columns();
  std::set<ColumnId> wanted(columns.begin(), columns.end());
  wanted.insert(also.begin(), also.end());
  Result<Profile> profile = load_profile({file.path, file.kind}, file.name, wanted, 1);
  if (!profile) return profile.error().as(Exit::kFailed);
  Run run;
  run.name = file.name;
  run.profile = std::make_unique<Profile>(std::move(*profile));
  IterationSpec iterations;
  iterations.nvtx = steps;
  Result<Profile::View> view = run.profile->view({}, iterations);
  if (!view) return view.error().as(Exit::kFailed);
  run.view = std::make_unique<Profile::View>(std::move(*view));
  run.whole = run.report().iterations == nullptr || run.report().iterations->rows == 0;
  try {
    replay::BothGraphs graphs = replay::build_both(run.report());
    run.base = replay::run(graphs.seen);
    run.seen = replay::lengths(graphs.seen, graphs.seen.seen);
    run.replayed = replay::lengths(graphs.seen, run.base.time);
    run.drift = replay::drift_of(graphs, run.replayed);
    run.graph = std::move(graphs.seen);
    replay::SteadyIterations steady = replay::steady_iterations(run.graph, run.base);
    run.steady = std::move(steady.lengths), run.path = steady.on_path;
  } catch (const std::invalid_argument& problem) {
    return Error{file.name + ": " + problem.what(), Exit::kFailed}.at(file.name);
  }
  if (run.seen.empty())
    return Error{file.name + ": it holds no iteration that can be replayed", Exit::kFailed}.at(file.name);
  run.remarks = remarks(run);
  return run;
}

Error no_iterations(const Run& run, const std::vector<std::string>& names) {
  return Error{fmt::format("--iterations: no range of '{}' is called '{}'{}", run.name, fmt::join(names, "' or '"),
                           nearest_text(names.front(), range_names(run.report()))),
               Exit::kUsage};
}

bool ranks_of_one_job(std::span<const FoundFile> files) {
  std::set<std::string> ranks, worlds;
  for (const FoundFile& file : files) {
    if (!is_report(file.kind)) continue;  // it is left out, and said so
    std::string rank, world;
    for (const auto& [name, value] : file.environment) {
      if (name == "rank") rank = value;
      if (name == "world_size") world = value;
    }
    worlds.insert(world);
    if (rank.empty() || !ranks.insert(rank).second) return false;
  }
  return ranks.size() > 1 && worlds.size() == 1;
}

}  // namespace assay::whatif
