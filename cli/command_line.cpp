#include "cli/command_line.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "assay/detail/text.hpp"
#include "cli/sql_limits.hpp"
#include "cli/terminal.hpp"
#include "render/text.hpp"

namespace assay {
namespace {

class HelpFormat final : public CLI::Formatter {
  static constexpr std::size_t kColumn = 30, kMin = 40;  // column where descriptions begin, and their minimum width

 public:
  /// Shows the type only: CLI11 would add "in {direct->0,sqlite->1} OR {0,1}", which its message about an invalid value
  /// contains anyway.
  std::string make_option_opts(const CLI::Option* option) const override {
    if (option->get_type_size() == 0) return {};
    const std::string type = option->get_type_name(), otherwise = option->get_default_str();
    std::string text = type.empty() ? "" : " " + type.substr(0, type.find(':'));
    if (!otherwise.empty()) text += "=" + otherwise;
    return text + (option->get_expected_max() > 1 ? " ..." : "");
  }

  std::string make_option_desc(const CLI::Option* option) const override {
    std::string text;
    const std::size_t width = output_style().width;
    for (const std::string& line : wrapped(option->get_description(), std::max(width, kColumn + kMin) - kColumn))
      text += (text.empty() ? "" : "\n") + line;
    return text;
  }
};

}  // namespace

CLI::App& CommandLine::add_command(const char* name, const char* summary, const char* footer,
                                   std::function<Exit()> run) {
  CLI::App* command = app.add_subcommand(name, summary);
  command->footer(footer);
  command->callback([this, run = std::move(run)] { chosen = run; });
  return *command;
}

std::shared_ptr<CLI::FormatterBase> help_format() { return std::make_shared<HelpFormat>(); }

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

std::vector<std::string> long_options(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

void add_folders(CLI::App& command, const char* name, std::vector<std::filesystem::path>& to, const char* help) {
  add_option(command, name, to, help)->type_name("DIR")->allow_extra_args(false);
}

void add_plugin_path(CLI::App& command, std::vector<std::filesystem::path>& to) {
  add_folders(
      command, "--plugin-path", to,
      "Folder with analyzers and formats, searched before $ASSAY_PLUGIN_PATH and the installed ones; may be repeated");
}

void add_format_path(CLI::App& command) {
  command.add_option("--plugin-path", "Folder with formats, searched before $ASSAY_PLUGIN_PATH and the installed ones")
      ->type_name("DIR")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void add_trust_plugins(CLI::App& command, bool& to) {
  add_flag(command, "--trust-plugins", to, "Run the libraries in [plugins] folders of the question");
}

void add_jobs(CLI::App& command, unsigned& to, const std::string& what) {
  add_option(command, "-j,--jobs", to, what + " (default: one per core)")->type_name("N")->check(in_range(1, 1024));
}

void add_force(CLI::App& command, bool& to) {
  add_flag(command, "--force", to, "Also write to a folder that holds files which assay did not write");
}

CLI::Validator in_range(double least, double most) {
  const auto checked = [=](const std::string& text) -> std::string {
    const auto value = number_in<double>(text);
    if (value && *value >= least && *value <= most) return {};
    const auto share = text.ends_with('%') ? number_in<double>(text.substr(0, text.size() - 1)) : std::nullopt;
    if (share) return fmt::format("{} is written {:g}", text, *share / 100);
    return fmt::format("Value {} not in range {} to {}", text, least, most);
  };
  return CLI::Validator(checked, "");
}

CLI::Option* add_verbose(CLI::App& command, CommandLine& line, const char* help) {
  return command.add_flag_function(
      "-v,--verbose", [&line](std::int64_t count) { line.verbose = static_cast<int>(count); }, help);
}

void add_limits(CLI::App& command, const char* time, const char* memory, process::Limits& to, const std::string& of,
                CLI::Option* needed) {
  CLI::Option* options[] = {
      add_option_function<unsigned>(
          command, time, [&to](unsigned seconds) { to.time = std::chrono::seconds(seconds); },
          fmt::format("Time limit for {} (default: {})", of, to.time.count() / 1000))
          ->type_name("SECONDS")
          ->check(in_range(1, 1000000)),
      add_option_function<unsigned>(
          command, memory, [&to](unsigned megabytes) { to.memory = std::uint64_t{megabytes} << 20; },
          "Memory limit (default: " + std::to_string(to.memory >> 20) + ")")
          ->type_name("MB")
          ->check(in_range(1, 1 << 30))};
  for (CLI::Option* option : options)
    if (needed != nullptr) option->needs(needed);
}

void add_sql_limits(CLI::App& command, const char* time, const char* memory, SqlLimits& to, const std::string& of) {
  const auto unless_set = [](unsigned value) { return "; 0: no limit (default: " + std::to_string(value) + ")"; };
  add_option(command, time, to.seconds, "Time limit for " + of + unless_set(to.seconds))->type_name("SECONDS");
  add_option(command, memory, to.megabytes, "Memory limit for " + of + unless_set(to.megabytes))->type_name("MIB");
}

}  // namespace assay
