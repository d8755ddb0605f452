#include "convert/convert.hpp"

#include <fmt/core.h>
#include <poll.h>

#include <algorithm>
#include <list>
#include <map>
#include <set>

#include "convert/export_check.hpp"
#include "convert/one_report.hpp"
#include "process/children.hpp"
#include "workers.hpp"

namespace assay {
namespace fs = std::filesystem;
namespace {

using convert::Export;
using convert::ExportCheck;
using convert::ExportState;
using convert::FoundTool;
using convert::ReportConversion;
using convert::Source;
using convert::Tool;

/// A report in progress; `state` is set when it is finished.
struct Conversion {
  const Source* source = nullptr;
  std::optional<ConvertState> state;
  std::string reason;
};

bool not_older(const fs::path& file, const fs::path& than) {
  std::error_code failed, also;
  const auto written = fs::last_write_time(file, failed);
  const auto reported = fs::last_write_time(than, also);
  return !failed && !also && written >= reported;
}

/// Determines what is known before any program runs.
Conversion inspect(const Source& source, bool force) {
  Conversion job{&source, std::nullopt, {}};
  if (!source.problem.empty()) return {&source, ConvertState::kFailed, source.problem};
  bool up_to_date = true;
  std::string added;
  for (const Export& made : source.exports) {
    const ExportCheck check = convert::check_export(made);
    if (check.state == ExportState::kForeign) {
      return {&source, ConvertState::kFailed,
              fmt::format("'{}' has the name of its export but {}, so it was left alone; move or rename it",
                          made.file.native(), check.why)};
    }
    if (!check.added.empty())
      added = fmt::format(
          "'{}' has the table '{}', which nsys did not write and which converting again would lose; "
          "move or rename the file",
          made.file.native(), check.added);
    up_to_date = up_to_date && check.state == ExportState::kComplete && not_older(made.file, source.report);
  }
  if (up_to_date && !force) job.state = ConvertState::kUpToDate;
  if (!job.state && !added.empty()) return {&source, ConvertState::kFailed, added};
  return job;
}

fs::path named(const ConvertOptions& options, Tool tool) { return tool == Tool::kNsys ? options.nsys : options.ncu; }

std::vector<Conversion*> pending(std::vector<Conversion>& jobs) {
  std::vector<Conversion*> left;
  for (Conversion& job : jobs) {
    if (!job.state) left.push_back(&job);
  }
  return left;
}

/// Finds the programs that are needed or named. Reports whose program is missing fail.
Result<std::map<Tool, FoundTool>> find_tools(const ConvertOptions& options, std::vector<Conversion>& jobs,
                                             const std::atomic<bool>& stop) {
  std::map<Tool, FoundTool> tools;
  const std::vector<Conversion*> left = pending(jobs);
  for (const Tool tool : {Tool::kNsys, Tool::kNcu}) {
    const bool needed =
        std::any_of(left.begin(), left.end(), [&](const Conversion* job) { return job->source->tool == tool; });
    if (!needed && named(options, tool).empty()) continue;
    const Result<FoundTool> found = convert::find_tool(tool, named(options, tool), stop, options.time_limit);
    if (!found) return found.error();
    if (!found->program.empty()) {
      tools.emplace(tool, *found);
      continue;
    }
    for (Conversion* job : left) {
      if (job->source->tool != tool) continue;
      job->state = ConvertState::kFailed;
      job->reason = convert::not_found(tool);
    }
  }
  return tools;
}

struct Running {
  Conversion* job;
  ReportConversion conversion;
};

void wait_for_news(const std::list<Running>& running) {
  constexpr int kTick = 50;  // milliseconds
  std::vector<pollfd> news;
  for (const Running& one : running) news.push_back({one.conversion.poll_fd(), POLLIN, 0});
  poll(news.data(), news.size(), kTick);
}

/// Supervises all programs on one thread. Returns true if `stop` was set first: the programs are ended and their output
/// removed.
bool convert_all(const std::vector<Conversion*>& jobs, const std::map<Tool, FoundTool>& tools,
                 const ConvertOptions& options, const std::function<void(std::size_t, std::size_t)>& progress,
                 const std::atomic<bool>& stop) {
  const std::size_t most = workers_of(options.jobs);
  std::list<Running> running;
  std::size_t next = 0, done = 0;
  while (done < jobs.size()) {
    if (stop) return true;
    for (; running.size() < most && next < jobs.size(); ++next) {
      const Source& source = *jobs[next]->source;
      running.push_back({jobs[next], ReportConversion(source, tools.at(source.tool), options.time_limit)});
    }
    const std::size_t before = done;
    for (auto one = running.begin(); one != running.end();) {
      const std::optional<convert::Failure> failure = one->conversion.advance();
      if (!failure) {
        ++one;
        continue;
      }
      one->job->state = failure->empty() ? ConvertState::kConverted : ConvertState::kFailed;
      one->job->reason = *failure;
      one = running.erase(one);
      progress(++done, jobs.size());
    }
    if (done == before) wait_for_news(running);
  }
  return false;
}

void clean_up(const std::vector<Conversion*>& jobs) {
  std::set<fs::path> folders;
  for (const Conversion* job : jobs) folders.insert(fs::absolute(job->source->report).parent_path());
  for (const fs::path& folder : folders) files::remove_leftovers(folder);
}

}  // namespace

std::size_t ConvertResult::count(ConvertState state) const {
  return static_cast<std::size_t>(std::count_if(reports.begin(), reports.end(),
                                                [&](const ConvertedReport& report) { return report.state == state; }));
}

Result<ConvertResult> convert_reports(const ConvertOptions& options,
                                      const std::function<void(std::size_t done, std::size_t all)>& progress,
                                      const std::atomic<bool>& stop) {
  Result<convert::Sources> sources = convert::find_sources(options.places);
  if (!sources) return sources.error();
  std::vector<Conversion> jobs;
  for (const Source& source : sources->list) jobs.push_back(inspect(source, options.force));
  const std::vector<Conversion*> to_convert = pending(jobs);
  process::adopt_orphans();
  const Result<std::map<Tool, FoundTool>> tools = find_tools(options, jobs, stop);
  if (!tools) return tools.error();

  ConvertResult result;
  result.notes = std::move(sources->notes);
  const std::vector<Conversion*> left = pending(jobs);
  if (left.empty() && !to_convert.empty()) result.no_program = to_convert.front()->reason;
  clean_up(left);
  result.interrupted = convert_all(left, *tools, options, progress, stop);
  if (const std::size_t orphans = process::end_orphans(); orphans > 0) {
    result.notes.push_back(fmt::format("{} that the converting programs left running {} ended",
                                       orphans == 1 ? "a process" : fmt::format("{} processes", orphans),
                                       orphans == 1 ? "was" : "were"));
  }
  for (const Conversion& job : jobs) {
    if (job.state) result.reports.push_back({job.source->report, *job.state, job.reason});
  }
  return result;
}

}  // namespace assay
