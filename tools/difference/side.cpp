#include "difference/side.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "catalog/jobs.hpp"
#include "catalog/recorded_run.hpp"
#include "difference/measure.hpp"
#include "recognise/profiles.hpp"
#include "workers.hpp"

namespace assay::difference {
namespace {
namespace fs = std::filesystem;

/// The slowest rank of a job, which the others wait for.
RunMeasure of_job(std::vector<RunMeasure> ranks) {
  const auto step = [](const RunMeasure& rank) {
    return static_cast<double>(rank.time) / static_cast<double>(std::max<std::size_t>(1, rank.steps()));
  };
  RunMeasure slowest = std::move(*std::ranges::max_element(ranks, {}, step));
  if (ranks.size() > 1) slowest.name += fmt::format(" (slowest of {} ranks)", ranks.size());
  return slowest;
}

struct SideProfile {
  ProfileFiles files;
  std::string recording = {};  ///< its folder; empty: of none
  std::string block = {};      ///< "block_003" of it
  std::string cell = {};       ///< name of the run in its block
};

/// Block and cell of a report that `assay record` wrote.
void find_block(SideProfile& found) {
  const fs::path reports = recorded_reports(found.files.file.path);
  if (reports.empty()) return;
  const std::string below = found.files.file.path.lexically_relative(reports).generic_string();
  const auto run = recorded_run(below);
  if (!run) return;
  std::error_code failed;
  found.recording = fs::weakly_canonical(reports, failed).generic_string();
  found.block = run->block;
  found.cell = found.files.file.path.stem().string();
}

Result<std::vector<SideProfile>> find_reports(const SidePlaces& side) {
  const Result<Catalog> catalog = profiles_at(side.places, {}, {.option = side.name});
  if (!catalog) return catalog.error();
  std::vector<SideProfile> found;
  for (ProfileFiles& files : files_of(*catalog)) {
    if (files.file.kind.counters) continue;
    find_block(found.emplace_back(SideProfile{std::move(files)}));
  }
  return found;
}

Status check_one_cell(const SidePlaces& side, const std::vector<SideProfile>& found) {
  std::set<std::string> cells;
  for (const SideProfile& f : found) {
    if (!f.cell.empty()) cells.insert(f.cell);
  }
  if (cells.size() < 2) return ok();
  return Error{side.name + ": the recording has " + std::to_string(cells.size()) + " cells ('" + *cells.begin() +
               "', '" + *std::next(cells.begin()) + "', ...)"}
      .at(*cells.begin())
      .advise("name the profiles of one, such as '" + found.front().recording + "/*/" + *cells.begin() + ".*'");
}

Result<RunMeasure> measure_file(const SideProfile& found, const MeasureOptions& options, const NameRules& classes) {
  const FoundFile& file = found.files.file;
  const Result<Profile> profile = read_profile(found.files, measured_columns(), 1, options.reader);
  if (!profile) return profile.error();
  IterationSpec steps;
  if (options.declared) steps.nvtx = options.step_names;
  const Result<Profile::View> view = profile->view({}, steps);
  if (!view) return view.error().as(Exit::kFailed);
  if (const Status there = check_iterations(view->report(), steps.nvtx); !there) return there.error();
  Result<RunMeasure> run = measure_run(view->report(), options.step_names, classes);
  if (!run) return run;
  run->recording = found.recording, run->block = found.block, run->place = file.name;
  std::error_code failed;
  run->file = fs::weakly_canonical(file.path, failed).native();
  for (const auto& [name, value] : file.environment) {
    if (name != "device" && name != kJobName && name != kCaptureName) run->setup.emplace_back(name, value);
  }
  const std::string tool(file.kind.word);
  run->setup.emplace_back("tool", tool);
  std::sort(run->setup.begin(), run->setup.end());
  return run;
}

}  // namespace

std::int64_t Side::device_time() const {
  std::int64_t sum = 0;
  for (const Item& item : items) {
    if (item.key.kind == ItemKind::kKernel || item.key.kind == ItemKind::kGraph) sum += item.sums.device;
  }
  return sum;
}

void join_items(Side& side) {
  std::map<ItemKey, std::size_t> place;
  for (const RunMeasure& run : side.runs) {
    for (const Item& item : run.items) place.emplace(item.key, 0);
  }
  std::size_t next = 0;
  for (auto& [key, at] : place) at = next++;
  side.items.assign(place.size(), {});
  side.wall.assign(place.size(), std::vector<std::int64_t>(side.runs.size(), 0));
  side.counts = side.wall;
  side.time = side.steps = 0;
  for (std::size_t r = 0; r < side.runs.size(); ++r) {
    const RunMeasure& run = side.runs[r];
    std::vector<std::uint32_t> places;
    for (const Item& item : run.items) {
      const std::size_t at = place[item.key];
      places.push_back(static_cast<std::uint32_t>(at));
      Item& joined = side.items[at];
      if (joined.sums.count == 0) joined.key = item.key, joined.traits = item.traits;
      joined.sums.add(item.sums);
      side.wall[at][r] = item.sums.wall, side.counts[at][r] = item.sums.count;
      joined.key = item.key;
      joined.traits.add_counters(item.traits);
    }
    side.time += run.time, side.steps += static_cast<std::int64_t>(run.steps());
    if (r > 0) continue;
    side.launches.clear();
    for (const std::uint32_t launch : run.launches) side.launches.push_back(places[launch]);
  }
}

LaunchCounts launches_of(const Side& side) {
  LaunchCounts sum;
  for (const RunMeasure& run : side.runs) sum.all += run.launch_calls.all, sum.graphs += run.launch_calls.graphs;
  return sum;
}

bool knows_operators(const Side& side) {
  return std::any_of(side.items.begin(), side.items.end(),
                     [](const Item& item) { return item.key.kind != ItemKind::kIdle && !item.key.op.empty(); });
}

void forget_operators(Side& side) {
  for (RunMeasure& run : side.runs) {
    std::map<ItemKey, std::vector<std::uint32_t>> by_key;
    for (std::uint32_t i = 0; i < run.items.size(); ++i) {
      ItemKey key = run.items[i].key;
      if (key.kind != ItemKind::kIdle) key.op.clear(), key.inputs.clear();
      by_key[std::move(key)].push_back(i);
    }
    std::vector<Item> joined;
    std::vector<std::uint32_t> place(run.items.size(), 0);
    for (const auto& [key, items] : by_key) {
      Item item{key, {}, run.items[items.front()].traits};
      for (const std::uint32_t i : items) {
        item.sums.add(run.items[i].sums);
        item.traits.add_counters(run.items[i].traits);
        place[i] = static_cast<std::uint32_t>(joined.size());
      }
      joined.push_back(std::move(item));
    }
    run.items = std::move(joined);
    for (std::uint32_t& launch : run.launches) launch = place[launch];
  }
  join_items(side);
}

Result<Side> measure_side(const SidePlaces& places, const MeasureOptions& options, const NameRules& classes) {
  const Result<std::vector<SideProfile>> found = find_reports(places);
  if (!found) return found.error();
  if (const Status one = check_one_cell(places, *found); !one) return one.error();
  std::vector<Result<RunMeasure>> runs(found->size(), Result<RunMeasure>(Error{"", Exit::kFailed}));
  for_each_on_workers(found->size(), options.jobs,
                      [&](std::size_t i) { runs[i] = measure_file((*found)[i], options, classes); });
  Side side;
  side.name = places.name;
  std::map<std::string, std::size_t, std::less<>> place;  // of the runs, by job
  std::vector<std::vector<RunMeasure>> jobs;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (runs[i]) {
      const FoundFile& file = (*found)[i].files.file;
      const std::string_view job = property_text(file, kJobName);
      const auto [at, fresh] = place.emplace(job.empty() ? file.name : job, jobs.size());
      if (fresh) jobs.emplace_back();
      jobs[at->second].push_back(std::move(*runs[i]));
    } else {
      side.left_out.push_back((*found)[i].files.file.name + ": " + runs[i].error().sentence);
    }
  }
  for (std::vector<RunMeasure>& ranks : jobs) side.runs.push_back(of_job(std::move(ranks)));
  if (side.runs.empty()) {
    const auto absent = std::ranges::find_if(runs, [](const auto& run) { return run.error().exit == Exit::kUsage; });
    if (absent != runs.end()) return Error{places.name + ": " + absent->error().sentence};
    return Error{places.name + ": none of its profiles could be measured" +
                     (side.left_out.empty() ? "" : "; " + side.left_out.front()),
                 Exit::kFailed};
  }
  join_items(side);
  return side;
}

}  // namespace assay::difference
