// What the files of commands share: how a command joins the command line, and options that several have.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "load/reader.hpp"
#include "process/contained.hpp"
#include "result.hpp"

namespace assay {

struct SqlLimits;

/// The command line while it is made and read. A command's file adds its subcommand and options of its own to `app`;
/// when it is the one that was given, its callback sets `chosen`, which is called when the log is open.
struct CommandLine {
  CLI::App& app;
  int verbose = 0;            ///< -v: how often
  bool quiet = false;         ///< -q
  std::string log_file = {};  ///< --log-file; empty: none
  std::function<Exit()> chosen = {};
  std::vector<std::string> words = {};  ///< as typed, the program's name first
  std::string passes_on = {};           ///< the command that hands what stands after "--" to another program
  std::vector<std::string> rest = {};   ///< of that command: what stands after "--"

  /// A subcommand that calls `run(*options)`; `Options` live as long as the command line.
  template <class Options, class Run>
  CLI::App& add(const char* name, const char* summary, const char* footer, std::shared_ptr<Options> options, Run run) {
    CLI::App* command = app.add_subcommand(name, summary);
    command->footer(footer);
    command->callback([this, options, run] { chosen = [options, run] { return run(*options); }; });
    return *command;
  }
};

/// One command of the program.
struct Command {
  const char* name;
  const char* group;               ///< its heading in `assay --help`
  int place;                       ///< in `assay --help`, ascending
  void (*add)(CommandLine& line);  ///< joins the command line as a subcommand of that name
};

/// How help is laid out: what a value is called without the rules it is checked by, and lines that fit the terminal.
std::shared_ptr<CLI::FormatterBase> help_format();

/// Names of all commands, in the order of the help.
std::vector<std::string> command_names(const CLI::App& app);
/// "--reports", ...: the long names of a command's options.
std::vector<std::string> long_options(const CLI::App& command);

/// An option that takes a folder and may be repeated.
void add_folders(CLI::App& command, const char* name, std::vector<std::filesystem::path>& to, const char* help);
/// An option as it was called before, in no help: gives its values to `set_path` and says what it is called now.
void add_old_name(CLI::App& command, const std::string& old, const std::string& now,
                  std::function<void(const std::filesystem::path&)> set_path);
/// --trust-plugins, of a command that runs questions
void add_trust_plugins(CLI::App& command, bool& to);
/// --plugin-path
void add_plugin_path(CLI::App& command, std::vector<std::filesystem::path>& to);
/// --plugin-path of a command that runs no analyzer: main.cpp loads the formats in it
void add_format_path(CLI::App& command);
/// -j: `what` there are so many of, "Profiles read in parallel"
void add_jobs(CLI::App& command, unsigned& to, const std::string& what);
/// --force, of a folder of results
void add_force(CLI::App& command, bool& to);
/// --reader
void add_reader(CLI::App& command, Reader& to);
/// Numbers from `least` to `most`: what CLI::Range says of others differs between its versions.
CLI::Validator in_range(double least, double most);
/// -v, counted. As a function: CLI11 2.4 takes a flag that counts into an integer for given where another excludes it.
CLI::Option* add_verbose(CLI::App& command, CommandLine& line, const char* help = "Print more detail per question");
/// Longest time and most memory for `of`; `needed`: the option without which they mean nothing.
void add_limits(CLI::App& command, const char* time, const char* memory, process::Limits& to, const std::string& of,
                CLI::Option* needed = nullptr);
/// The same of statements of SQL, whose limits always hold; 0: none.
void add_sql_limits(CLI::App& command, const char* time, const char* memory, SqlLimits& to, const std::string& of);

}  // namespace assay
