// Databases of AMD's rocprofv3: SQLite, with the tables of each process under a name of its own.
#include "assay/format.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "formats/rocpd/part.hpp"
#include "formats/rocpd/rocpd_environment.hpp"
#include "formats/sqlite/open_database.hpp"
#include "load/job_variables.hpp"

namespace assay::load::rocpd {
namespace {

void add(TracedDomains& to, const std::map<std::string, std::string>& variables) {
  const auto any = [&](std::initializer_list<std::string_view> domains) {
    return std::ranges::any_of(domains, [&](std::string_view domain) { return traced(variables, domain); });
  };
  to.kernels = to.kernels || any({"KERNEL"});
  to.copies = to.copies || any({"MEMORY_COPY"});
  to.allocations = to.allocations || any({"MEMORY_ALLOCATION"});
  to.markers = to.markers || any({"MARKER_API"});
  to.calls =
      to.calls || any({"HIP_RUNTIME_API", "HIP_COMPILER_API", "HSA_CORE_API", "HSA_AMD_EXT_API", "HSA_IMAGE_EXT_API",
                       "HSA_FINALIZER_EXT_API", "RCCL_API", "ROCDECODE_API", "ROCJPEG_API"});
}

/// The process itself: id, traced domains, rank in a job.
void read_process(ProcessData& part, std::vector<Issue>& issues) {
  std::int64_t pid = kNone;
  if (const TableInfo* info = part.table("rocpd_info_process"); info != nullptr && info->has("pid")) {
    sqlite::Statement row(
        part.source.db.handle(),
        fmt::format("SELECT pid, {}, {} FROM {} LIMIT 1", info->has("environment") ? "environment" : "NULL",
                    info->has("init") && info->has("fini") ? "init, fini" : "NULL, NULL", sqlite::quoted(info->name)));
    if (row.ok() && row.step()) {
      constexpr std::int64_t kMaxPids = std::int64_t{1} << 32;
      if (row.is_integer(0) && row.integer(0) >= 0 && row.integer(0) < kMaxPids) pid = row.integer(0);
      if (row.is_integer(2) && row.is_integer(3) && is_time(row.integer(2)) && row.integer(3) > row.integer(2))
        part.recorded = RecordedTime{row.integer(2), std::min(row.integer(3), kFarthestTime / 2)};
      const auto variables = named_variables(row.text(1));
      add(part.file.traced, variables);
      std::vector<std::string_view> names(std::begin(kJobVariables), std::end(kJobVariables));
      names.insert(names.end(), {"HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES"});
      for (const std::string_view name : names) {
        const auto at = variables.find(std::string(name));
        if (at != variables.end()) part.file.out.add_property("environment." + at->first, at->second.substr(0, 200));
      }
    }
  }
  if (const TableInfo* info = part.table("rocpd_info_process"); info != nullptr)
    note_pages(check_pages(part.source.db, part.source.pages, *info), info->name, issues);
  if (pid == kNone) {
    issues.push_back({"missing_references", Severity::kWarning, 0,
                      fmt::format("rocpd_info_process{} names no process, so its number is unknown.", part.suffix)});
  }
  part.pid = pid;
  part.process = part.file.out.add_process(pid);
  const TableInfo* node = part.table("rocpd_info_node");
  if (node == nullptr || !node->has("hostname")) return;
  sqlite::Statement row(part.source.db.handle(),
                        "SELECT substr(hostname, 1, 200) FROM " + sqlite::quoted(node->name) + " LIMIT 1");
  if (row.ok() && row.step()) part.file.out.add_property("hostname", row.text(0));
}

/// Schemas newer than the supported ones are read by the columns that exist; other contents are reported.
void note_unknown(const Source& source, const std::vector<std::string>& names, std::vector<Issue>& issues) {
  if (const std::vector<std::string> unknown = unknown_tables(names); !unknown.empty()) {
    issues.push_back({"unknown_tables", Severity::kInfo, static_cast<std::int64_t>(unknown.size()),
                      fmt::format("{} tables are of an unknown kind and were not read, the first is {}.",
                                  unknown.size(), unknown.front())});
  }
  const auto metadata =
      std::ranges::find_if(names, [](const std::string& n) { return n.starts_with("rocpd_metadata"); });
  if (metadata == names.end()) return;
  sqlite::Statement row(source.db.handle(), "SELECT substr(value, 1, 40) FROM " + sqlite::quoted(*metadata) +
                                                " WHERE tag = 'schema_version'");
  const std::string version = row.ok() && row.step() ? std::string(row.text(0)) : std::string();
  if (version.empty() || version.front() == '3' || version.front() == '4') return;
  issues.push_back(
      {"unknown_schema", Severity::kWarning, 0,
       fmt::format("Its schema is {}, newer than those known (3 and 4); tables with known columns were read.",
                   version)});
}

void note_missing(const FileTables& file, const WantedColumns& wanted) {
  if (!wanted.table(col::kernels) || file.kernels.start.size() > 0) return;
  const std::int64_t launches = file.launches;
  if (file.kernels.start.present() && launches == 0) return;
  file.out.issue("no_kernel_table", launches > 0 ? Severity::kError : Severity::kWarning, launches,
                 launches > 0 ? fmt::format("No kernels were captured although {} launches were; record the run with "
                                            "rocprofv3 --kernel-trace.",
                                            launches)
                              : std::string("No kernels were captured; record the run with rocprofv3 "
                                            "--kernel-trace."));
}

void read_part(ProcessData& part, std::vector<Issue>& issues) {
  const WantedColumns& wanted = part.source.wanted;
  read_references(part, issues);
  read_agents(part, issues);
  const bool device = wanted.table(col::kernels) || wanted.table(col::copies);
  if (wanted.table(col::kernels) || wanted.table(col::profiled) || wanted.table(col::counters)) {
    read_symbols(part, issues);
    read_dispatches(part, issues);
  }
  if (wanted.table(col::copies)) read_copies(part, issues);
  if (wanted.table(col::allocations)) read_allocations(part, issues);
  if (device || wanted.table(col::calls) || wanted.table(col::ranges) || wanted.table(col::spans))
    read_regions(part, issues);
}

void set_recorded(const std::vector<ProcessData>& parts, TableSink& out) {
  std::optional<RecordedTime> all;
  for (const ProcessData& part : parts) {
    if (!part.recorded) return;  // others may have begun earlier
    if (!all) all = part.recorded;
    all = {std::min(all->begin, part.recorded->begin), std::max(all->end, part.recorded->end)};
  }
  if (all) out.set_recorded(all->begin, all->end);
}

/// Whether a file looks like one of the CSVs of rocprofv3 and there is no database of the same process next to it.
bool is_lone_csv(const FormatFile& file) {
  const std::string_view head = file.head, line = head.substr(0, head.find('\n'));
  const auto has = [&](std::string_view column) { return line.find(column) != std::string_view::npos; };
  if (!has("\"Correlation_Id\"") || !(has("\"Start_Timestamp\"") || has("\"Dispatch_Id\""))) return false;
  const std::filesystem::path path = file.path.view();
  const std::string name = path.filename().string();
  std::error_code ignored;
  return !std::filesystem::exists(path.parent_path() / (name.substr(0, name.find('_')) + "_results.db"), ignored);
}

class RocpdFormat {
 public:
  static constexpr std::string_view kSummary = "Databases of AMD's rocprofv3.";
  static constexpr Str kExtensions[] = {".db", "_results.db"}, kTelling[] = {"_results.db"}, kGlobs[] = {"**/*.db"};
  static constexpr FileNames kNames = {
      .extensions = kExtensions,
      .telling = kTelling,
      .raw = {},
      .globs = kGlobs,
      .one_file = "rocpd report",
      .expected = "databases of AMD's rocprofv3 (.db; 'rocprofv3 --runtime-trace --output-format rocpd -- PROGRAM')"};
  static constexpr Str kCommand[] = {"rocprofv3", "--runtime-trace", "--output-format", "rocpd", "-o", "{report}"};
  static constexpr RecorderSpec kRecorders[] = {
      {.name = "rocprofv3",
       .command = kCommand,
       .ends_options = "--",  // some options take several words: --pmc A B
       .numbered_ending = "_results.db",
       .install = "install ROCm 7 (package rocprofiler-sdk of AMD's repository) and put /opt/rocm/bin into PATH"}};
  static constexpr FormatPart kReads[] = {
      {"rocpd_kernel_dispatch, rocpd_info_kernel_symbol", "kernels, profiled"},
      {"rocpd_memory_copy", "copies"},
      {"rocpd_memory_allocate", "allocations"},
      {"rocpd_region, rocpd_track", "calls, ranges, spans"},
      {"rocpd_pmc_event, rocpd_info_pmc", "counters"},
      {"rocpd_info_agent, rocpd_info_process, rocpd_info_thread", "devices, processes, threads"},
      {"rocpd_event, rocpd_string, rocpd_timestamp, rocpd_info_category", "links, names, times"}};
  static constexpr FormatPart kPassesOver[] = {{"rocpd_sample, rocpd_gpu_pc_sample", "samples"},
                                               {"rocpd_arg", "arguments of calls"},
                                               {"rocpd_graph_launch", "launches of graphs"},
                                               {"rocpd_call_stack, rocpd_line_info", "stacks"}};
  static constexpr ColumnId kFills[] = {col::kernels,
                                        col::kernel_name,
                                        col::kernel_short_name,
                                        col::kernel_mangled_name,
                                        col::kernel_grid,
                                        col::kernel_block,
                                        col::kernel_registers,
                                        col::kernel_shared,
                                        col::kernel_graph_node,
                                        col::kernel_profiled,
                                        col::copies,
                                        col::copy_bytes,
                                        col::copy_direction,
                                        col::allocations,
                                        col::calls,
                                        col::call_name,
                                        col::call_full_name,
                                        col::call_range,
                                        col::ranges,
                                        col::spans,
                                        col::profiled,
                                        col::counters,
                                        col::collectives,
                                        col::devices,
                                        col::properties};
  static constexpr CaptureSpec kCaptures[] = {
      {"GPU work", "rocprofv3 --runtime-trace --output-format rocpd -o NAME -- PROGRAM", col::kernels},
      {"copies and memory sets", "rocprofv3 --runtime-trace --output-format rocpd -o NAME -- PROGRAM", col::copies},
      {"ranges and steps",
       "rocprofv3 --runtime-trace --output-format rocpd -o NAME -- PROGRAM, with roctxRangePush in the program",
       col::ranges},
      {"counters of kernels, for SQL", "rocprofv3 --pmc SQ_WAVES --output-format rocpd -o NAME -- PROGRAM",
       col::profiled}};

