#include "app/timeline.hpp"

#include <algorithm>
#include <iostream>
#include <thread>

#include "analyze/analyze.hpp"
#include "analyze/one_report.hpp"
#include "app/command_line.hpp"
#include "app/commands.hpp"
#include "app/log.hpp"
#include "app/timeline/chrome_trace.hpp"
#include "files/staged_file.hpp"
#include "load/load.hpp"
#include "plugins/plugins.hpp"
#include "render/format.hpp"
#include "render/text.hpp"

namespace assay {
namespace {

constexpr const char* kIdleAnalyzer = "idle_causes";

Question question_of(const TimelineOptions& options) {
  const SourcePos pos{"assay timeline", 1, 1};
  Question question;
  question.file = pos.file;
  question.id = "timeline";
  question.window.nvtx = options.window;
  question.iterations.nvtx = options.iterations;
  AnalyzerConfig analyzer{kIdleAnalyzer, {}, pos};
  analyzer.options.push_back({"gaps", {true, pos}});
  question.analyzers.push_back(std::move(analyzer));
  return question;
}

/// Everything that the writer shows, where the report has it.
std::set<ColumnId> columns() {
  return {col::kernels,     col::kernel_name,    col::kernel_short_name,
          col::kernel_grid, col::kernel_block,   col::kernel_registers,
          col::graphs,      col::graph_id,       col::copies,
          col::copy_bytes,  col::copy_direction, col::sets,
          col::set_bytes,   col::calls,          col::call_name,
          col::ranges,      col::spans,          col::ops,
          col::iterations,  col::devices};
}

const OwnedTable* find(const std::vector<OwnedTable>& tables, std::string_view id) {
  const auto at = std::find_if(tables.begin(), tables.end(), [&](const OwnedTable& t) { return t.id == id; });
  return at == tables.end() ? nullptr : &*at;
}

Status write(const Report& report, const ReportResult& idle, const TraceRange& range,
             const std::filesystem::path& file) {
  Result<files::StagedFile> staged = files::StagedFile::make(file);
  if (!staged) return staged.error();
  write_chrome_trace(report, {find(idle.tables, "idle_gaps"), find(idle.tables, "idle_stretches")}, staged->stream(),
                     range);
  return staged->publish();
}

}  // namespace

Result<TraceRange> range_of_iteration(const Report& report, std::size_t only) {
  std::size_t inside = 0;
  TraceRange range;
  for (std::size_t i = 0; report.iterations != nullptr && i < report.iterations->rows; ++i) {
    const std::int64_t start = report.iterations->start[i], end = report.iterations->end[i];
    const bool outside =
        report.window->named != 0 && (start < report.window->host_start || end > report.window->host_end);
    if (outside || ++inside != only) continue;
    range = {start, end};
  }
  if (only > inside) {
    return Error{
        "--only " + std::to_string(only) + ": there are " + counted(inside, "iteration") +
        (inside == 0 ? "; name their ranges by --iterations, e.g. 'step_{i}'" : " inside the window, from 1 on")};
  }
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
  const std::vector<Question> questions{question_of(options)};
  const Plugins plugins = load_plugins(plugin_folders(options.plugin_paths));
  const Result<Plan> plan = make_plan(questions, plugins);
  if (!plan) return fail(plan.error());
  const Analyzers analyzers = Analyzers::make(plan->questions.front());
  for (const Skip& failure : analyzers.failures()) return fail({failure.reason, Exit::kUsage});

  const FoundFile found = sniff(options.file, options.file.generic_string());
  if (!is_report(found.kind)) {
    return fail({found.problem.empty() ? "'" + options.file.string() +
                                             "' is no report; expected an SQLite export of nsys or a trace of the "
                                             "PyTorch profiler"
                                       : found.problem});
  }
  const Result<Profile> profile =
      load_profile({found.path, found.kind}, found.name, columns(), std::max(1U, std::thread::hardware_concurrency()));
  if (!profile) return fail({profile.error().sentence, Exit::kFailed});
  const Result<Profile::View> view = profile->view(questions.front().window, questions.front().iterations);
  if (!view) return fail({view.error().sentence, Exit::kFailed});
  TraceRange range;
  if (options.only > 0) {
    const Result<TraceRange> one = range_of_iteration(view->report(), options.only);
    if (!one) return fail(one.error());
    range = *one;
  }

  ReportResult idle;
  add_output(idle, run_analyzer(plan->questions.front().analyzers.front().plugin->descriptor(), *analyzers.at(0),
                                view->report()));
  add_issues(idle, *view->report().issues);
  for (const Skip& skip : idle.skips) std::cerr << "without idle time: " << one_line(skip.reason) << "\n";
  for (const OwnedIssue& issue : idle.issues) std::cerr << one_line(issue.text) << "\n";
  if (const Status written = write(view->report(), idle, range, options.out); !written) return fail(written.error());
  std::cout << "Written to " << one_line(options.out.string())
            << "; open it in ui.perfetto.dev (it stays on this machine) or in chrome://tracing\n";
  return Exit::kOk;
}

void add_timeline(CommandLine& line) {
  constexpr const char* kFooter =
      R"(The trace holds device work by stream, NVTX ranges, API calls and operators by thread, iterations, idle time by what
the device waited for, and stretches of gaps with one cause as the track 'mechanism'.

Examples:
  assay timeline profile.sqlite -o profile.json
  assay timeline trace.json.gz -o timeline.json --iterations 'ProfilerStep#{i}'
  assay timeline profile.sqlite -o step.json --iterations 'step_{i}' --only 7)";
  const auto options = std::make_shared<TimelineOptions>();
  CLI::App& command = line.add("timeline", "Write a report as a trace for ui.perfetto.dev or chrome://tracing", kFooter,
                               options, &timeline);
  command.add_option("report", options->file, "SQLite export of nsys or trace of the PyTorch profiler")
      ->required()
      ->type_name("REPORT");
  command.add_option("-o,--out", options->out, "File to write")->required()->type_name("FILE.json");
  command.add_option("--window", options->window, "Idle time only of what the NVTX ranges of this name hold")
      ->type_name("NVTX");
  command.add_option("--iterations", options->iterations, "Name of the ranges of iterations, e.g. 'step_{i}'")
      ->type_name("NVTX");
  command.add_option("--only", options->only, "Only this iteration inside the window, from 1, and what it launched")
      ->check(CLI::PositiveNumber)
      ->type_name("N");
  add_plugin_path(command, options->plugin_paths);
}

}  // namespace assay
