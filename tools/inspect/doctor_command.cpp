// `assay doctor`: what is installed, what is missing, and how to get it.
#include <fmt/core.h>
#include <gnu/libc-version.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <fstream>
#include <iostream>
#include <thread>

#include "cache/store.hpp"
#include "cli/command_line.hpp"
#include "cli/json_document.hpp"
#include "cli/log.hpp"
#include "cli/tool.hpp"
#include "cli/version.hpp"
#include "files/program.hpp"
#include "inspect/machine_report.hpp"
#include "inspect/understanding.hpp"
#include "machine.hpp"
#include "plugins/plugins.hpp"
#include "recognise/profiles.hpp"
#include "recognise/step_name.hpp"
#include "render/format.hpp"
#include "render/text.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

/// "Debian GNU/Linux 12 (bookworm)"; empty if the system does not provide it.
std::string system_name() {
  std::ifstream file("/etc/os-release");
  for (std::string line; std::getline(file, line);) {
    constexpr std::string_view kKey = "PRETTY_NAME=";
    if (!line.starts_with(kKey)) continue;
    std::string name = line.substr(kKey.size());
    std::erase(name, '"');
    return name;
  }
  return {};
}

std::string machine_line() {
  utsname names{};
  static_cast<void>(uname(&names));
  const std::string system = system_name();
  const auto pages = static_cast<double>(sysconf(_SC_PHYS_PAGES)), page = static_cast<double>(sysconf(_SC_PAGESIZE));
  return fmt::format("{}: {}, {}, {}, {} of memory, glibc {}", one_line(host_name()),
                     system.empty() ? std::string(names.sysname) : one_line(system), names.machine,
                     counted(std::max(1U, std::thread::hardware_concurrency()), "core"),
                     quantity(pages * page, "bytes"), gnu_get_libc_version());
}

void look_for_plugins(const std::vector<fs::path>& folders, MachineReport& findings) {
  const Plugins plugins = load_plugins(plugin_folders(folders));
  findings.row("analyzers", std::to_string(plugins.loaded.size()) + " loaded",
               std::to_string(plugins.refused.size()) + " refused", folders_searched(plugins));
  for (const RefusedPlugin& refused : plugins.refused) findings.advise(refused.sentence);
  if (plugins.loaded.empty())
    findings.advise("no analyzer was found; name their folder with --plugin-path or in ASSAY_PLUGIN_PATH");
}

void look_for_questions(MachineReport& findings) {
  const fs::path folder = installed_questions();
  std::error_code failed;
  std::size_t count = 0;
  for (const auto& entry : fs::directory_iterator(folder, failed))
    count += entry.path().extension() == ".toml" ? 1U : 0U;
  findings.row("questions", folder.string(), std::to_string(count), "copy one and describe what your file names mean");
  if (count == 0) {
    findings.advise("no questions in '" + folder.string() +
                    "', where an installation keeps them; unpack it again, completely and with its permissions");
  }
}

void look_for_cache(MachineReport& findings) {
  const std::optional<fs::path> folder = cache::default_folder();
  if (!folder) {
    findings.row("cache", "none", "-", "stores what was measured");
    return findings.advise(
        "cache: neither XDG_CACHE_HOME nor HOME names a folder; set one, or give --cache to 'assay run'");
  }
  std::error_code failed;
  double bytes = 0;
  std::size_t entries = 0;
  for (auto at = fs::recursive_directory_iterator(*folder, failed); !failed && at != fs::recursive_directory_iterator();
       at.increment(failed)) {
    std::error_code gone;
    if (!at->is_regular_file(gone)) continue;
    ++entries;
    bytes += static_cast<double>(at->file_size(gone));
  }
  findings.row("cache", folder->string(), std::to_string(entries) + (entries == 1 ? " entry" : " entries"),
               quantity(bytes, "bytes") + " of what was measured");
}

struct DoctorCommand {
  std::vector<fs::path> places, plugin_paths;
  RowFormat format = RowFormat::kTable;
};

Exit doctor(const DoctorCommand& options) {
  if (!options.places.empty() && options.format != RowFormat::kTable)
    return fail(
        Error{"--format has rows of the environment alone"}.advise("'assay list --format json' has those of profiles"));
  const Result<Catalog> catalog = options.places.empty() ? Catalog() : profiles_at(options.places, {});
  if (!catalog) return fail(catalog.error());
  if (options.format == RowFormat::kTable) std::cout << version_text() << "\n" << machine_line() << "\n\n";
  MachineReport findings;
  for (const Tool* tool : linked_tools()) {
    if (tool->describe_machine != nullptr) tool->describe_machine(findings);
  }
  look_for_plugins(options.plugin_paths, findings);
  look_for_questions(findings);
  look_for_cache(findings);
  findings.print(options.format);
  if (!options.places.empty()) print_understanding(*catalog, read_each(*catalog), run_table(*catalog), std::cout);
  return Exit::kOk;
}

}  // namespace

void add_doctor(CommandLine& line) {
  constexpr const char* kFooter =
      R"(Changes nothing. Lists what is missing and how to get it; of profiles that are named, what they are understood as.

Examples:
  assay doctor
  assay doctor ~/profiles
  assay doctor --plugin-path ~/my_analyzers)";
  const auto options = std::make_shared<DoctorCommand>();
  CLI::App& command = line.add("doctor", "Check the environment and report missing tools", kFooter, options, &doctor);
  add_option(command, "place", options->places, "Also show what these profiles, or folders of them, are understood as")
      ->type_name("REPORT|DIR");
  document::add_rows(command, options->format);
  add_plugin_path(command, options->plugin_paths);
}

}  // namespace assay
