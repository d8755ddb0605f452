#include "formats/ncu/ncu_load.hpp"

#include <optional>
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

/// Reads what can be read; the rest becomes issues. The first error when nothing can.
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

/// CSVs or a report by themselves: profiled launches and counters, no other table. Error, in one sentence, of the first
/// that cannot be read when none can (see NcuReader::read); of others an issue.
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

/// Of a file with the name of a report.
std::optional<Explanation> explain_ncu(const Candidate& file) {
  if (lower_extension(file.path) != ".ncu-rep") return std::nullopt;
  if (has_ncu_csv(file.path)) return Explanation{};
  return Explanation{"This file is not a readable Nsight Compute report (its first bytes are not those of one)",
                     "copy it again, or run assay convert '" + file.path.string() + "', which uses ncu --import --csv.",
                     true};
}

/// The launches of a file are told apart over all of them, as its pages are files of their own.
void join_ncu(Profile::Store& store, std::span<const std::filesystem::path> files, const WantedColumns& wanted) {
  NcuReader reader(store);
  if (read_all(reader, store, files)) {
    store.profiled.reset(), store.counters.reset();
    return;
  }
  const LaunchGroups groups = reader.finish();
  if (wanted.column(col::kernel_profiled)) match_kernels(store, groups, "ncu");
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

constinit const LinkedFormat kFormat{{"ncu", true, false, true},
                                     "Nsight Compute report",
                                     kNcuNames,
                                     sniff_ncu,
                                     ncu_environment,
                                     load_ncu,
                                     ncu_notes::kNotes,
                                     {explain_ncu, read_rules, join_ncu}};

}  // namespace

const Format& ncu_format() { return kFormat; }

}  // namespace assay::load
