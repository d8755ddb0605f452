// `assay doctor`: what is installed here, what is missing, and how to get it.
#include <gnu/libc-version.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <iostream>
#include <thread>

#include "cache/store.hpp"
#include "cli/command_line.hpp"
#include "cli/commands.hpp"
#include "cli/json_document.hpp"
#include "cli/log.hpp"
#include "cli/terminal.hpp"
#include "cli/understanding.hpp"
#include "cli/version.hpp"
#include "convert/tool.hpp"
#include "files/program.hpp"
#include "machine.hpp"
#include "plugins/plugins.hpp"
#include "recognise/profiles.hpp"
#include "recognise/step_name.hpp"
#include "record/conditions.hpp"
#include "render/format.hpp"
#include "render/text.hpp"
#include "render/text_table.hpp"
#include "some_of.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

/// A program that assay starts, what for, and how to get it.
struct Helper {
  const char* name;
  const char* purpose;
  const char* advice;
};
/// Of each convert::Tool.
constexpr const char* kConverts[] = {"converts .nsys-rep, records", "converts .ncu-rep, records counters"};
constexpr const char* kReadAnyway[] = {"exports to SQLite are read without it", "its CSVs are read without it"};
constexpr Helper kOthers[] = {
    {"nvidia-smi", "reads GPU, clocks and temperature of recorded runs",
     "it comes with the NVIDIA driver; runs on AMD GPUs are recorded without it, and profiles are read without it"},
    {"numactl", "binds recorded runs to NUMA nodes", "package numactl; only [experiment] bind needs it"}};

/// "Debian GNU/Linux 12 (bookworm)"; empty where the system does not say.
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
  return one_line(host_name()) + ": " + (system.empty() ? std::string(names.sysname) : one_line(system)) + ", " +
         names.machine + ", " + counted(std::max(1U, std::thread::hardware_concurrency()), "core") + ", " +
         quantity(pages * page, "bytes") + " of memory, glibc " + gnu_get_libc_version();
}

/// Rows of what was found, and what there is to be done about the rest.
class Findings {
 public:
  void found(const Helper& helper, const fs::path& program, const std::string& version) {
    row(helper.name, program.string(), version.empty() ? "-" : version, helper.purpose);
  }
  void missing(const Helper& helper, const std::string& why) {
    row(helper.name, "missing", "-", helper.purpose);
    advise(std::string(helper.name) + ": " + (why.empty() ? "" : why + "; ") + helper.advice);
  }
  void row(const std::string& what, const std::string& found, const std::string& version, const std::string& purpose) {
    rows_.push_back({{what, found, version, purpose}, {}});
  }
  /// Of the last row.
  void advise(const std::string& sentence) { rows_.back().advice.push_back(sentence); }

  /// For programs the advice is a column.
  void print(RowFormat format) const {
    const bool for_people = format == RowFormat::kTable;
    std::vector<TextTable::Column> columns{{"what"}, {"found"}, {"version"}, {"for"}};
    if (!for_people) columns.push_back({"advice"});
    TextTable table(std::move(columns));
    std::string advice;
    for (const Row& row : rows_) {
      std::vector<std::string> cells = row.cells;
      if (!for_people) cells.push_back(some_of(row.advice, row.advice.size()));
      table.row(cells);
      for (const std::string& line : row.advice) advice += "  " + one_line(line) + "\n";
    }
    table.write(std::cout, format, table_width());
    if (for_people && !advice.empty()) std::cout << "\nWhat is missing or wrong\n" << advice;
  }

 private:
  struct Row {
    std::vector<std::string> cells, advice;
  };
  std::vector<Row> rows_;
};

void look_for_tool(convert::Tool tool, Findings& findings) {
  const convert::ToolWords& words = convert::words_of(tool);
  const std::string name(words.name), advice = "get " + std::string(words.product) + ": " + std::string(words.site) +
                                               ", or the package " + std::string(words.package) +
                                               " of NVIDIA's repository; " + kReadAnyway[static_cast<int>(tool)];
  const Helper helper{name.c_str(), kConverts[static_cast<int>(tool)], advice.c_str()};
  const std::atomic<bool> never{false};
  const Result<convert::FoundTool> found = convert::find_tool(tool, {}, never);
  if (!found) return findings.missing(helper, found.error().sentence);
  if (found->program.empty()) return findings.missing(helper, "");
  findings.found(helper, found->program, found->version);
}

/// rocprofv3, and which ROCm it belongs to.
void look_for_rocm(Findings& findings) {
  constexpr Helper kRocprof{"rocprofv3", "records on AMD GPUs",
                            "it comes with ROCm 7: rocm.docs.amd.com, or the package rocprofiler-sdk of AMD's "
                            "repository; its databases (.db) are read without it"};
  const auto program = program_on_path(kRocprof.name);
  if (!program) {
    std::error_code failed;
    const bool hidden = fs::exists("/opt/rocm/bin/rocprofv3", failed);
    return findings.missing(kRocprof, hidden ? "/opt/rocm/bin is not in PATH" : "");
  }
  std::error_code failed;
  const fs::path real = fs::canonical(*program, failed);
  std::ifstream file(real.parent_path().parent_path() / ".info/version");
  std::string version;
  std::getline(file, version);
  findings.found(kRocprof, *program, version.empty() ? "" : "ROCm " + one_line(version));
}

void look_for_gpus(Findings& findings) {
  std::error_code failed;
  if (fs::exists("/dev/kfd", failed))
    findings.row("AMD GPUs", "/dev/kfd", "-", "used for recorded runs; their clocks and temperature are not read");

  const record::Observer observer;
  if (!observer.has_gpus()) return;
  const record::Conditions now = observer.look();
  if (now.gpus.empty()) findings.advise("nvidia-smi lists no GPU; 'nvidia-smi -L' says why");
  for (const record::GpuState& gpu : now.gpus)
    findings.row("GPU " + gpu.index, gpu.name, "driver " + gpu.driver, "used for recorded runs");
}

void look_for_plugins(const std::vector<fs::path>& folders, Findings& findings) {
  const Plugins plugins = load_plugins(plugin_folders(folders));
  findings.row("analyzers", std::to_string(plugins.loaded.size()) + " loaded",
               std::to_string(plugins.refused.size()) + " refused", folders_searched(plugins));
  for (const RefusedPlugin& refused : plugins.refused) findings.advise(refused.sentence);
  if (plugins.loaded.empty())
    findings.advise("no analyzer was found; name their folder with --plugin-path or in ASSAY_PLUGIN_PATH");
}

void look_for_questions(Findings& findings) {
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

void look_for_cache(Findings& findings) {
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
  Findings findings;
  for (const convert::Tool tool : {convert::Tool::kNsys, convert::Tool::kNcu}) look_for_tool(tool, findings);
  look_for_rocm(findings);
  for (const Helper& helper : kOthers) {
    const auto program = program_on_path(helper.name);
    program ? findings.found(helper, *program, "") : findings.missing(helper, "");
  }
  look_for_gpus(findings);
  look_for_plugins(options.plugin_paths, findings);
  look_for_questions(findings);
  look_for_cache(findings);
  findings.print(options.format);
  if (!options.places.empty()) print_understanding(*catalog, step_names(*catalog), std::cout);
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
  command.add_option("place", options->places, "Also show what these profiles, or folders of them, are understood as")
      ->type_name("REPORT|DIR");
  document::add_rows(command, options->format);
  add_plugin_path(command, options->plugin_paths);
}

}  // namespace assay
