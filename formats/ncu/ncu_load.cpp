#include "formats/ncu/ncu_load.hpp"

#include <optional>
#include <string_view>
#include <vector>

#include "files/walk.hpp"
#include "formats/ncu/notes.hpp"
#include "formats/ncu/read_ncu.hpp"
#include "formats/ncu/rep_file.hpp"
#include "formats/ncu/rep_rules.hpp"
#include "formats/ncu/sniff_ncu.hpp"
#include "load/launch.hpp"
#include "sqlite/database.hpp"

namespace assay::load {
namespace {

/// Reads what is readable and turns the rest into issues. Returns the first error if nothing is readable.
std::optional<Error> read_all(NcuReader& reader, Profile::Store& store, std::span<const std::filesystem::path> files) {
  std::optional<Error> first;
  bool any = false;
  for (const std::filesystem::path& file : files) {
    const Status read = reader.read(file);
    any = any || read.ok();
    if (read) continue;
    if (!first) first = read.error();
    store.issues.push_back({"ncu_unreadable", Severity::kError, 0, read.error().sentence + "."});
  }
  return any ? std::nullopt : first;
}

/// Standalone CSVs or a report: profiled launches and counters, no other tables. If no file is readable, the error of
/// the first (see NcuReader::read); otherwise unreadable files become issues.
Result<std::unique_ptr<Profile::Store>> load_ncu(const LoadRequest& request) {
  auto store = std::make_unique<Profile::Store>();
  store->name = request.name;
  std::vector<std::filesystem::path> files{request.path};
  files.insert(files.end(), request.counters.begin(), request.counters.end());
  NcuReader reader(*store);
  const std::optional<Error> none = read_all(reader, *store, files);
  if (none) return *none;
  reader.finish();
  return store;
}

Environment ncu_environment(const Candidate& file) {
  Environment out;
  if (!is_rep(file.head)) {
    add_to(out, "device", ncu_device(file.path));
    add_to(out, "profiler", "Nsight Compute");
    return out;
  }
  const RepSession session = rep_session(file.path);
  add_to(out, "device", session.device);
  std::string profiler = "Nsight Compute";
  for (const auto& [component, version] : session.components) {
    if (component == "CUDA Version") add_to(out, "cuda", version);
    if (component == "Nsight Compute Target") profiler += " " + version.substr(0, version.find(' '));
  }
  add_to(out, "profiler", profiler);
  return out;
}

bool sniff_ncu(const Candidate& file) {
  if (is_rep(file.head)) return !has_ncu_csv(file.path);
  return !file.head.starts_with(sqlite::kMagic) && is_ncu_csv(file.path);
}

/// For a table of ncu that was saved by another program or edited: its first columns still tell whose it is.
std::optional<Explanation> explain_table(std::string_view head) {
  for (const std::string_view column : {"Process ID", "Process Name", "Host Name"}) {
    if (head.find(column) == std::string_view::npos) return std::nullopt;
  }
  const std::string_view behind = head.substr(head.find("Process ID") + std::string_view("Process ID").size());
  const bool semicolons = behind.starts_with(';') || behind.starts_with("\";");
  return Explanation{semicolons ? "This table of Nsight Compute is separated by semicolons, as spreadsheets save it"
                                : "This table of Nsight Compute lacks the column 'ID' or 'Kernel Name'",
                     "write it again with ncu --import REPORT --csv.", true};
}

/// For a file named like a report.
std::optional<Explanation> explain_ncu(const Candidate& file) {
  if (lower_extension(file.path) == ".csv") return explain_table(file.head);
  if (lower_extension(file.path) != ".ncu-rep") return std::nullopt;
  if (has_ncu_csv(file.path)) return Explanation{};
  return Explanation{"This file is not a readable Nsight Compute report (its first bytes are not those of one)",
                     "copy it again, or run assay convert '" + file.path.string() + "', which uses ncu --import --csv.",
                     true};
}

/// Launches are matched over all files, since each page of a profile is a separate file.
void join_ncu(Profile::Store& store, std::span<const std::filesystem::path> files, const WantedColumns& wanted) {
  NcuReader reader(store);
  if (read_all(reader, store, files)) {
    store.profiled.reset();
    store.counters.reset();
    return;
  }
  const LaunchGroups groups = reader.finish();
  if (wanted.column(col::kernel_profiled)) match_kernels(store, groups, "ncu");
}

Result<std::vector<RuledLaunch>> ncu_rules(const std::filesystem::path& file) {
  return is_ncu_csv(file) ? read_text_rules(file) : read_rules(file);
}

constexpr std::string_view kNcuExtensions[] = {".ncu.details.csv", ".ncu.raw.csv", ".ncu.csv", ".csv", ".ncu-rep"},
                           kNcuTelling[] = {".ncu-rep"}, kNcuGlobs[] = {"**/*.csv", "**/*.ncu-rep"};
constexpr FormatNames kNcuNames{kNcuExtensions,
                                kNcuTelling,
                                {},
                                kNcuGlobs,
                                "reports of Nsight Compute (.ncu-rep, .csv)",
                                "a report of Nsight Compute",
                                "copy it again"};

constinit const LinkedFormat kFormat{
    {"ncu", true, false, true}, "Nsight Compute report",           kNcuNames, sniff_ncu, ncu_environment, load_ncu,
    ncu_notes::kNotes,          {explain_ncu, ncu_rules, join_ncu}};

}  // namespace

const Format& ncu_format() { return kFormat; }

}  // namespace assay::load
