// The command line: from arguments to one call.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <iostream>

#include "app/command_line.hpp"
#include "app/commands.hpp"
#include "app/early_exit.hpp"
#include "app/interrupt.hpp"
#include "app/log.hpp"
#include "app/version.hpp"
#include "config/config.hpp"
#include "workers.hpp"

namespace {

using assay::Exit;

/// Beside those that are open already: what one worker has open, outputs and libraries.
constexpr std::size_t kFewestFiles = 16;

constexpr const char* kFooter = R"(Examples:
  assay look profile.sqlite
  assay init ~/profiles
  assay list examples/reports
  assay plan configs/rq1_architecture.toml
  assay run configs/rq1_architecture.toml --reports examples/reports -o out
  assay stats profile.sqlite
  assay convert ~/profiles
  assay describe run_summary

Exit codes: 0 done; 1 a claim was refuted (with --gate); 2 bad usage or configuration;
3 every report or every analyzer failed (with --strict: any); 130 interrupted.)";

/// The first word on the command line that is no option where a command was expected; empty: there is none.
std::string unknown_command(int argc, char** argv) {
  const bool word = argc > 1 && argv[1][0] != '-';
  return word ? argv[1] : "";
}

/// " Did you mean '--reports'?" for the first word that starts like an option and is none of the command's.
std::string nearest_option(const CLI::App& command, int argc, char** argv) {
  const std::vector<std::string> known = assay::long_options(command);
  for (int i = 2; i < argc; ++i) {
    const std::string_view whole = argv[i], word = whole.substr(0, whole.find('='));
    if (word.starts_with("--") && std::ranges::find(known, word) == known.end())
      return assay::did_you_mean(word, known);
  }
  return {};
}

/// CLI11 has exit codes of its own; ours know one for bad usage.
Exit usage(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
  if (error.get_exit_code() == 0) {
    app.exit(error);  // --help, --version
    return Exit::kOk;
  }
  const auto chosen = app.get_subcommands();
  if (const std::string word = unknown_command(argc, argv); chosen.empty() && !word.empty()) {
    return assay::fail({"there is no command '" + word + "'." + assay::did_you_mean(word, assay::command_names(app)) +
                        " 'assay --help' lists them"});
  }
  const CLI::App& command = chosen.empty() ? app : *chosen.front();
  const std::string name = chosen.empty() ? "assay" : "assay " + command.get_name();
  const bool unexpected = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
  const std::string nearest = unexpected ? nearest_option(command, argc, argv) : std::string();
  return assay::fail(
      {std::string(error.what()) + "; '" + name + " --help' shows the usage" + (nearest.empty() ? "" : "." + nearest)});
}

Exit dispatch(int argc, char** argv) {
  CLI::App app("assay answers research questions from folders of GPU profiles.", "assay");
  app.formatter(assay::help_format());  // before the commands, which take it over
  app.footer(kFooter);
  app.set_version_flag("--version", assay::version_text());
  app.require_subcommand(1);
  assay::CommandLine line{app};
  line.words.assign(argv, argv + argc);
#define ASSAY_ADD(name) assay::add_##name(line);
  ASSAY_COMMANDS(ASSAY_ADD)
#undef ASSAY_ADD
  if (argc > 1 && line.passes_on == argv[1]) {
    const auto dashes = std::ranges::find(line.words, "--");
    argc = static_cast<int>(dashes - line.words.begin());
    if (dashes != line.words.end()) line.rest.assign(dashes + 1, line.words.end());
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return usage(app, error, argc, argv);
  }
  if (const assay::Status log = assay::start_log(line.quiet ? -1 : line.verbose, line.log_file); !log)
    return assay::fail(log.error());
  return line.chosen();
}

}  // namespace

int main(int argc, char** argv) {
  static_cast<void>(assay::start_log(0, {}));
  try {
    const assay::NoEarlyExit guard;
    assay::name_crashes();
    // Every report would be one that cannot be opened.
    if (const std::size_t left = assay::files_left(); left < kFewestFiles) {
      return static_cast<int>(assay::fail({"no more than " + std::to_string(left) +
                                           " further files may be opened here, and a report takes up to " +
                                           std::to_string(kFewestFiles) + "; 'ulimit -n 1024' allows more"}));
    }
    Exit exit = dispatch(argc, argv);
    if (!std::cout.flush() && exit == Exit::kOk) {
      exit = assay::fail({"standard output cannot be written; make room or send it elsewhere", Exit::kFailed});
    }
    return static_cast<int>(exit);
  } catch (const std::exception& error) {
    return static_cast<int>(assay::fail({"the run ended early: " + std::string(error.what()), Exit::kFailed}));
  }
}
