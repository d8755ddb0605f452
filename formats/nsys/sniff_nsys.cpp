#include "formats/nsys/sniff_nsys.hpp"

#include <algorithm>
#include <fstream>
#include <functional>
#include <string>

#include "load/sqlite_file.hpp"
#include "sqlite/database.hpp"

namespace assay::load {
namespace fs = std::filesystem;

namespace {

constexpr std::string_view kNames[] = {"StringIds",        "META_DATA_EXPORT", "EXPORT_META_DATA", "META_DATA_CAPTURE",
                                       "ANALYSIS_DETAILS", "NVTX_EVENTS",      "OSRT_API",         "PROFILER_OVERHEAD",
                                       "DIAGNOSTIC_EVENT", "SCHED_EVENTS",     "COMPOSITE_EVENTS"};
constexpr std::string_view kPrefixes[] = {"CUPTI_ACTIVITY_KIND_", "TARGET_INFO_"};

template <class Same>
bool is_listed(std::string_view name, Same same) {
  return std::ranges::any_of(kPrefixes, [&](std::string_view p) { return same(name.substr(0, p.size()), p); }) ||
         std::ranges::any_of(kNames, [&](std::string_view n) { return same(name, n); });
}

}  // namespace

bool is_nsys_table(std::string_view name) { return is_listed(name, std::equal_to<>()); }
bool is_nsys_table_in_any_case(std::string_view name) { return is_listed(name, sqlite::same_name); }

namespace {

/// Whether the beginning of a file contains a CREATE TABLE text of nsys. For databases whose list of tables cannot be
/// read: its pages are near the front, in any order.
bool mentions_nsys_table(const fs::path& file) {
  constexpr std::size_t kBytes = 1U << 20;
  constexpr std::string_view kCreate = "CREATE TABLE ";
  std::string bytes(kBytes, '\0');
  std::ifstream in(file, std::ios::binary);
  in.read(bytes.data(), static_cast<std::streamsize>(kBytes));
  bytes.resize(static_cast<std::size_t>(in.gcount()));
  for (std::size_t at = bytes.find(kCreate); at != std::string::npos; at = bytes.find(kCreate, at + 1)) {
    const std::string_view rest = std::string_view(bytes).substr(at + kCreate.size(), 100);
    if (is_nsys_table(rest.substr(0, rest.find_first_of(" (\n")))) return true;
  }
  return false;
}

}  // namespace

bool is_nsys_export(const FormatFile& file) {
  if (!file.head.view().starts_with(sqlite::kMagic) || file.size < sqlite::kHeaderBytes) return false;
  // The tables of nvprof have the same prefix but another table of strings.
  const auto has = [&](std::string_view name) {
    return std::ranges::any_of(file.tables, [&](Str table) { return table == name; });
  };
  if (has("StringTable") && !has("StringIds")) return false;
  if (std::ranges::any_of(file.tables, [](Str table) { return is_nsys_table(table.view()); })) return true;
  const fs::path path = file.path.view();
  const fs::path log = beside(path, "-wal");
  const bool being_written = has_bytes(log) || has_bytes(beside(path, "-journal"));
  const bool doubtful = !file.all_tables || being_written;
  return doubtful && (mentions_nsys_table(path) || mentions_nsys_table(log));
}

}  // namespace assay::load
