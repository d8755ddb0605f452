// The command line: from arguments to one call.
#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>

#include "app/commands.hpp"
#include "app/log.hpp"
#include "app/run.hpp"
#include "app/stats.hpp"
#include "assay/abi.hpp"

namespace {

using assay::Exit;
using Paths = std::vector<std::filesystem::path>;

constexpr const char* kFooter = R"(Examples:
  assay list examples/reports
  assay plan configs/rq1_architecture.toml
  assay run configs/rq1_architecture.toml --reports examples/reports -o out
  assay stats profile.sqlite
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
error. Reports: cuda_api_sum, cuda_gpu_kern_sum (also :base, :mangled), cuda_gpu_kern_gb_sum, cuda_gpu_mem_size_sum,
cuda_gpu_mem_time_sum, cuda_kern_exec_sum, gpu_gaps, gpu_time_util, nvtx_gpu_proj_sum, nvtx_kern_sum, nvtx_sum.

Examples:
  assay stats profile.sqlite
  assay stats profile.sqlite --report cuda_gpu_kern_sum,nvtx_sum --format csv
  assay stats *.sqlite --report gpu_gaps --window train_loop -o tables)";

constexpr const char* kShowFooter = R"(Examples:
  assay show out
  assay show out -v)";

constexpr const char* kPluginsFooter = R"(Examples:
  assay plugins
  assay plugins --plugin-path ~/my_analyzers)";

/// What the command line said, whatever the command.
struct Arguments {
  assay::RunOptions run;
  assay::StatsOptions stats;
  Paths folders, configs;
  std::filesystem::path result;
  std::string analyzer, log_file;
  int verbose = 0;
};

void add_folders(CLI::App& command, const char* name, Paths& to, const char* help) {
  command.add_option(name, to, help)->type_name("DIR")->allow_extra_args(false);
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
  command->add_flag("--gate", a.run.gate, "Exit with 1 when a claim is refuted");
  command->add_flag("--strict", a.run.strict,
                    "Exit with 3 when a report was not read or lacks needed tables, or an analyzer failed");
  add_plugin_path(*command, a);
  CLI::Option* verbose = command->add_flag(
      "-v,--verbose", a.verbose, "Say more of each question, and log more to standard error; -vv: everything");
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
  const CLI::App* show = add_show(app, a);
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
  a.stats.plugin_paths = a.run.plugin_paths;
  if (stats->parsed()) return assay::stats(a.stats);
  if (show->parsed()) return assay::show_results(a.result, a.verbose > 0);
  if (list->parsed()) return assay::list_reports(a.folders, a.configs);
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
    Exit exit = dispatch(argc, argv);
    if (!std::cout.flush() && exit == Exit::kOk) {
      exit = assay::fail({"standard output cannot be written; make room or send it elsewhere", Exit::kFailed});
    }
    return static_cast<int>(exit);
  } catch (const std::exception& error) {
    return static_cast<int>(assay::fail({"the run ended early: " + std::string(error.what()), Exit::kFailed}));
  }
}
