#include "app/plugin_arguments.hpp"

namespace assay {
namespace {

constexpr const char* kCheckFooter =
    R"(Each case runs in a process of its own, so that a crash, a hang or memory without end is a row and not the end.
Hostile options may be refused with a sentence. Exit codes: 0 all passed; 2 not a plugin; 3 one did not pass.

Examples:
  assay check ./build/plugins/short_kernels.so
  assay check ./short_kernels.so --time-limit 10 --memory-limit 512
  assay check ./kernel_breakdown.so --config configs/attention.toml)";

constexpr const char* kBenchFooter = R"(Without --reports on made-up reports of 10 thousand to a million kernels.

Examples:
  assay bench kernel_breakdown
  assay bench ./build/plugins/short_kernels.so --reports ~/profiles
  assay bench run_summary --reports ~/profiles --config configs/rq1_architecture.toml)";

void add_limits(CLI::App& command, const char* time, const char* memory, isolate::Limits& to, const std::string& of,
                CLI::Option* needed = nullptr) {
  CLI::Option* options[] = {
      command
          .add_option_function<unsigned>(
              time, [&to](unsigned seconds) { to.time = std::chrono::seconds(seconds); },
              "Longest time for " + of + " (default: " + std::to_string(to.time.count() / 1000) + ")")
          ->type_name("SECONDS")
          ->check(CLI::Range(1, 1000000)),
      command
          .add_option_function<unsigned>(
              memory, [&to](unsigned megabytes) { to.memory = std::uint64_t{megabytes} << 20; },
              "Most memory that this may ask for (default: " + std::to_string(to.memory >> 20) + ")")
          ->type_name("MB")
          ->check(CLI::Range(1, 1 << 30))};
  for (CLI::Option* option : options) {
    if (needed != nullptr) option->needs(needed);
  }
}

}  // namespace

void add_isolation(CLI::App& command, RunOptions& to) {
  CLI::Option* isolate = command.add_flag("--isolate", to.isolate,
                                          "Run each analyzer on each report in a process of its own: one that crashes, "
                                          "hangs or eats memory costs no other its results");
  add_limits(command, "--plugin-time-limit", "--plugin-memory-limit", to.plugin_limits,
             "one analyzer on one report, or to conclude, with --isolate", isolate);
}

CLI::App* add_check(CLI::App& app, CheckOptions& to) {
  CLI::App* command = app.add_subcommand("check", "Try a plugin on reports, studies and options that nobody expects");
  command->footer(kCheckFooter);
  command->add_option("plugin", to.plugin, "File of the plugin")->required()->type_name("PLUGIN.so");
  command->add_option("--config", to.config, "Take its options from this file (default: its defaults)")
      ->type_name("CONFIG");
  add_limits(*command, "--time-limit", "--memory-limit", to.limits, "one case");
  return command;
}

CLI::App* add_bench(CLI::App& app, BenchOptions& to) {
  CLI::App* command = app.add_subcommand("bench", "Measure what an analyzer costs a report in time and memory");
  command->footer(kBenchFooter);
  const auto add_folders = [&](const char* name, std::vector<std::filesystem::path>& folders, const char* help) {
    command->add_option(name, folders, help)->type_name("DIR")->allow_extra_args(false);
  };
  command->add_option("plugin", to.analyzer, "Id of an analyzer, or file of a plugin")
      ->required()
      ->type_name("PLUGIN|ID");
  add_folders("--reports", to.reports, "Folder of reports to measure on; may be repeated (default: made-up reports)");
  command->add_option("--config", to.config, "Take options, window and iterations from this file")->type_name("CONFIG");
  command->add_option("-n,--runs", to.runs, "Times that each report is analyzed (default: 5)")
      ->type_name("N")
      ->check(CLI::Range(1, 1000));
  add_folders("--plugin-path", to.plugin_paths,
              "Folder with analyzers, searched before $ASSAY_PLUGIN_PATH and the installed ones; may be repeated");
  return command;
}

}  // namespace assay
