#include "timeline/shown_report.hpp"

#include <algorithm>
#include <optional>
#include <thread>

#include "algo/replay/path.hpp"
#include "analyze/one_report.hpp"
#include "config/config.hpp"

namespace assay {
namespace {

/// Everything that the writer shows, and that a replay needs, as far as the report has it.
std::set<ColumnId> shown_columns() {
  std::set<ColumnId> columns = {col::kernels,     col::kernel_name,    col::kernel_short_name,
                                col::kernel_grid, col::kernel_block,   col::kernel_registers,
                                col::graphs,      col::graph_id,       col::copies,
                                col::copy_bytes,  col::copy_direction, col::sets,
                                col::set_bytes,   col::calls,          col::call_name,
                                col::ranges,      col::spans,          col::ops,
                                col::steps,       col::devices,        col::declared,
                                col::allocations, col::thread_names};
  const auto of_replays = replay::replay_columns();
  columns.insert(of_replays.begin(), of_replays.end());
  return columns;
}

const OwnedTable* find(const std::vector<OwnedTable>& tables, std::string_view id) {
  const auto at = std::find_if(tables.begin(), tables.end(), [&](const OwnedTable& t) { return t.id == id; });
  return at == tables.end() ? nullptr : &*at;
}

}  // namespace

Result<std::unique_ptr<TimelineLoader>> TimelineLoader::make(const std::string& window, const IterationSpec& iterations,
                                                             const std::vector<std::filesystem::path>& plugin_paths) {
  Result<Question> question = installed_question("commands/timeline.toml");
  if (!question) return question.error();
  question->window.nvtx = window;
  question->iterations = iterations;
  auto line = Pipeline::plan({std::move(*question)}, {.plugin_paths = plugin_paths});
  if (!line) return line.error();
  for (const Skip& failure : (*line)->analyzers().front().failures()) return Error{failure.reason, Exit::kUsage};
  return std::unique_ptr<TimelineLoader>(new TimelineLoader(std::move(*line)));
}

Status TimelineLoader::show(const ProfileFiles& files, const Use& use, std::vector<std::string>& remarks) const {
  const Result<Profile> profile =
      read_profile(files, shown_columns(), std::max(1U, std::thread::hardware_concurrency()));
  if (!profile) return profile.error();
  const Question& question = line_->questions().front();
  const Result<Profile::View> view = profile->view(question.window, question.iterations);
  if (!view) return view.error().as(Exit::kFailed);
  if (const Status there = check_iterations(view->report(), question.iterations.nvtx); !there) return there.error();
  std::optional<PathTrack> path;
  if (const Result<Profile::View> in_steps = view_in_steps(*profile, question.window, question.iterations.nvtx))
    path.emplace(in_steps->report());
  ReportResult idle;
  add_output(idle, run_analyzer(line_->plan().questions.front().analyzers.front().plugin->descriptor(),
                                *line_->analyzers().front().at(0), view->report()));
  add_issues(idle, *view->report().issues);
  // Tables that idle_causes left out, other than gaps, are not needed here.
  const OwnedTable* gaps = find(idle.tables, "idle_gaps");
  for (const Skip& skip : idle.skips) {
    if (gaps == nullptr) remarks.push_back("without idle time: " + skip.reason);
  }
  for (const OwnedIssue& issue : idle.issues) remarks.push_back(issue.text);
  if (path && !path->lacking().empty()) remarks.push_back("without the critical path: " + path->lacking());
  use(view->report(), {gaps, find(idle.tables, "idle_stretches"), path ? &*path : nullptr});
  return ok();
}

}  // namespace assay
