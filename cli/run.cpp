#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "cli/json_document.hpp"
#include "cli/run_options.hpp"
#include "cli/tool.hpp"

namespace assay {
namespace {

Exit run(const RunOptions& options) {
  const std::atomic<bool>& stop = stop_on_signals();
  return options.instead ? options.instead(options, stop) : run_and_tell(options, stop);
}

}  // namespace

void add_run(CommandLine& line) {
  constexpr const char* kFooter =
      R"(Writes report.html, report.md and summary.md with plots, facts.csv, findings.json, results.sqlite and run.json to
OUT and prints the answer.

Examples:
  assay run configs/rq1_architecture.toml --reports ~/profiles
  assay run configs/study.toml --reports ~/profiles -o ~/results -j 8
  assay run configs/rq3_compilation.toml --reports run1 --reports run2 --gate)";
  const auto options = std::make_shared<RunOptions>();
  CLI::App& command =
      line.add("run", "Analyze profiles and answer the configured questions", kFooter, options, [&line](RunOptions& o) {
        read_common_options(line, o);
        return run(o);
      });
  add_option(command, "config", options->configs, "Files with [question] or [study]")->required()->type_name("CONFIG");
  add_folders(command, "--reports", options->reports,
              "Folder of profiles, searched recursively; may be repeated (default: the current folder, if it holds the "
              "folders that the questions name in [reports])");
  add_option(command, "-o,--out", options->out, "Folder for the results, or one page FILE.html")
      ->type_name("OUT")
      ->capture_default_str();
  add_run_choice(command, options->choice);
  add_jobs(command, options->jobs, "Profiles read in parallel");
  add_cache(command, *options);
  add_isolation(command, *options);
  document::add_flag(command);
  const std::vector<CLI::Option*> concluding = add_ending(command, line, *options);
  for (const Tool* tool : linked_tools()) {
    if (tool->add_run_options != nullptr) tool->add_run_options(command, *options, concluding);
  }
}

}  // namespace assay
