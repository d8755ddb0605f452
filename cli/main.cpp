// The command line: from arguments to one call.
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <iostream>
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
#include "cli/removed_words.hpp"
#include "cli/scan_notice.hpp"
#include "cli/tool.hpp"
#include "cli/version.hpp"
#include "files/did_you_mean.hpp"
#include "files/staged_file.hpp"
#include "plugins/formats.hpp"
#include "workers.hpp"

namespace {

using assay::Exit;

/// Needed besides the files that are open already: those of one worker, outputs and libraries.
constexpr std::size_t kFewestFiles = 16;

constexpr const char* kFooter = R"(Examples:
  assay look profile.sqlite
  assay init ~/profiles
  assay run profiles.toml --reports ~/profiles -o results
  assay query profile.sqlite 'SELECT short_name, count(*) FROM kernels GROUP BY 1'

Exit codes: 0 done; 1 --gate failed (a claim was refuted); 2 bad usage or configuration;
3 every profile or every analyzer failed (with --strict: any); 4 --gate found nothing to decide; 130 interrupted.)";

/// First word that is not an option at a place where a command is expected; empty if there is none.
std::string unknown_command(int argc, char** argv) {
  const bool word = argc > 1 && argv[1][0] != '-';
  return word ? argv[1] : "";
}

/// Whether --json occurs anywhere, so that errors of the command line go into the document too.
bool wants_document(int argc, char** argv) {
  const auto is_flag = [](const char* word) { return std::string_view(word) == "--json"; };
  return argc > 2 && std::any_of(argv + 2, argv + argc, is_flag);
}

Exit ended_early(const std::exception& error) {
  return assay::fail({"the run ended early: " + std::string(error.what()), Exit::kFailed});
}

/// " Did you mean '--reports'?", or the replacement of a removed option, for the first unknown option.
std::string nearest_option(const CLI::App& command, int argc, char** argv) {
  const std::vector<std::string> known = assay::long_options(command);
  for (int i = 2; i < argc; ++i) {
    const std::string_view whole = argv[i], word = whole.substr(0, whole.find('='));
    if (!word.starts_with("--") || std::ranges::find(known, word) != known.end()) continue;
    const std::string_view instead = assay::instead_of(word);
    return instead.empty() ? assay::did_you_mean(word, known) : fmt::format(" {} is gone; {}", word, instead);
  }
  return {};
}

/// CLI11 has several exit codes for bad usage; assay has one.
Exit usage(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
  const auto chosen = app.get_subcommands();
  const bool wants_text = error.get_exit_code() == 0;  // --help, --version
  if (wants_text && (!chosen.empty() || unknown_command(argc, argv).empty())) {
    app.exit(error);
    return Exit::kOk;
  }
  if (const std::string word = unknown_command(argc, argv); chosen.empty() && !word.empty()) {
    if (const std::string_view instead = assay::instead_of(word); !instead.empty())
      return assay::fail(
          assay::Error{fmt::format("the command '{}' is gone", word)}.at(word).advise(std::string(instead)));
    if (const auto left_out = assay::left_out_commands(); std::ranges::find(left_out, word) != left_out.end())
      return assay::fail(assay::Error{fmt::format("the command '{}' is left out of this build", word)}.at(word).advise(
          "./dev build adds it"));
    return assay::fail(assay::Error{"there is no command '" + word + "'."}.at(word).suggest(
        assay::did_you_mean(word, assay::command_names(app)) + " 'assay --help' lists them"));
  }
  const CLI::App& command = chosen.empty() ? app : *chosen.front();
  const std::string name = chosen.empty() ? "assay" : "assay " + command.get_name();
  const bool unexpected = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
  const std::string nearest = unexpected ? nearest_option(command, argc, argv) : std::string();
  return assay::fail(assay::Error{error.what()}
                         .advise("'" + name + " --help' shows the usage" + (nearest.empty() ? "" : "."))
                         .suggest(nearest));
}

/// Arguments as typed, except that `assay help look` becomes `assay look --help`, and `assay` and `assay help` become
/// `assay --help`.
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

