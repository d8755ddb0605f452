#include "formats/rocpd/rocpd_environment.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "formats/rocpd/tables.hpp"
#include "load/environment.hpp"
#include "load/seen_file.hpp"

namespace assay::load::rocpd {
namespace {

using Json = nlohmann::json;

/// Launchers of distributed jobs, identified by the variables with the rank of a process.
constexpr std::pair<std::string_view, std::string_view> kStarters[] = {{"RANK", "WORLD_SIZE"},
                                                                       {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                                                       {"PMI_RANK", "PMI_SIZE"},
                                                                       {"SLURM_PROCID", "SLURM_NTASKS"}};

constexpr std::string_view kPlaces[] = {"LOCAL_RANK",          "LOCAL_WORLD_SIZE",    "GROUP_RANK",
                                        "MASTER_ADDR",         "MASTER_PORT",         "SLURM_JOB_ID",
                                        "SLURM_NODEID",        "SLURMD_NODENAME",     "ROCPROF",
                                        "ROCP_TOOL_LIBRARIES", "HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES"};

bool is_named(std::string_view name) {
  if (name.starts_with("ROCPROF_") && name.ends_with("_TRACE")) return true;
  if (std::ranges::find(kPlaces, name) != std::end(kPlaces)) return true;
  return std::ranges::any_of(kStarters, [&](const auto& pair) { return name == pair.first || name == pair.second; });
}

bool is_number(std::string_view text) {
  return !text.empty() && text.size() < 10 && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// "7.1.1" of "/opt/rocm-7.1.1/lib/...".
std::string rocm_version(std::string_view path) {
  constexpr std::string_view kFolder = "/rocm-";
  const std::size_t at = path.find(kFolder);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = path.substr(at + kFolder.size());
  return std::string(rest.substr(0, rest.find_first_not_of("0123456789.")));
}

/// Steps of SQLite's virtual machine: about a second.
constexpr int kStepsAtOnce = 1 << 20, kMaxSteps = 40;
int abort_after_limit(void* rounds) { return ++*static_cast<int*>(rounds) > kMaxSteps ? 1 : 0; }

/// GPUs that ran kernels; all GPUs if unknown.
void add_devices(sqlite3* db, const std::vector<std::string>& suffixes, Environment& out) {
  std::vector<std::string> names, clocks, used_names, used_clocks;
  for (const std::string& suffix : suffixes) {
    std::set<std::int64_t> used;
    sqlite::Statement of_dispatches(
        db, "SELECT DISTINCT agent_id FROM " + sqlite::quoted("rocpd_kernel_dispatch" + suffix) + " LIMIT 1024");
    while (of_dispatches.ok() && of_dispatches.step()) used.insert(of_dispatches.integer(0));
    // The description of an MI300X takes 115 kB, most of it caches.
    sqlite::Statement rows(db,
                           "SELECT id, coalesce(nullif(product_name, ''), name), CASE WHEN length(extdata) < 1048576 "
                           "AND json_valid(extdata) THEN json_extract(extdata, '$.max_engine_clk_fcompute') END FROM " +
                               sqlite::quoted("rocpd_info_agent" + suffix) + " WHERE type = 'GPU' LIMIT 1024");
    while (rows.ok() && rows.step()) {
      const std::string name(rows.text(1).substr(0, 200));
      const std::int64_t mhz = rows.is_integer(2) ? rows.integer(2) : 0;
      const std::string clock = mhz > 0 ? fmt::format("{} MHz", mhz) : std::string();
      names.push_back(name);
      clocks.push_back(clock);
      if (used.contains(rows.integer(0))) {
        used_names.push_back(name);
        used_clocks.push_back(clock);
      }
    }
  }
  add_to(out, "device", joined_models(used_names.empty() ? names : used_names));
  add_to(out, "clock", joined_models(used_names.empty() ? clocks : used_clocks));
}

Environment environment_of(sqlite3* db, const std::vector<std::string>& suffixes) {
  Environment out;
  add_devices(db, suffixes, out);
  std::map<std::string, std::string> variables;
  std::string program;
  for (const std::string& suffix : suffixes) {
    sqlite::Statement rows(db, "SELECT environment, substr(command, 1, 200) FROM " +
                                   sqlite::quoted("rocpd_info_process" + suffix) + " LIMIT 1");
    if (!rows.ok() || !rows.step()) continue;
    auto named = named_variables(rows.text(0));
    // values in which processes differ are dropped
    if (suffix != suffixes.front())
      std::erase_if(variables, [&](const auto& one) { return named[one.first] != one.second; });
    if (suffix == suffixes.front()) variables = std::move(named);
    if (program.empty()) program = rows.text(1);
  }
  const std::string rocm = rocm_version(variables["ROCP_TOOL_LIBRARIES"]);
  if (!rocm.empty()) add_to(out, "cuda", "HIP " + rocm.substr(0, rocm.find('.', rocm.find('.') + 1)));
  const std::string tool = variables["ROCPROF"].empty() ? "rocprofiler-sdk" : variables["ROCPROF"];
  add_to(out, "profiler", rocm.empty() ? tool : tool + " of ROCm " + rocm);
  // Only the command: the rest may contain anything.
  add_to(out, "program", program.substr(0, program.find(' ')));
  for (const auto& [rank, size] : kStarters) {
    const std::string place = variables[std::string(rank)], of = variables[std::string(size)];
    if (!is_number(place) || !is_number(of)) continue;
    add_to(out, "rank", place);
    add_to(out, "world_size", of);
    break;
  }
  return out;
}

}  // namespace

std::map<std::string, std::string> named_variables(std::string_view environment) {
  std::map<std::string, std::string> named;
  const Json all = Json::parse(environment, nullptr, false);
  if (!all.is_object()) return named;
  for (const auto& [name, value] : all.items()) {
    if (is_named(name) && value.is_string()) named.emplace(name, value.get_ref<const std::string&>().substr(0, 4096));
  }
  return named;
}

bool traced(const std::map<std::string, std::string>& variables, std::string_view domain) {
  const auto at = variables.find(fmt::format("ROCPROF_{}_TRACE", domain));
  return at != variables.end() && !at->second.empty() && at->second != "0";
}

void identify_run(const FormatFile& file, IdentitySink& out) {
  const sqlite::ForeignFile& database = static_cast<const SeenFile&>(file).database;
  sqlite3* const db = database.get();
  if (db == nullptr) return;
  int rounds = 0;
  sqlite3_progress_handler(db, kStepsAtOnce, abort_after_limit, &rounds);
  for (const auto& [name, value] : environment_of(db, rocpd_suffixes(database.tables().names))) out.add(name, value);
  sqlite3_progress_handler(db, 0, nullptr, nullptr);
}

}  // namespace assay::load::rocpd
