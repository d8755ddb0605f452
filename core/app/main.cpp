// The command line: from arguments to one call.
#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>

#include "app/commands.hpp"
#include "app/compare.hpp"
#include "app/convert.hpp"
#include "app/early_exit.hpp"
#include "app/log.hpp"
#include "app/new.hpp"
#include "app/plugin_arguments.hpp"
#include "app/record.hpp"
#include "app/run.hpp"
#include "app/stats.hpp"
#include "app/timeline.hpp"
#include "assay/abi.hpp"
#include "cache/store.hpp"

namespace {

using assay::Exit;
using Paths = std::vector<std::filesystem::path>;

constexpr const char* kFooter = R"(Examples:
  assay list examples/reports
  assay plan configs/rq1_architecture.toml
  assay run configs/rq1_architecture.toml --reports examples/reports -o out
  assay stats profile.sqlite
  assay convert ~/profiles
  assay describe run_summary

Exit codes: 0 done; 1 a claim was refuted (with --gate); 2 bad usage or configuration;
3 every report or every analyzer failed (with --strict: any); 130 interrupted.)";

constexpr const char* kRunFooter =
    R"(Writes facts.csv, findings.json, report.md and results.sqlite to OUT and prints the answer.

Examples:
  assay run configs/rq1_architecture.toml --reports ~/profiles
  assay run configs/study.toml --reports ~/profiles -o ~/results -j 8
  assay run configs/rq3_compilation.toml --reports run1 --reports run2 --gate)";

constexpr const char* kListFooter = R"(Examples:
  assay list ~/profiles
  assay list ~/profiles --config configs/rq1_architecture.toml)";

constexpr const char* kPlanFooter = R"(Examples:
  assay plan configs/rq1_architecture.toml
  assay plan configs/study.toml --reports ~/profiles)";

constexpr const char* kDescribeFooter = R"(Examples:
  assay describe
  assay describe architecture_cliff)";

constexpr const char* kStatsFooter =
    R"(Tables are those of nsys stats 2024.2, in CSV byte for byte. What they leave out or count twice is said on standard
error; --corrected counts it once. Reports of kernels take :base, :mangled and :nvtx-name, those with a most number of
rows :rows=N.

Reports: cuda_api_gpu_sum, cuda_api_sum, cuda_api_trace, cuda_gpu_kern_gb_sum, cuda_gpu_kern_sum, cuda_gpu_mem_size_sum,
cuda_gpu_mem_time_sum, cuda_gpu_sum, cuda_gpu_trace, cuda_kern_exec_sum, cuda_kern_exec_trace, mpi_event_sum,
mpi_event_trace, nvtx_gpu_proj_sum, nvtx_gpu_proj_trace, nvtx_kern_sum, nvtx_pushpop_sum, nvtx_pushpop_trace,
nvtx_startend_sum, nvtx_sum, openacc_sum, openmp_sum, osrt_sum, um_cpu_page_faults_sum, um_sum, um_total_sum.
Rules: cuda_api_sync, cuda_memcpy_async, cuda_memcpy_sync, cuda_memset_sync, gpu_gaps, gpu_time_util.

Examples:
  assay stats profile.sqlite
  assay stats profile.sqlite --report cuda_gpu_kern_sum:base,nvtx_sum --format csv
  assay stats *.sqlite --report gpu_gaps --window train_loop -o tables)";

constexpr const char* kShowFooter = R"(Examples:
  assay show out
  assay show out -v)";

constexpr const char* kCompareFooter =
    R"(Runs are matched by their labels, or by name where they have none. What counts as a change is decided by the spread
between equal runs, as in every question; with --gate the exit code is 1 when a metric is worse beyond it.

Examples:
  assay compare out/monday out/tuesday
  assay compare out/old_driver out/new_driver --metric 'iteration.*' --gate --tolerance 0.02)";

constexpr const char* kTimelineFooter =
    R"(The trace holds device work by stream, NVTX ranges, API calls and operators by thread, iterations, idle time by what
the device waited for, and stretches of gaps with one cause as the track 'mechanism'.

Examples:
  assay timeline profile.sqlite -o profile.json
  assay timeline trace.json.gz -o timeline.json --iterations 'ProfilerStep#{i}')";