/// Loads formats from the folders that the command and the environment name, before anything is read.
void load_formats_for(const CLI::App& command) {
  std::vector<std::filesystem::path> paths;
  if (const CLI::Option* option = command.get_option_no_throw("--plugin-path"))
    for (const std::string& folder : option->results()) paths.emplace_back(folder);
  for (const assay::RefusedPlugin& refused : assay::load_formats(assay::plugin_folders(paths))) {
    if (command.get_name() != "plugins") spdlog::warn("{}", refused.sentence);  // which lists refused plugins itself
  }
}

Exit dispatch(int argc, char** argv) {
  CLI::App app(
      "assay reads GPU profiles and shows what limits each run, what differs between runs, and whether the difference "
      "is real.",
      "assay");
  app.formatter(assay::help_format());  // before commands are added: they inherit it
  app.footer(kFooter);
  app.set_version_flag("--version", assay::version_text());
  app.require_subcommand(1);
  assay::CommandLine line{app};
  line.words.assign(argv, argv + argc);
  for (const assay::Command& command : assay::all_commands()) {
    command.add(line);
    app.get_subcommand(command.name)->group(command.group);
  }
  const std::vector<std::string> commands = assay::command_names(app);
  if (const std::string word = unknown_command(argc, argv);
      !word.empty() && std::ranges::find(commands, word) == commands.end() && assay::instead_of(word).empty()) {
    if (const auto program = assay::external_command(word); !program.empty()) {
      assay::become(program, {argv + 2, static_cast<std::size_t>(argc - 2)});
      return assay::fail(
          assay::Error{fmt::format("'{}' cannot be started: {}", program.string(), std::strerror(errno)), Exit::kFailed}
              .at(program.string())
              .advise("check its permissions and its first line"));
    }
  }
  if (argc > 1 && line.passes_on == argv[1]) {
    const auto dashes = std::ranges::find(line.words, "--");
    argc = static_cast<int>(dashes - line.words.begin());
    if (dashes != line.words.end()) line.rest.assign(dashes + 1, line.words.end());
  }
  std::optional<assay::document::Document> document;
  if (wants_document(argc, argv)) document.emplace(unknown_command(argc, argv));
  const auto finished = [&](Exit exit) { return document ? document->finish(exit) : exit; };
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) document.reset();  // --help is for people
    return finished(usage(app, error, argc, argv));
  }
  if (const assay::Status log = assay::start_log(line.quiet ? -1 : line.verbose, line.log_file); !log)
    return finished(assay::fail(log.error()));
  load_formats_for(*app.get_subcommands().front());
  for (const CLI::Option* option : app.get_subcommands().front()->get_options()) {
    if (!option->get_positional()) continue;
    for (const std::string& word : option->results()) assay::files::declare_input(word);
  }
  try {
    return finished(line.chosen());
  } catch (const std::exception& error) {
    return finished(ended_early(error));
  }
}

}  // namespace

int main(int argc, char** argv) {
  static_cast<void>(assay::start_log(0, {}));
  try {
    const assay::NoEarlyExit guard;
    const assay::ScanNotice notice;
    assay::name_crashes();
    assay::report_full_files();
    // No report could be opened with fewer.
    if (const std::size_t left = assay::files_left(); left < kFewestFiles) {
      return static_cast<int>(assay::fail(assay::Error{"only " + std::to_string(left) +
                                                       " more files can be opened here, but a profile needs up to " +
                                                       std::to_string(kFewestFiles)}
                                              .advise("raise the limit with 'ulimit -n 1024'")));
    }
    std::vector<char*> words = normalized_arguments(argc, argv);
    Exit exit = dispatch(static_cast<int>(words.size()), words.data());
    if (!std::cout.flush() && exit == Exit::kOk) {
      exit = assay::fail(assay::Error{"standard output cannot be written", Exit::kFailed}.advise(
          "free some space or send it elsewhere"));
    }
    return static_cast<int>(exit);
  } catch (const std::exception& error) {
    return static_cast<int>(ended_early(error));
  }
}
