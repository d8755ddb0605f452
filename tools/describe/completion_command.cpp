// Shell completion scripts, generated from the command line itself.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <iterator>

#include "algo/nsys/reports.hpp"
#include "cli/command_line.hpp"
#include "cli/external_command.hpp"

namespace assay {
namespace {

/// Commands whose argument is an analyzer id.
constexpr const char* kOfIds = "bench|describe";
constexpr const char* kShells = "bash zsh fish";
/// Analyzer ids: the first column of a table that ends with an empty line.
constexpr const char* kIds = R"(assay plugins 2>/dev/null | awk 'NR > 1 && NF == 0 { exit } NR > 1 { print $1 }')";
/// Metrics: the first column of a table.
constexpr const char* kMetrics = R"(assay describe --metrics 2>/dev/null | awk 'NR > 1 { print $1 }')";
/// Options whose value is a metric.
constexpr const char* kOfMetrics = "--metric";

/// Values of `stats --report`.
std::string nsys_report_names() {
  std::string names;
  for (const NsysReport& report : kNsysReports) names.append(names.empty() ? "" : " ").append(report.name);
  return names;
}

/// Also for zsh, which runs bash completion functions after bashcompinit. Completes file names if there is no other
/// match.
std::string bash_script(const CLI::App& app) {
  std::string cases;
  for (const CLI::App* command : app.get_subcommands({}))
    cases += fmt::format("    {}) words=\"{}\" ;;\n", command->get_name(),
                         fmt::format("{}", fmt::join(long_options(*command), " ")));
  std::vector<std::string> commands = command_names(app);
  std::ranges::copy(external_commands(), std::back_inserter(commands));
  return fmt::format(
      "_assay() {{\n  local word=${{COMP_WORDS[COMP_CWORD]}} command=${{COMP_WORDS[1]}} words=\n  COMPREPLY=()\n  case "
      "$command in\n{}  esac\n  if [ \"$COMP_CWORD\" -eq 1 ]; then\n    words=\"{}\"\n  elif [[ $word != -* ]]; then\n "
      "   words=\n    case $command in {}) words=$({}) ;; completion) words=\"{}\" ;; esac\n  fi\n  case "
      "${{COMP_WORDS[COMP_CWORD-1]}} in {}) words=$({}) ;; --report|-r) [ $command = stats ] && words=\"{}\" ;; esac\n "
      " COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n}}\ncomplete -o bashdefault -o default -F _assay assay\n",
      cases, fmt::format("{}", fmt::join(commands, " ")), kOfIds, kIds, kShells, std::string(kOfMetrics), kMetrics,
      nsys_report_names());
}

std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text.substr(0, text.find('\n')))
    out += c == '\'' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return out + "'";
}

/// A command line in double quotes for fish, where '$' would name a variable.
std::string in_fish(std::string command) {
  for (std::size_t at = 0; (at = command.find('$', at)) != std::string::npos; at += 2) command.insert(at, "\\");
  return command;
}

std::string fish_script(const CLI::App& app) {
  std::string out;
  for (const CLI::App* command : app.get_subcommands({})) {
    const std::string& name = command->get_name();
    out += fmt::format("complete -c assay -n __fish_use_subcommand -a {} -d {}\n", name,
                       quoted(command->get_description()));
    for (const CLI::Option* option : command->get_options()) {
      for (const std::string& word : option->get_lnames()) {
        out += fmt::format("complete -c assay -n '__fish_seen_subcommand_from {}' -l {} -d {}{}{}{}\n", name, word,
                           quoted(option->get_description()), option->get_expected_max() > 0 ? " -r" : "",
                           word == "report" && name == "stats" ? " -f -a \"" + nsys_report_names() + "\"" : "",
                           word == "metric" ? " -f -a \"(" + in_fish(kMetrics) + ")\"" : "");
      }
    }
  }
  for (const std::string& name : external_commands())
    out += fmt::format("complete -c assay -n __fish_use_subcommand -a {} -d 'assay-{}'\n", name, name);
  out += "complete -c assay -n '__fish_seen_subcommand_from completion' -f -a '" + std::string(kShells) + "'\n";
  return fmt::format("{}complete -c assay -n '__fish_seen_subcommand_from bench describe' -a \"({})\"\n", out,
                     in_fish(kIds));
}

Exit print_completion(const std::string& shell, const CLI::App& app) {
  if (shell == "zsh") std::cout << "autoload -U +X bashcompinit && bashcompinit\n";
  std::cout << (shell == "fish" ? fish_script(app) : bash_script(app));
  return Exit::kOk;
}

}  // namespace

void add_completion(CommandLine& line) {
  constexpr const char* kFooter = R"text(Examples:
  eval "$(assay completion bash)"           # in ~/.bashrc
  eval "$(assay completion zsh)"            # in ~/.zshrc
  assay completion fish > ~/.config/fish/completions/assay.fish)text";
  const auto shell = std::make_shared<std::string>();
  CLI::App& command = line.add("completion", "Print a shell completion script", kFooter, shell,
                               [&line](const auto& name) { return print_completion(name, line.app); });
  add_option(command, "shell", *shell, "Which shell")->required()->check(one_of({"bash", "zsh", "fish"}));
}

}  // namespace assay