constexpr const char* kNewFooter =
    R"(The analyzer counts something real, builds, and its tests pass; change it from there. In a source tree of assay it
joins the lists of analyzers and tests; with --out-of-tree it is a project of its own: DIR/NAME.

Examples:
  assay new short_kernels
  assay new short_kernels --out-of-tree ~/my_analyzers)";

constexpr const char* kPluginsFooter = R"(Examples:
  assay plugins
  assay plugins --plugin-path ~/my_analyzers)";

/// What the command line said, whatever the command.
struct Arguments {
  assay::RunOptions run;
  assay::StatsOptions stats;
  bool convert_strict = false;
  assay::CompareOptions compare;
  assay::NewOptions fresh;
  assay::CheckOptions check;
  assay::BenchOptions bench;
  assay::TimelineOptions timeline;
  assay::RecordArguments record, study;
  Paths folders, configs;
  std::filesystem::path result;
  std::string analyzer, log_file;
  int verbose = 0;
};

void add_folders(CLI::App& command, const char* name, Paths& to, const char* help) {
  command.add_option(name, to, help)->type_name("DIR")->allow_extra_args(false);
}

void add_force(CLI::App& command, bool& to) {
  command.add_flag("--force", to, "Also write to a folder that holds files which assay did not write");
}

void add_plugin_path(CLI::App& command, Arguments& arguments) {
  add_folders(command, "--plugin-path", arguments.run.plugin_paths,
              "Folder with analyzers, searched before $ASSAY_PLUGIN_PATH and the installed ones; may be repeated");
}

void add_reader(CLI::App& command, assay::Reader& to) {
  command
      .add_option("--reader", to,
                  "How large tables are read: 'direct' decodes the pages of the file, 'sqlite' asks the library")
      ->type_name("direct|sqlite")
      ->transform(CLI::CheckedTransformer(std::map<std::string, assay::Reader>{{"direct", assay::Reader::kDirect},
                                                                               {"sqlite", assay::Reader::kSqlite}}));
}

void add_cache(CLI::App& command, Arguments& a) {
  a.run.cache = assay::cache::default_folder();
  CLI::Option* folder =
      command
          .add_option("--cache", a.run.cache,
                      "Folder for what was found in each report, so that an unchanged one is not read again (default: "
                      "$XDG_CACHE_HOME/assay or ~/.cache/assay)")
          ->type_name("DIR")
          ->check(
              [](const std::string& name) { return name.empty() ? "names no folder; --no-cache does without" : ""; });
  command.add_option("--cache-size", a.run.cache_bytes, "What it may take of the disk, e.g. 500MiB (default: 1GiB)")
      ->type_name("SIZE")
      ->transform(CLI::AsSizeValue(true));
  const auto leave_out = [&a] { a.run.cache.reset(); };
  command.add_flag_callback("--no-cache", leave_out, "Read every report, and keep nothing of it")->excludes(folder);
}

/// How reports are converted; for `assay run` these mean nothing without `--convert`, given as `needed`.
void add_conversion(CLI::App& command, assay::ConvertOptions& to, CLI::Option* needed = nullptr) {
  CLI::Option* options[] = {
      command.add_option("--nsys", to.nsys, "The nsys that converts (default: the first in PATH)")->type_name("PATH"),
      command.add_option("--ncu", to.ncu, "The ncu that converts (default: the first in PATH)")->type_name("PATH"),
      command
          .add_option_function<unsigned>(
              "--time-limit", [&to](unsigned seconds) { to.time_limit = std::chrono::seconds(seconds); },
              "Longest time for converting one report (default: " + std::to_string(to.time_limit.count()) + ")")
          ->type_name("SECONDS")
          ->check(CLI::Range(1, 1000000))};
  for (CLI::Option* option : options) {
    if (needed != nullptr) option->needs(needed);
  }
}

