#include "cli/program.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <iostream>
#include <new>
#include <optional>
#include <string_view>
#include <vector>

#include "cli/command_line.hpp"
#include "cli/commands.hpp"
#include "cli/early_exit.hpp"
#include "cli/external_command.hpp"
#include "cli/interrupt.hpp"
#include "cli/json_document.hpp"
#include "cli/log.hpp"
#include "cli/terminal.hpp"
#include "cli/tool.hpp"
#include "cli/version.hpp"
#include "files/did_you_mean.hpp"
#include "files/log_line.hpp"
#include "files/staged_file.hpp"
#include "plugins/formats.hpp"
#include "render/text.hpp"
#include "workers.hpp"

namespace assay {
extern const std::string_view kHelpFooter;  ///< help_footer.txt

namespace {

/// Beside those that are open already: what one worker has open, outputs and libraries.
constexpr std::size_t kFewestFiles = 16;

/// Names under a heading, for the end of --help.
std::string listed_commands(const char* heading, const auto& names) {
  if (names.empty()) return {};
  const std::vector<std::string> lines = wrapped(fmt::format("{}", fmt::join(names, " ")), 100);
  return fmt::format("{}:\n  {}\n\n", heading, fmt::join(lines, "\n  "));
}

/// The first word on the command line that is no option where a command was expected; empty: there is none.
std::string unknown_command(int argc, char** argv) {
  const bool word = argc > 1 && argv[1][0] != '-';
  return word ? argv[1] : "";
}

/// --json, wherever it stands: what is wrong with the command line goes into the document too.
bool wants_document(int argc, char** argv) {
  const auto is_flag = [](const char* word) { return std::string_view(word) == "--json"; };
  return argc > 2 && std::any_of(argv + 2, argv + argc, is_flag);
}

Exit ended_early(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr)
    return fail(Error{"there is not enough memory for this run", Exit::kFailed}.advise(
        "raise its limit ('ulimit -v', that of the container), or read fewer profiles at a time"));
  return fail({"the run ended early: " + std::string(error.what()), Exit::kFailed});
}

/// " Did you mean '--reports'?" for the first word that starts like an option and is none of the command's.
std::string nearest_option(const CLI::App& command, int argc, char** argv) {
  const std::vector<std::string> known = long_options(command);
  for (int i = 2; i < argc; ++i) {
    const std::string_view whole = argv[i], word = whole.substr(0, whole.find('='));
    if (!word.starts_with("--") || std::ranges::find(known, word) != known.end()) continue;
    return did_you_mean(word, known);
  }
  return {};
}

/// CLI11 has exit codes of its own; ours know one for bad usage.
Exit usage(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
  const auto chosen = app.get_subcommands();
  const bool wants_text = error.get_exit_code() == 0;  // --help, --version
  if (wants_text && (!chosen.empty() || unknown_command(argc, argv).empty())) {
    app.exit(error);
    return Exit::kOk;
  }
  if (const std::string word = unknown_command(argc, argv); chosen.empty() && !word.empty()) {
    if (const auto left_out = left_out_commands(); std::ranges::find(left_out, word) != left_out.end())
      return fail(Error{fmt::format("the command '{}' is left out of this build", word)}.at(word).advise(
          "./dev build adds it"));
    return fail(Error{"there is no command '" + word + "'."}.at(word).suggest(did_you_mean(word, command_names(app)) +
                                                                              " 'assay --help' lists them"));
  }
  const CLI::App& command = chosen.empty() ? app : *chosen.front();
  const std::string name = chosen.empty() ? "assay" : "assay " + command.get_name();
  const bool unexpected = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
  const std::string nearest = unexpected ? nearest_option(command, argc, argv) : std::string();
  return fail(Error{error.what()}
                  .advise(fmt::format("'{} --help' shows the usage{}", name, nearest.empty() ? "" : "."))
                  .suggest(nearest));
}

/// As typed, but `assay help look` is `assay look --help`, and `assay` alone and `assay help` are `assay --help`.
std::vector<char*> normalized_arguments(int argc, char** argv) {
  static char help[] = "--help";
  std::vector<char*> words(argv, argv + argc);
  if (argc == 1) words.push_back(help);
  if (argc > 1 && std::string_view(argv[1]) == "help") {
    words.erase(words.begin() + 1);
    words.resize(std::min<std::size_t>(words.size(), 2));
    words.push_back(help);
  }
  return words;
}

/// Before anything is read: formats in the folders that the command and the environment name.
void load_formats_for(const CLI::App& command) {
  std::vector<std::filesystem::path> paths;
  if (const CLI::Option* option = command.get_option_no_throw("--plugin-path"))
    for (const std::string& folder : option->results()) paths.emplace_back(folder);
  for (const RefusedPlugin& refused : load_formats(plugin_folders(paths))) {
    if (command.get_name() != "plugins") log_warning("{}", refused.sentence);  // which lists them
  }
}

Exit dispatch(int argc, char** argv) {
  CLI::App app(
      "assay reads GPU profiles and shows what limits each run, what differs between runs, and whether the difference "
      "is real.",
      "assay");
  app.formatter(help_format());             // before the commands, which take it over
  if (unknown_command(argc, argv).empty())  // only then is it printed, and the folders of PATH are listed
    app.footer(listed_commands("Left out of this build (./dev build adds them)", left_out_commands()) +
               listed_commands("Added (programs assay-NAME)", external_commands()) + std::string(kHelpFooter));
  app.set_version_flag("--version", version_text());
  app.require_subcommand(1);
  CommandLine line{app};
  line.words.assign(argv, argv + argc);
  for (const Command& command : all_commands()) {
    command.add(line);
    app.get_subcommand(command.name)->group(command.group);
  }
  const std::vector<std::string> commands = command_names(app);
  if (const std::string word = unknown_command(argc, argv);
      !word.empty() && std::ranges::find(commands, word) == commands.end()) {
    if (const auto program = external_command(word); !program.empty()) {
      become(program, {argv + 2, static_cast<std::size_t>(argc - 2)});
      return fail(
          Error{fmt::format("'{}' cannot be started: {}", program.string(), std::strerror(errno)), Exit::kFailed}
              .at(program.string())
              .advise("check its permissions and its first line"));
    }
  }
  if (argc > 1 && line.passes_on == argv[1]) {
    const auto dashes = std::ranges::find(line.words, "--");
    argc = static_cast<int>(dashes - line.words.begin());
    if (dashes != line.words.end()) line.rest.assign(dashes + 1, line.words.end());
  }
  std::optional<document::Document> document;
  if (wants_document(argc, argv)) document.emplace(unknown_command(argc, argv));
  const auto finished = [&](Exit exit) { return document ? document->finish(exit) : exit; };
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) document.reset();  // --help is for people
    return finished(usage(app, error, argc, argv));
  }
  if (const Status log = start_log(line.quiet ? -1 : line.verbose, line.log_file); !log)
    return finished(fail(log.error()));
  load_formats_for(*app.get_subcommands().front());
  for (const CLI::Option* option : app.get_subcommands().front()->get_options()) {
    if (!option->get_positional()) continue;
    for (const std::string& word : option->results()) files::declare_input(word);
  }
  try {
    return finished(line.chosen());
  } catch (const std::exception& error) {
    return finished(ended_early(error));
  }
}

}  // namespace

int run_program(int argc, char** argv) {
  static_cast<void>(start_log(0, {}));
  try {
    const NoEarlyExit guard;
    const ScanNotice notice;
    name_crashes();
    report_full_files();
    // Every report would be one that cannot be opened.
    if (const std::size_t left = files_left(); left < kFewestFiles)
      return static_cast<int>(fail(
          Error{fmt::format("only {} more files can be opened here, but a profile needs up to {}", left, kFewestFiles)}
              .advise("raise the limit with 'ulimit -n 1024'")));
    std::vector<char*> words = normalized_arguments(argc, argv);
    Exit exit = dispatch(static_cast<int>(words.size()), words.data());
    if (!std::cout.flush() && exit == Exit::kOk)
      exit = fail(
          Error{"standard output cannot be written", Exit::kFailed}.advise("free some space or send it elsewhere"));
    return static_cast<int>(exit);
  } catch (const std::exception& error) {
    return static_cast<int>(ended_early(error));
  }
}

}  // namespace assay
