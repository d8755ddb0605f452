// Shared by the files of commands: registration on the command line, and options that several commands have.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "process/contained.hpp"
#include "result.hpp"

namespace assay {

struct SqlLimits;

/// The command line while it is built and parsed. A command's file adds its subcommand and options to `app`; if the
/// subcommand is given, its callback sets `chosen`, which is called once the log is open.
struct CommandLine {
  CLI::App& app;
  int verbose = 0;            ///< -v: how often
  bool quiet = false;         ///< -q
  std::string log_file = {};  ///< --log-file; empty: none
  std::function<Exit()> chosen = {};
  std::vector<std::string> words = {};  ///< as typed, the program's name first
  std::string passes_on = {};           ///< the command that passes words after "--" to another program
  std::vector<std::string> rest = {};   ///< words after "--" of that command

  /// Adds a subcommand that calls `run(*options)`; the Options live as long as the command line.
  template <class Options, class Run>
  CLI::App& add(const char* name, const char* summary, const char* footer, const std::shared_ptr<Options>& options,
                Run run) {
    return add_command(name, summary, footer, [options, run] { return run(*options); });
  }
  CLI::App& add_command(const char* name, const char* summary, const char* footer, std::function<Exit()> run);
};

/// One command of the program.
struct Command {
  const char* name;
  const char* group;               ///< its heading in `assay --help`
  int place;                       ///< in `assay --help`, ascending
  void (*add)(CommandLine& line);  ///< adds the command as a subcommand of that name
};

/// Like App::add_option and App::add_flag. Declared here and instantiated in options.cpp for each type of variable, so
/// that only one file compiles CLI11's option templates.
template <class T>
CLI::Option* add_option(CLI::App& command, const std::string& name, T& to, const std::string& help);
template <class T>
CLI::Option* add_option_function(CLI::App& command, const std::string& name, const std::function<void(const T&)>& set,
                                 const std::string& help = "");
CLI::Option* add_flag(CLI::App& command, const std::string& name, bool& to, const std::string& help);
CLI::Option* add_flag(CLI::App& command, const std::string& name);
CLI::Option* add_flag_callback(CLI::App& command, const std::string& name, const std::function<void()>& given,
                               const std::string& help);
/// The value is one of these.
CLI::Validator one_of(const std::vector<std::string>& words);

/// Help layout: value names without the rules they are checked by, and lines that fit the terminal.
std::shared_ptr<CLI::FormatterBase> help_format();

/// Names of all commands, in the order of the help.
std::vector<std::string> command_names(const CLI::App& app);
/// "--reports", ...: the long names of a command's options.
std::vector<std::string> long_options(const CLI::App& command);

/// Adds a repeatable option whose value is a folder.
void add_folders(CLI::App& command, const char* name, std::vector<std::filesystem::path>& to, const char* help);
/// --trust-plugins, for commands that run questions.
void add_trust_plugins(CLI::App& command, bool& to);
/// --plugin-path
void add_plugin_path(CLI::App& command, std::vector<std::filesystem::path>& to);
/// --plugin-path for a command that runs no analyzers: main.cpp loads the formats in it.
void add_format_path(CLI::App& command);
/// -j; `what` is counted, as in "Profiles read in parallel".
void add_jobs(CLI::App& command, unsigned& to, const std::string& what);
/// --force, for a result folder.
void add_force(CLI::App& command, bool& to);
/// Accepts numbers from `least` to `most`; the message of CLI::Range differs between versions of CLI11.
CLI::Validator in_range(double least, double most);
/// -v, counted. A function, because CLI11 2.4 treats a flag that counts into an integer as given if another option
/// excludes it.
CLI::Option* add_verbose(CLI::App& command, CommandLine& line, const char* help = "Print more detail per question");
/// Adds limits on time and memory of `of`; `needed`: the option without which they have no effect.
void add_limits(CLI::App& command, const char* time, const char* memory, process::Limits& to, const std::string& of,
                CLI::Option* needed = nullptr);
/// Like add_limits, for SQL statements, whose limits always apply; 0: none.
void add_sql_limits(CLI::App& command, const char* time, const char* memory, SqlLimits& to, const std::string& of);

}  // namespace assay