CLI::App* add_run(CLI::App& app, Arguments& a) {
  CLI::App* command = app.add_subcommand("run", "Answer the questions of the configurations from reports");
  command->footer(kRunFooter);
  command->add_option("config", a.run.configs, "Files with [question] or [study]")->required()->type_name("CONFIG");
  add_folders(
      *command, "--reports", a.run.reports,
      "Folder of reports, read with all below it; may be repeated. Default: the current folder, if it holds the "
      "folders that the questions name under [reports]");
  command->add_option("-o,--out", a.run.out, "Folder for the results")->type_name("OUT")->capture_default_str();
  command->add_option("-j,--jobs", a.run.jobs, "Reports read at a time (default: one a core)")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  add_reader(*command, a.run.reader);
  add_cache(*command, a);
  CLI::Option* convert = command->add_flag(
      "--convert", a.run.convert, "First convert reports without an up-to-date export, as 'assay convert' does");
  add_conversion(*command, a.run.conversion, convert);
  assay::add_isolation(*command, a.run);
  command->add_flag("--gate", a.run.gate, "Exit with 1 when a claim is refuted");
  command->add_flag("--strict", a.run.strict,
                    "Exit with 3 when a report was not read or lacks needed tables, or an analyzer failed");
  add_plugin_path(*command, a);
  CLI::Option* verbose = command->add_flag(
      "-v,--verbose", a.verbose, "Say more of each question, and log more to standard error; -vv: everything");
  add_force(*command, a.run.force);
  command->add_flag("-q,--quiet", a.run.quiet, "Print errors only")->excludes(verbose);
  command->add_option("--log-file", a.log_file, "Write the whole log to this file")->type_name("FILE");
  return command;
}

CLI::App* add_list(CLI::App& app, Arguments& a) {
  CLI::App* command = app.add_subcommand("list", "Show what is in a folder: kinds, rows, labels, problems");
  command->footer(kListFooter);
  command->add_option("folder", a.folders, "Folders of reports")->required()->type_name("DIR");
  command->add_option("--config", a.configs, "Show labels as this file declares them; may be repeated")
      ->type_name("CONFIG")
      ->allow_extra_args(false);
  return command;
}

CLI::App* add_plan(CLI::App& app, Arguments& a) {
  CLI::App* command =
      app.add_subcommand("plan", "Show the effective configuration and the order of work, without running");
  command->footer(kPlanFooter);
  command->add_option("config", a.configs, "Files with [question] or [study]")->required()->type_name("CONFIG");
  add_folders(*command, "--reports", a.folders, "Also show what would be skipped of these reports; may be repeated");
  add_plugin_path(*command, a);
  return command;
}

CLI::App* add_describe(CLI::App& app, Arguments& a) {
  CLI::App* command =
      app.add_subcommand("describe", "Show analyzers: options, needs, metrics with units and definitions");
  command->footer(kDescribeFooter);
  command->add_option("id", a.analyzer, "One analyzer; without it all are listed")->type_name("ID");
  add_plugin_path(*command, a);
  return command;
}

CLI::App* add_stats(CLI::App& app, Arguments& a) {
  CLI::App* command = app.add_subcommand("stats", "Print the tables of nsys stats for exports");
  command->footer(kStatsFooter);
  command->add_option("report", a.stats.files, "SQLite exports of nsys")->required()->type_name("REPORT");
  command->add_option("-r,--report", a.stats.reports, "Reports by their names in nsys stats, separated by commas")
      ->type_name("NAME")
      ->delimiter(',')
      ->allow_extra_args(false);
  const std::map<std::string, assay::StatsFormat> formats{
      {"table", assay::StatsFormat::kTable}, {"csv", assay::StatsFormat::kCsv}, {"json", assay::StatsFormat::kJson}};
  command->add_option("-f,--format", a.stats.format, "How tables are written; default: table, in files csv")
      ->type_name("table|csv|json")
      ->transform(CLI::CheckedTransformer(formats));
  auto* exact =
      command->add_flag("--exact")->description("Print the numbers of nsys and say what is wrong with them (default)");
  command->add_flag("--corrected", a.stats.corrected, "Count what nsys counts twice once")->excludes(exact);
  command->add_option("--window", a.stats.window, "Only what the NVTX ranges of this name hold")->type_name("NVTX");
  command->add_option("-o,--out", a.stats.out, "Folder for files named STEM_NAME.csv")->type_name("DIR");
  command->add_option("-j,--jobs", a.stats.jobs, "Threads (default: one a core)")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  add_reader(*command, a.stats.reader);
  add_plugin_path(*command, a);
  return command;
}