  static bool sniff(const FormatFile& file) { return are_rocpd_tables(names_of(file)); }
  static void identify(const FormatFile& file, IdentitySink& out) { identify_run(file, out); }

  /// For databases that are not AMD's as a whole, for files named like one, and for CSVs.
  static void explain(const FormatFile& file, ExplanationSink& out) {
    if (is_lone_csv(file))
      return out.explain("This is a CSV of rocprofv3, which is not read",
                         "record the run with rocprofv3 --output-format rocpd.", true);
    const bool database = file.head.view().starts_with(sqlite::kMagic);
    if (!database && file.path.view().ends_with("_results.db"))
      return out.explain(
          "This file is named like a database of rocprofv3 but is not an SQLite database (its first bytes are not "
          "those "
          "of one)",
          "copy it again.", false);
    const std::vector<std::string> names = names_of(file);
    if (!database || std::ranges::none_of(names, [](const std::string& name) { return is_rocpd_table(name); })) return;
    out.explain("This database has tables of rocpd, but not both rocpd_metadata and kernel dispatches or regions",
                "it is damaged or was never finished, copy it again.", true);
  }

  static void load(const FormatRequest& request, Tables& out);

 private:
  static std::vector<std::string> names_of(const FormatFile& file) { return {file.tables.begin(), file.tables.end()}; }
};

void RocpdFormat::load(const FormatRequest& request, Tables& tables) {
  OpenDatabase database(request, tables.sink(), "rocpd", kRocpdTables);
  const Source& source = database.source;
  std::vector<Issue>& issues = database.issues;
  const std::vector<std::string> names = source.schema.names();
  if (!are_rocpd_tables(names)) {
    tables.sink().advise("record the run again with `rocprofv3 --output-format rocpd`");
    throw std::runtime_error("it holds no tables of AMD's rocpd");
  }
  FileTables to(tables.sink());
  note_unknown(source, names, issues);
  std::vector<ProcessData> parts;
  for (std::string& suffix : rocpd_suffixes(names))
    read_process(parts.emplace_back(ProcessData{.source = source, .file = to, .suffix = std::move(suffix)}), issues);
  for (ProcessData& part : parts) read_part(part, issues);
  set_recorded(parts, to.out);
  to.finish();
  database.report(to.out);
  note_missing(to, source.wanted);
}

}  // namespace
}  // namespace assay::load::rocpd

ASSAY_FORMAT("rocpd", "1.0.0", assay::load::rocpd::RocpdFormat);
