#include "timeline/timeline_command.hpp"

#include <fmt/format.h>

#include <iostream>
#include <set>

#include "assay/algo/iterations.hpp"
#include "assay/words.hpp"
#include "cli/command_line.hpp"
#include "cli/interrupt.hpp"
#include "cli/log.hpp"
#include "files/staged_file.hpp"
#include "render/format.hpp"
#include "render/text.hpp"
#include "timeline/job_timeline.hpp"
#include "timeline/shown_report.hpp"
#include "timeline/trace_events.hpp"

namespace assay {
namespace {

/// Writes a complete document to a pipe or device, which may be standard output.
Exit written(const TimelineOptions& options, const std::string& what = {}) {
  std::error_code failed;
  std::ostream& to = std::filesystem::is_regular_file(options.out, failed) ? std::cout : std::cerr;
  to << what << "Written to " << one_line(options.out.string())
     << "; open it in ui.perfetto.dev (it stays on this machine) or in chrome://tracing\n";
  return Exit::kOk;
}

Exit show_one(const TimelineOptions& options, const TimelineLoader& shown, const ProfileFiles& file) {
  Result<files::StagedFile> staged = files::StagedFile::make(options.out, kTimelineFile);
  if (!staged) return fail(staged.error());
  std::vector<std::string> remarks;
  Status ranged = ok();
  const Status read = shown.show(
      file,
      [&](const Report& report, const DerivedTracks& derived) {
        TraceRange range;
        if (options.only > 0) {
          const Result<TraceRange> one = range_of_iteration(report, options.only);
          if (!one) ranged = one.error();
          if (one) range = *one;
        }
        write_chrome_trace(report, derived, staged->stream(), range);
      },
      remarks);
  if (!read) return fail(read.error());
  if (!ranged) return fail(ranged.error());
  for (const std::string& remark : remarks) std::cerr << one_line(remark) << "\n";
  if (const Status published = staged->publish(); !published) return fail(published.error());
  return written(options);
}

/// Rank by rank, so that one report is in memory at a time.
Exit show_job(const TimelineOptions& options, const TimelineLoader& shown, const TimelineReports& job,
              const std::atomic<bool>& stop) {
  std::vector<std::vector<std::string>> remarks;
  Result<JobClocks> clocks = compare_ranks(job, options.iterations, options.plugin_paths, options.jobs, stop, remarks);
  if (!clocks) return fail(clocks.error());
  Result<files::StagedFile> staged = files::StagedFile::make(options.out, kTimelineFile);
  if (!staged) return fail(staged.error());
  JobTrace trace(staged->stream(), clocks->collectives);
  std::size_t shown_ranks = 0;
  for (std::size_t r = 0; r < job.files.size(); ++r) {
    if (stop) return fail(Error{"interrupted", Exit::kInterrupted}.advise("nothing was written"));
    RankInTrace& rank = clocks->ranks[r];
    rank.process = static_cast<std::int64_t>(r) + 1;
    rank.name = fmt::format("rank {}: {}", job.ranks[r], job.files[r].file.path.filename().string());
    const Status read = shown.show(
        job.files[r], [&](const Report& report, const DerivedTracks& derived) { trace.add(report, derived, rank); },
        remarks[r]);
    if (read)
      ++shown_ranks;
    else if (remarks[r].empty())
      remarks[r].push_back(read.error().sentence);
    const std::string& name = job.files[r].file.name;
    std::set<std::string> said;  // both readings repeat remarks on the file
    for (const std::string& remark : remarks[r]) {
      if (said.insert(remark).second) std::cerr << one_line(name) << ": " << one_line(remark) << "\n";
    }
    if (read) std::cerr << one_line(name) << ": clock: " << one_line(rank.alignment) << "\n";
  }
  if (shown_ranks == 0) return fail({"no rank of the job could be read, so nothing was written", Exit::kFailed});
  trace.finish();
  if (const Status published = staged->publish(); !published) return fail(published.error());
  return written(options, fmt::format("{}, {} joined by arrows. ",
                                      counted_of(shown_ranks, std::max(job.files.size(), job.world), "rank"),
                                      counted(static_cast<std::size_t>(clocks->collectives), "collective")));
}

}  // namespace

Result<TraceRange> range_of_iteration(const Report& report, std::size_t only) {
  const IterationsInside iterations(report);
  const std::size_t inside = iterations.count();
  if (only > inside) {
    return Error{fmt::format(
        "--only {}: there are {}{}", only, counted(inside, "iteration"),
        inside == 0 ? "; name their ranges by --iterations, e.g. 'step_{i}'" : " inside the window, from 1 on")};
  }
  const auto row = static_cast<std::size_t>(iterations.rows()[only - 1]);
  const TraceRange range{report.iterations->start[row], report.iterations->end[row]};
  const KernelTable* kernels = report.kernels;
  if (kernels == nullptr || !kernels->call.present() || report.calls == nullptr) return range;
  TraceRange whole = range;
  for (std::size_t k = 0; k < kernels->rows; ++k) {
    if (kernels->call[k] < 0) continue;
    const std::int64_t launched = report.calls->start[static_cast<std::size_t>(kernels->call[k])];
    if (range.start <= launched && launched <= range.end) whole.end = std::max(whole.end, kernels->end[k]);
  }
  return whole;
}

Exit timeline(const TimelineOptions& options) {
  const std::atomic<bool>& stop = stop_on_signals();
  const auto shown = TimelineLoader::make(options.window, options.iterations, options.plugin_paths);
  if (!shown) return fail(shown.error());
  const Result<TimelineReports> reports = timeline_reports(options.places);
  if (!reports) return fail(reports.error());
  if (reports->files.size() == 1) return show_one(options, **shown, reports->files.front());
  if (options.only > 0) {
    return fail(
        Error{"--only shows an iteration of one profile, but there are " + std::to_string(reports->files.size())}
            .advise("name one of them"));
  }
  return show_job(options, **shown, *reports, stop);
}

void add_timeline(CommandLine& line) {
  constexpr const char* kFooter =
      R"(The trace shows device work by stream, NVTX ranges, API calls and operators by thread, iterations, idle time by what
the device waited for, stretches of gaps with the same cause (track 'mechanism'), and the critical path of each iteration
(of --iterations, or of ranges with a usual name such as 'step_0'; docs/whatif.md).

Examples:
  assay timeline profile.sqlite -o profile.json
  assay timeline trace.json.gz -o timeline.json --iterations 'ProfilerStep#{i}'
  assay timeline profile.sqlite -o step.json --iterations 'step_{i}' --only 7
  assay timeline job/ -o job.json
  assay timeline run_rank0.sqlite run_rank1.sqlite -o job.json)";
  const auto options = std::make_shared<TimelineOptions>();
  CLI::App& command =
      line.add("timeline", "Write a profile, or all ranks of a job, as a trace for ui.perfetto.dev or chrome://tracing",
               kFooter, options, &timeline);
  add_option(command, "report", options->places,
             "A profile; or the profiles of all ranks of a job, or the folder that holds them")
      ->required()
      ->type_name("REPORT|DIR");
  add_option(command, "-o,--out", options->out, "File to write")->required()->type_name("FILE.json");
  add_option(command, "--window", options->window, "Show idle time only inside NVTX ranges of this name")
      ->type_name("NVTX");
  add_option(command, "--iterations", options->iterations.nvtx,
             "Name of the ranges of iterations, e.g. 'step_{i}'; if repeated, the first one that the profile has")
      ->allow_extra_args(false)
      ->type_name("NVTX");
  add_option(command, "--only", options->only,
             "Only this iteration inside the window (the first is 1) and what it launched")
      ->check(in_range(1, 1 << 30))
      ->type_name("N");
  add_jobs(command, options->jobs, "Ranks compared in parallel");
  add_plugin_path(command, options->plugin_paths);
}

}  // namespace assay
