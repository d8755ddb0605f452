#include "app/command_line.hpp"

#include <map>

namespace assay {

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

std::vector<std::string> long_options(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

void add_folders(CLI::App& command, const char* name, std::vector<std::filesystem::path>& to, const char* help) {
  command.add_option(name, to, help)->type_name("DIR")->allow_extra_args(false);
}

void add_plugin_path(CLI::App& command, std::vector<std::filesystem::path>& to) {
  add_folders(command, "--plugin-path", to,
              "Folder with analyzers, searched before $ASSAY_PLUGIN_PATH and the installed ones; may be repeated");
}

void add_jobs(CLI::App& command, unsigned& to, const std::string& what) {
  command.add_option("-j,--jobs", to, what + " (default: one a core)")->type_name("N")->check(CLI::Range(1, 1024));
}

void add_force(CLI::App& command, bool& to) {
  command.add_flag("--force", to, "Also write to a folder that holds files which assay did not write");
}

void add_reader(CLI::App& command, Reader& to) {
  command
      .add_option("--reader", to,
                  "How large tables are read: 'direct' decodes the pages of the file, 'sqlite' asks the library")
      ->type_name("direct|sqlite")
      ->transform(CLI::CheckedTransformer(
          std::map<std::string, Reader>{{"direct", Reader::kDirect}, {"sqlite", Reader::kSqlite}}));
}

void add_verbose(CLI::App& command, CommandLine& line) {
  command.add_flag("-v,--verbose", line.verbose, "Say more of each question");
}

void add_limits(CLI::App& command, const char* time, const char* memory, isolate::Limits& to, const std::string& of,
                CLI::Option* needed) {
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

}  // namespace assay
