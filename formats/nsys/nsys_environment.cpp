#include "formats/nsys/nsys_environment.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "assay/detail/text.hpp"
#include "load/environment.hpp"
#include "load/seen_file.hpp"
#include "sqlite/database.hpp"

namespace assay::load {
namespace {

/// Steps of SQLite's virtual machine: about a second. In place of a table there may be a view that never ends.
constexpr int kStepsAtOnce = 1 << 20, kMaxSteps = 40;

int abort_after_limit(void* rounds) { return ++*static_cast<int*>(rounds) > kMaxSteps ? 1 : 0; }

/// Rows of a query as texts, with NULL as an empty text. Empty unless all can be read: half of them would mislead.
std::vector<std::vector<std::string>> rows_of(sqlite3* db, const std::string& sql) {
  sqlite::Statement query(db, sql);
  std::vector<std::vector<std::string>> rows;
  while (query.step()) {
    std::vector<std::string>& row = rows.emplace_back();
    for (int c = 0; c < query.columns(); ++c) row.push_back(query.name(c));
  }
  if (query.failed()) rows.clear();
  return rows;
}

/// First cell of the first row; empty if there is none.
std::string first_text(sqlite3* db, const std::string& sql) {
  const auto rows = rows_of(db, sql);
  return rows.empty() ? std::string() : rows.front().front();
}

std::set<std::string> columns_of(sqlite3* db, const std::string& table) {
  std::set<std::string> columns;
  for (const auto& row : rows_of(db, "SELECT name FROM pragma_table_info('" + table + "')"))
    columns.insert(row.front());
  return columns;
}

struct Gpu {
  std::string id, name, clock;
};

/// GPUs that can compute: Windows lists every display adapter.
std::vector<Gpu> listed_gpus(sqlite3* db) {
  const std::set<std::string> columns = columns_of(db, "TARGET_INFO_GPU");
  const auto column = [&](const char* name) {
    return columns.contains(name) ? std::string(name) : std::string("NULL");
  };
  if (!columns.contains("name")) return {};
  const std::string id = columns.contains("id") ? "id" : column("deviceId");  // deviceId in exports of 2021
  std::string sql = fmt::format("SELECT {}, substr(name, 1, 200), {} FROM TARGET_INFO_GPU", id, column("clockRate"));
  if (columns.contains("computeMajor")) sql += " WHERE computeMajor IS NULL OR computeMajor > 0";
  std::vector<Gpu> gpus;
  for (auto& row : rows_of(db, sql + " LIMIT 1024")) gpus.push_back({row[0], row[1], row[2]});
  return gpus;
}

/// Ids of the GPUs that ran kernels; empty if unknown.
std::set<std::string> used_gpus(sqlite3* db) {
  std::set<std::string> used;
  for (const auto& row : rows_of(db, "SELECT DISTINCT deviceId FROM CUPTI_ACTIVITY_KIND_KERNEL LIMIT 1024"))
    used.insert(row.front());
  std::map<std::string, std::string> gpu_of;  // by CUDA's device number, if the export has the mapping
  for (const auto& row : rows_of(db, "SELECT cudaId, gpuId FROM TARGET_INFO_CUDA_DEVICE LIMIT 1024"))
    gpu_of.emplace(row[0], row[1]);
  if (gpu_of.empty()) return used;
  std::set<std::string> gpus;
  for (const std::string& device : used) {
    const auto at = gpu_of.find(device);
    gpus.insert(at == gpu_of.end() ? device : at->second);
  }
  return gpus;
}

void add_devices(sqlite3* db, Environment& out) {
  std::vector<Gpu> gpus = listed_gpus(db);
  const auto alike = [&](const Gpu& gpu) { return gpu.name == gpus.front().name && gpu.clock == gpus.front().clock; };
  if (!std::all_of(gpus.begin(), gpus.end(), alike)) {
    const std::set<std::string> used = used_gpus(db);
    const auto idle = [&](const Gpu& gpu) { return !used.contains(gpu.id); };
    if (!std::all_of(gpus.begin(), gpus.end(), idle)) std::erase_if(gpus, idle);
  }
  std::vector<std::string> names, clocks;
  for (const Gpu& gpu : gpus) {
    constexpr std::int64_t kHzPerMhz = 1000000;
    const std::int64_t hz = number_in<std::int64_t>(gpu.clock).value_or(0);
    names.push_back(gpu.name);
    if (hz >= kHzPerMhz) clocks.push_back(std::to_string(hz / kHzPerMhz) + " MHz");
  }
  add_to(out, "device", joined_models(std::move(names)));
  add_to(out, "clock", joined_models(std::move(clocks)));
}

/// "570.172.08"; exports of 2022 omit the points: "52510517" is 525.105.17. The first part has three digits, the last
/// two.
std::string driver_version(const std::string& text) {
  const bool bare =
      text.size() >= 6 && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!bare) return text;
  return fmt::format("{}.{}.{}", text.substr(0, 3), text.substr(3, text.size() - 5), text.substr(text.size() - 2));
}

/// Values of a row of the target's description; for several targets all distinct ones.
std::string described(sqlite3* db, const char* name) {
  std::vector<std::string> values;
  for (const auto& row : rows_of(db, std::string("SELECT DISTINCT substr(value, 1, 200) FROM TARGET_INFO_SYSTEM_ENV "
                                                 "WHERE name = '") +
                                         name + "' LIMIT 64"))
    values.push_back(driver_version(row.front()));
  return joined_models(std::move(values));
}

/// The value of a variable in "A=1;B=2".
std::string variable(std::string_view all, std::string_view name) {
  while (!all.empty()) {
    const std::string_view one = all.substr(0, all.find(';'));
    all.remove_prefix(std::min(all.size(), one.size() + 1));
    if (one.size() > name.size() && one.starts_with(name) && one[name.size()] == '=')
      return std::string(one.substr(name.size() + 1));
  }
  return {};
}

/// Launchers of distributed jobs, identified by the variables with the rank of a process.
constexpr std::pair<std::string_view, std::string_view> kStarters[] = {{"RANK", "WORLD_SIZE"},
                                                                       {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                                                       {"PMI_RANK", "PMI_SIZE"},
                                                                       {"SLURM_PROCID", "SLURM_NTASKS"}};

/// Values of these variables when nsys started the program: META_DATA_CAPTURE holds rows PROCESS_0:ENVIRONMENT_VARIABLE
/// with RANK="0". One statement reads only the named variables. Omits variables in which the processes differ.
std::map<std::string, std::string> started_with(sqlite3* db) {
  std::string names;
  for (const auto& [rank, size] : kStarters) {
    for (const std::string_view name : {rank, size}) names += (names.empty() ? "'" : ", '") + std::string(name) + "='";
  }
  const std::string sql =
      "SELECT substr(value, 1, instr(value, '=')), min(substr(value, 1, 64)), max(substr(value, 1, 64)) FROM "
      "META_DATA_CAPTURE WHERE name LIKE '%ENVIRONMENT_VARIABLE' AND substr(value, 1, instr(value, '=')) IN (" +
      names + ") GROUP BY 1";
  std::map<std::string, std::string> values;
  for (const auto& row : rows_of(db, sql)) {
    const std::string& begin = row[0];
    if (row[1] != row[2]) continue;
    values.emplace(begin.substr(0, begin.size() - 1), bare_variable(std::string_view(row[1]).substr(begin.size())));
  }
  return values;
}

/// Rank within a distributed job, from the variables of its launcher.
void add_rank(sqlite3* db, Environment& out) {
  const std::string variables = first_text(
      db, "SELECT substr(value, 1, 65536) FROM TARGET_INFO_SYSTEM_ENV WHERE name = 'DeviceEnvironment' LIMIT 1");
  const std::map<std::string, std::string> started = started_with(db);
  const auto value_of = [&](std::string_view name) {
    const auto at = started.find(std::string(name));
    return at == started.end() || at->second.empty() ? variable(variables, name) : at->second;
  };
  for (const auto& [rank, size] : kStarters) {
    const std::string place = value_of(rank), of = value_of(size);
    if (!number_in<std::int64_t>(place) || !number_in<std::int64_t>(of)) continue;
    add_to(out, "rank", place);
    add_to(out, "world_size", of);
    return;
  }
}

/// Value of a row of the capture's description; empty if missing.
std::string of_capture(sqlite3* db, const std::string& name) {
  return first_text(db, "SELECT substr(value, 1, 200) FROM META_DATA_CAPTURE WHERE name = '" + name + "' LIMIT 1");
}

/// The program nsys started, without arguments of unknown content: the command, and its script or module.
std::string started_program(sqlite3* db) {
  constexpr int kMaxArguments = 16;
  std::string command = of_capture(db, "PROCESS_0:COMMAND");
  const auto argument = [&](int i) { return of_capture(db, "PROCESS_0:ARGUMENT_" + std::to_string(i)); };
  for (int i = 0; !command.empty() && i < kMaxArguments; ++i) {
    const std::string word = argument(i);
    if (word.empty()) break;
    if (word == "-m") return command + " -m " + argument(i + 1);
    const bool script = word.ends_with(".py") || word.ends_with(".sh");
    if (word.front() != '-' && script) return command + " " + word;
  }
  return command;
}

/// "2025-08-04 16:29:32" from nsys's "2025-08-04T16:29:32".
std::string recorded_at(sqlite3* db) {
  std::string time = first_text(db, "SELECT substr(utcTime, 1, 19) FROM TARGET_INFO_SESSION_START_TIME LIMIT 1");
  if (time.size() > 10 && time[10] == 'T') time[10] = ' ';
  return time;
}

Environment environment_of(sqlite3* db) {
  Environment out;
  add_devices(db, out);
  std::vector<std::string> cuda;
  for (const auto& row : rows_of(db,
                                 "SELECT DISTINCT substr(value, 1, 200) FROM TARGET_INFO_SYSTEM_ENV WHERE "
                                 "name = 'CudaDriverVersion' LIMIT 64"))
    cuda.push_back(cuda_version(row.front()));
  add_to(out, "cuda", joined_models(std::move(cuda)));
  add_to(out, "driver", described(db, "NvDriverVersion"));
  add_to(out, "program", started_program(db));
  add_to(out, "recorded", recorded_at(db));
  std::string version;
  for (const char* table : {"META_DATA_EXPORT", "EXPORT_META_DATA"}) {
    if (version.empty())
      version = first_text(db, std::string("SELECT substr(value, 1, 200) FROM ") + table +
                                   " WHERE name = 'EXPORT_PRODUCT_VERSION' LIMIT 1");
  }
  add_to(out, "profiler", version.empty() ? "Nsight Systems" : "Nsight Systems " + version);
  add_rank(db, out);
  return out;
}

/// From the ends of the table of kernels alone: nsys writes its rows about in order of time.
void foretell(sqlite3* db, IdentitySink& out) {
  const auto ends = rows_of(db, fmt::format("SELECT (SELECT max(rowid) FROM {0}) - (SELECT min(rowid) FROM {0}) + 1, "
                                            "(SELECT start FROM {0} ORDER BY rowid LIMIT 1), "
                                            "(SELECT end FROM {0} ORDER BY rowid DESC LIMIT 1)",
                                            "CUPTI_ACTIVITY_KIND_KERNEL"));
  if (ends.empty()) return;
  const auto number = [&](std::size_t at) { return number_in<std::int64_t>(ends.front()[at]); };
  const auto kernels = number(0), first = number(1), last = number(2);
  if (kernels && first && last) out.foretell(*kernels, *first, *last);
}

}  // namespace

std::string_view bare_variable(std::string_view written) {
  const bool in_quotes = written.size() >= 2 && written.front() == '"' && written.back() == '"';
  return in_quotes ? written.substr(1, written.size() - 2) : written;
}

void identify_export(const FormatFile& file, IdentitySink& out) {
  const sqlite::ForeignFile& database = static_cast<const SeenFile&>(file).database;
  sqlite3* const db = database.get();
  if (db == nullptr) return;
  int rounds = 0;
  sqlite3_progress_handler(db, kStepsAtOnce, abort_after_limit, &rounds);
  for (const auto& [name, value] : environment_of(db)) out.add(name, value);
  constexpr std::uint64_t kLarge = std::uint64_t{64} << 20;  // bytes
  if (file.size >= kLarge) foretell(db, out);
  sqlite3_progress_handler(db, 0, nullptr, nullptr);
}

}  // namespace assay::load
