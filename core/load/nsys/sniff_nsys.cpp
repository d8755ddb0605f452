#include "load/nsys/sniff_nsys.hpp"

#include <algorithm>
#include <fstream>
#include <string>

#include "load/sqlite/sqlite_file.hpp"
#include "sqlite/database.hpp"

namespace assay::load {
namespace fs = std::filesystem;

bool is_nsys_table(std::string_view name) {
  constexpr std::string_view kNames[] = {
      "StringIds", "META_DATA_EXPORT",  "EXPORT_META_DATA", "META_DATA_CAPTURE", "ANALYSIS_DETAILS", "NVTX_EVENTS",
      "OSRT_API",  "PROFILER_OVERHEAD", "DIAGNOSTIC_EVENT", "SCHED_EVENTS",      "COMPOSITE_EVENTS"};
  return name.starts_with("CUPTI_ACTIVITY_KIND_") || name.starts_with("TARGET_INFO_") ||
         std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

namespace {

/// Whether the beginning of a file holds the text by which nsys makes a table. For databases whose list of tables
/// cannot be followed: its pages lie near the front, in any order.
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

bool is_nsys_export(const Candidate& file) {
  if (!file.head.starts_with(sqlite::kMagic) || file.size < sqlite::kHeaderBytes) return false;
  const sqlite::TableList& tables = file.database.tables();
  if (std::any_of(tables.names.begin(), tables.names.end(), is_nsys_table)) return true;
  const fs::path log = beside(file.path, "-wal");
  const bool being_written = has_bytes(log) || has_bytes(beside(file.path, "-journal"));
  const bool doubtful = !tables.complete || being_written;
  return doubtful && (mentions_nsys_table(file.path) || mentions_nsys_table(log));
}

}  // namespace assay::load