CLI::App* add_show(CLI::App& app, Arguments& a) {
  CLI::App* command = app.add_subcommand("show", "Print a finished result again");
  command->footer(kShowFooter);
  command->add_option("out", a.result, "Folder that 'assay run -o' wrote")->required()->type_name("OUT");
  command->add_flag("-v,--verbose", a.verbose, "Say more of each question");
  return command;
}

CLI::App* add_compare(CLI::App& app, Arguments& a) {
  CLI::App* command = app.add_subcommand("compare", "Compare two finished results of one question, metric by metric");
  command->footer(kCompareFooter);
  command->add_option("before", a.compare.before, "Folder that 'assay run -o' wrote")->required()->type_name("OUT1");
  command->add_option("after", a.compare.after, "The result to hold against it")->required()->type_name("OUT2");
  command->add_option("--question", a.compare.questions, "Only this question; may be repeated (default: all in both)")
      ->type_name("ID")
      ->allow_extra_args(false);
  command->add_option("--metric", a.compare.metrics, "Only metrics that match, e.g. 'iteration.*'; may be repeated")
      ->type_name("GLOB")
      ->allow_extra_args(false);
  command->add_option("--tolerance", a.compare.tolerance, "Share by which a metric may be worse, e.g. 0.02")
      ->type_name("SHARE")
      ->check(CLI::Range(0.0, 10.0));
  command->add_option("-o,--out", a.compare.out, "Also write facts, findings and reports to this folder")
      ->type_name("OUT");
  add_force(*command, a.compare.force);
  command->add_flag("--gate", a.compare.gate, "Exit with 1 when a metric is worse");
  command->add_flag("-v,--verbose", a.verbose, "Say more of each question");
  add_plugin_path(*command, a);
  return command;
}

CLI::App* add_convert(CLI::App& app, Arguments& a) {
  CLI::App* command = app.add_subcommand("convert", "Convert .nsys-rep, .qdrep and .ncu-rep files with nsys and ncu");
  command->footer(assay::kConvertFooter);
  command->add_option("place", a.run.conversion.places, "Folders, read with all below them, or reports")
      ->required()
      ->type_name("DIR");
  command->add_option("-j,--jobs", a.run.conversion.jobs, "Reports converted at a time (default: one a core)")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  command->add_flag("--force", a.run.conversion.force, "Also convert what has an up-to-date export");
  add_conversion(*command, a.run.conversion);
  command->add_flag("--strict", a.convert_strict, "Exit with 3 when any report was not converted");
  return command;
}

CLI::App* add_timeline(CLI::App& app, Arguments& a) {
  CLI::App* command =
      app.add_subcommand("timeline", "Write a report as a trace for ui.perfetto.dev or chrome://tracing");
  command->footer(kTimelineFooter);
  command->add_option("report", a.timeline.file, "SQLite export of nsys or trace of the PyTorch profiler")
      ->required()
      ->type_name("REPORT");
  command->add_option("-o,--out", a.timeline.out, "File to write")->required()->type_name("FILE.json");
  command->add_option("--window", a.timeline.window, "Idle time only of what the NVTX ranges of this name hold")
      ->type_name("NVTX");
  command->add_option("--iterations", a.timeline.iterations, "Name of the ranges of iterations, e.g. 'step_{i}'")
      ->type_name("NVTX");
  add_plugin_path(*command, a);
  return command;
}

CLI::App* add_new(CLI::App& app, Arguments& a) {
  CLI::App* command = app.add_subcommand("new", "Write a new analyzer that builds and whose tests pass");
  command->footer(kNewFooter);
  command->add_option("name", a.fresh.name, "Its id: small letters, digits, '_'")->required()->type_name("NAME");
  command->add_option("--out-of-tree", a.fresh.out_of_tree, "Folder in which the project NAME is written")
      ->type_name("DIR");
  return command;
}

