#include "whatif/run.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

#include "algo/replay/path.hpp"
#include "assay/algo/summary.hpp"
#include "assay/quantity.hpp"
#include "recognise/step_name.hpp"
#include "render/format.hpp"
#include "runs/find_runs.hpp"

namespace assay::whatif {
namespace {

constexpr double kAhead = 1.01;

std::size_t processes_of_iterations(const Report& report) {
  std::set<std::uint32_t> processes;
  for (std::size_t i = 0; report.iterations != nullptr && i < report.iterations->rows; ++i)
    processes.insert(report.threads->process[report.iterations->thread[i]]);
  return processes.size();
}

/// What the replay cannot know from the profile.
std::vector<std::string> remarks(const Run& run) {
  std::vector<std::string> out;
  const replay::Graph& graph = run.graph;
  if (run.whole)
    out.emplace_back(
        "no ranges of iterations were found, so the whole capture counts as one; name them with --iterations");
  if (const std::size_t processes = processes_of_iterations(run.report()); processes > 1)
    out.push_back(counted(processes, "process") +
                  " of this profile have iterations beside each other; those of the first are replayed, with all "
                  "devices");
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
    out.push_back(
        fmt::format("{} of waiting before {} of device work have no cause in the profile; the replay leaves them out",
                    quantity(static_cast<double>(graph.unexplained), "ns"), counted(graph.unexplained_count, "piece")));
  if (graph.broken > 0)
    out.push_back(counted(graph.broken, "piece") +
                  " of device work begin before their launching call or before earlier work of their stream (broken "
                  "time stamps); in the replay they start right after it");
  if (graph.unlinked > 0)
    out.push_back(counted(graph.unlinked, "piece") +
                  " of device work have no launching call; in the replay they start when they did in the profile");
  const bool communicates = run.report().collectives != nullptr && run.report().collectives->rows > 0;
  if (communicates)
    out.emplace_back("collectives keep their measured time, which for one rank includes waiting for the others");
  return out;
}

/// Median time between an iteration and the next of its thread; 0: there are not two.
double time_between(const Report& report) {
  const IterationTable* iterations = report.iterations;
  std::vector<double> times;
  for (std::size_t i = 1; iterations != nullptr && i < iterations->rows; ++i) {
    if (iterations->thread[i] == iterations->thread[i - 1])
      times.push_back(static_cast<double>(iterations->start[i] - iterations->end[i - 1]));
  }
  return times.empty() ? 0 : std::max(0.0, median(times));
}

}  // namespace

Result<Run> read_run(const ProfileFiles& files, const std::vector<std::string>& declared,
                     const std::set<ColumnId>& also) {
  const auto columns = replay::replay_columns();
  std::set<ColumnId> wanted(columns.begin(), columns.end());
  wanted.insert(also.begin(), also.end());
  const FoundFile& file = files.file;
  Result<Profile> profile = read_profile(files, wanted);
  if (!profile) return profile.error().in(file.name + ": ");
  Run run;
  run.name = file.name;
  run.profile = std::make_unique<Profile>(std::move(*profile));
  Result<Profile::View> view = view_in_steps(*run.profile, {}, declared);
  if (!view) return view.error().as(Exit::kFailed);
  if (const Status there = check_iterations(view->report(), declared); !there) return there.error();
  run.view = std::make_unique<Profile::View>(std::move(*view));
  run.between = time_between(run.report());
  run.whole = run.report().iterations == nullptr || run.report().iterations->rows == 0;
  try {
    const replay::StepIterations steps(run.report());
    replay::GraphWithTypical graphs = replay::build_with_typical(steps.in(run.report()));
    run.base = replay::run(graphs.seen);
    run.seen = replay::lengths(graphs.seen, graphs.seen.seen);
    run.replayed = replay::lengths(graphs.seen, run.base.time);
    run.drift = replay::drift_of(graphs, run.replayed);
    run.graph = std::move(graphs.seen);
    replay::SteadyIterations steady = replay::steady_iterations(run.graph, run.base);
    run.steady = std::move(steady.lengths);
    run.path = steady.on_path;
  } catch (const std::invalid_argument& problem) {
    return Error{file.name + ": " + problem.what(), Exit::kFailed}.at(file.name);
  }
  if (run.seen.empty())
    return Error{file.name + ": it holds no iteration that can be replayed", Exit::kFailed}.at(file.name);
  run.step = step_name(run.report());
  run.remarks = remarks(run);
  return run;
}

bool ranks_of_one_job(std::span<const ProfileFiles> all) {
  std::set<std::string_view> jobs;
  std::size_t ranks = 0;
  for (const ProfileFiles& files : all) {
    if (!is_report(files.file.kind)) continue;  // left out, and reported
    jobs.insert(property_text(files.file, kJobName));
    ++ranks;
  }
  return ranks > 1 && jobs.size() == 1 && !jobs.begin()->empty();
}

}  // namespace assay::whatif
