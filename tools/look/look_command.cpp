#include "cli/command_line.hpp"
#include "cli/json_document.hpp"
#include "cli/run_options.hpp"
#include "cli/terminal.hpp"
#include "look/show_look.hpp"

namespace assay {

void add_look(CommandLine& line) {
  constexpr const char* kFooter =
      R"(Needs no configuration. Writes nothing unless -o is given, except that what it measured in a profile of 64 MiB and
more is kept for the next time, in the cache of 'assay run'; --no-cache keeps nothing. Its questions are in
share/assay/configs/look.toml, those of --start in cold_start.toml.

Examples:
  assay look profile.sqlite
  assay look trace.pt.trace.json.gz -o look.html
  assay look ~/profiles --sort step --all)";
  const auto options = std::make_shared<LookOptions>();
  CLI::App& command =
      line.add("look", "Summarize profiles: what ran, where the time goes, what to try", kFooter, options, &show_look);
  add_option(command, "place", options->places, "Profiles, or folders of profiles")
      ->required()
      ->type_name("REPORT|DIR");
  add_option(command, "-o,--out", options->out,
             "Also write the page, FILE.html, or a folder with look.html and look.json")
      ->type_name("FILE.html|DIR");
  add_flag(command, "--force", options->force, "Replace an earlier page");
  add_option(
      command, "--sort", options->sort,
      "Order the rows of several profiles by a column, times shortest first: step, duration, tpot, busy, kernels")
      ->type_name("COLUMN");
  add_flag(command, "--start", options->start,
           "What came before the first step: imports, copies to the device, first call, compiling, capture");
  add_wide(command);
  CLI::Option* top = add_option(command, "--top", options->top, "Rows of a table (default: 12)");
  top->type_name("N")->check(in_range(1, 1000000));
  add_flag(command, "--all", options->all, "All rows")->excludes(top);
  add_run_choice(command, options->choice);
  document::add_flag(command);
  add_flag(command, "--no-cache", options->no_cache, "Read large profiles again, and keep nothing of them");
  add_jobs(command, options->jobs, "Profiles read in parallel");
  add_plugin_path(command, options->plugin_paths);
}

}  // namespace assay