CLI::App* add_plugins(CLI::App& app, Arguments& a) {
  CLI::App* command = app.add_subcommand("plugins", "Show plugins found and refused, and the folders searched");
  command->footer(kPluginsFooter);
  add_plugin_path(*command, a);
  return command;
}

std::string version_text() {
  return "assay " ASSAY_VERSION " (plugin ABI " + std::to_string(assay::kAbiMajor) + "." +
         std::to_string(assay::kAbiMinor) + ", " + std::string(assay::kCxxAbi) + ")";
}

/// CLI11 has exit codes of its own; ours know one for bad usage.
Exit usage(const CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) {
    app.exit(error);  // --help, --version
    return Exit::kOk;
  }
  const auto chosen = app.get_subcommands();
  const std::string command = chosen.empty() ? "assay" : "assay " + chosen.front()->get_name();
  return assay::fail({std::string(error.what()) + "; '" + command + " --help' shows the usage"});
}

Exit dispatch(int argc, char** argv) {
  CLI::App app("assay answers research questions from folders of GPU profiles.", "assay");
  app.footer(kFooter);
  app.set_version_flag("--version", version_text());
  app.require_subcommand(1);
  Arguments a;
  const CLI::App* run = add_run(app, a);
  const CLI::App* list = add_list(app, a);
  const CLI::App* plan = add_plan(app, a);
  const CLI::App* describe = add_describe(app, a);
  const CLI::App* stats = add_stats(app, a);
  const CLI::App* convert = add_convert(app, a);
  const CLI::App* show = add_show(app, a);
  const CLI::App* compare = add_compare(app, a);
  const CLI::App* timeline = add_timeline(app, a);
  const CLI::App* fresh = add_new(app, a);
  const CLI::App* check = assay::add_check(app, a.check);
  const CLI::App* bench = assay::add_bench(app, a.bench);
  const CLI::App* record = assay::add_record(app, a.record);
  const CLI::App* study = assay::add_study(app, a.study);
  add_plugins(app, a);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return usage(app, error);
  }
  if (const assay::Status log = assay::start_log(a.run.quiet ? -1 : a.verbose, a.log_file); !log)
    return assay::fail(log.error());
  a.run.whole = a.verbose > 0;
  if (run->parsed()) return assay::run(a.run);
  if (convert->parsed()) return assay::convert(a.run.conversion, a.convert_strict);
  a.stats.plugin_paths = a.run.plugin_paths;
  if (stats->parsed()) return assay::stats(a.stats);
  if (show->parsed()) return assay::show_results(a.result, a.verbose > 0);
  a.compare.plugin_paths = a.run.plugin_paths;
  a.compare.whole = a.verbose > 0;
  a.timeline.plugin_paths = a.run.plugin_paths;
  if (timeline->parsed()) return assay::timeline(a.timeline);
  if (compare->parsed()) return assay::compare_results(a.compare);
  if (list->parsed()) return assay::list_reports(a.folders, a.configs);
  if (record->parsed()) return assay::record_runs(a.record);
  if (study->parsed()) return assay::study(a.study);
  if (check->parsed()) return assay::check_plugin(a.check);
  if (bench->parsed()) return assay::bench_analyzer(a.bench);
  if (fresh->parsed()) return assay::write_new_analyzer(a.fresh);
  if (plan->parsed()) return assay::show_plan(a.configs, a.folders, a.run.plugin_paths);
  if (describe->parsed()) {
    return assay::describe_analyzers(a.analyzer.empty() ? std::nullopt : std::optional(a.analyzer), a.run.plugin_paths);
  }
  return assay::show_plugins(a.run.plugin_paths);
}

}  // namespace

int main(int argc, char** argv) {
  static_cast<void>(assay::start_log(0, {}));
  try {
    const assay::NoEarlyExit guard;
    Exit exit = dispatch(argc, argv);
    if (!std::cout.flush() && exit == Exit::kOk) {
      exit = assay::fail({"standard output cannot be written; make room or send it elsewhere", Exit::kFailed});
    }
    return static_cast<int>(exit);
  } catch (const std::exception& error) {
    return static_cast<int>(assay::fail({"the run ended early: " + std::string(error.what()), Exit::kFailed}));
  }
}
