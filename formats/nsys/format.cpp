// Exports of Nsight Systems: databases of SQLite, of which nearly all is bulk.
#include "assay/format.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "files/walk.hpp"
#include "formats/nsys/graph_nodes.hpp"
#include "formats/nsys/notes.hpp"
#include "formats/nsys/nsys_environment.hpp"
#include "formats/nsys/sniff_nsys.hpp"
#include "formats/sqlite/open_database.hpp"

namespace assay::load {
namespace {

/// Tables that are read and whose loss would change the report.
constexpr std::string_view kRead[] = {"CUPTI_ACTIVITY_KIND_KERNEL",
                                      "CUPTI_ACTIVITY_KIND_GRAPH_TRACE",
                                      "CUPTI_ACTIVITY_KIND_MEMCPY",
                                      "CUPTI_ACTIVITY_KIND_MEMSET",
                                      "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
                                      "CUPTI_ACTIVITY_KIND_RUNTIME",
                                      "NVTX_EVENTS",
                                      "PROFILER_OVERHEAD",
                                      "StringIds",
                                      "TARGET_INFO_GPU"};

std::string read_table(std::string_view name) {
  const auto* at = std::ranges::find_if(kRead, [&](std::string_view read) { return sqlite::same_name(name, read); });
  return at == std::end(kRead) ? std::string() : std::string(*at);
}

/// Columns that nsys fills in every row of every table that has them.
constexpr std::string_view kNeverNull[] = {"deviceId",
                                           "streamId",
                                           "correlationId",
                                           "globalPid",
                                           "globalTid",
                                           "contextId",
                                           "nameId",
                                           "demangledName",
                                           "shortName",
                                           "mangledName",
                                           "gridX",
                                           "gridY",
                                           "gridZ",
                                           "blockX",
                                           "blockY",
                                           "blockZ",
                                           "registersPerThread",
                                           "staticSharedMemory",
                                           "dynamicSharedMemory",
                                           "sharedMemoryExecuted",
                                           "bytes",
                                           "copyKind",
                                           "srcKind",
                                           "dstKind",
                                           "memKind",
                                           "syncType",
                                           "graphId",
                                           "eventClass",
                                           "eventType",
                                           "returnValue"};

/// nsys writes no views.
bool never(std::string_view /*name*/) { return false; }

constexpr SchemaRules kNsysTables{"nsys", read_table, is_nsys_table, is_nsys_table_in_any_case, never, {}, kNeverNull};

bool wants_device_work(const WantedColumns& wanted) {
  return wanted.table(col::kernels) || wanted.table(col::graphs) || wanted.table(col::copies) ||
         wanted.table(col::sets) || wanted.table(col::syncs) || wanted.table(col::overheads);
}

/// The profiler's own message about why something is missing: warnings (2) and errors (3), not verbose messages (4).
/// Priority: rows about collecting CUDA events before rows that only mention CUDA (unified memory, a path), errors
/// before warnings, earlier before later, then by text, so the result is deterministic.
std::string diagnosis(const Source& source) {
  const TableInfo* info = source.schema.find("DIAGNOSTIC_EVENT");
  if (info == nullptr || !info->has("text") || !info->has("severity")) return {};
  const std::string when = info->has("timestamp") ? "timestamp, " : "";
  sqlite::Statement rows(source.db.handle(),
                         "SELECT text FROM DIAGNOSTIC_EVENT WHERE severity IN (2, 3) AND text GLOB '*CUDA*' "
                         "ORDER BY text GLOB '*CUDA events*' OR text GLOB '*CUDA profiling*' DESC, severity DESC, " +
                             when + "text LIMIT 1");
  return rows.ok() && rows.step() ? std::string(rows.text(0)) : std::string();
}

/// A requested table that is missing but should exist: launches were recorded but no kernels, or nothing about CUDA at
/// all.
void note_missing(NsysTables& to) {
  if (!to.source.wanted.table(col::kernels) || to.kernels.start.size() > 0) return;
  const std::int64_t launches = std::ranges::count(to.calls.kind.values(), CallKind::kKernelLaunch);
  if (to.kernels.start.present() && launches == 0) return;
  std::string text = launches > 0 ? fmt::format("No kernels were captured although {} launches were", launches)
                     : to.graphs.start.present() ? std::string("No kernels were captured outside of CUDA graphs")
                                                 : std::string("No kernels were captured");
  const std::string why = diagnosis(to.source);
  text += why.empty() ? "." : fmt::format("; the profiler says: {}", why);
  to.issue("no_kernel_table", launches > 0 ? Severity::kError : Severity::kWarning, launches, std::move(text));
}

/// Calls of which none has a name of CUDA, although kernels were launched: their names are damaged.
void note_unknown_calls(NsysTables& to) {
  const auto kinds = to.calls.kind.values();
  if (to.kernels.start.size() == 0 || kinds.size() < to.kernels.start.size()) return;
  if (std::ranges::any_of(kinds, [](CallKind kind) { return kind != CallKind::kOther; })) return;
  to.issue("unknown_calls", Severity::kError, static_cast<std::int64_t>(kinds.size()),
           fmt::format("None of the {} API calls has the name of a launch, copy or wait of CUDA, so launches and waits "
                       "are not known; export the profile again.",
                       kinds.size()));
}

/// Whether calls are read: they are requested, or needed to complete device tables. Device rows of old exports have no
/// process, and launches show whether a missing table was not captured or was lost.
bool needs_calls(const Source& source) {
  if (source.wanted.table(col::calls) || source.wanted.table(col::repeats)) return true;
  if (!wants_device_work(source.wanted)) return false;
  constexpr std::string_view kKernels = "CUPTI_ACTIVITY_KIND_KERNEL";
  if (source.wanted.table(col::kernels) && source.schema.find(kKernels) == nullptr) return true;
  return std::ranges::any_of(kRead, [&](std::string_view name) {
    const TableInfo* table = name.starts_with("CUPTI_") ? source.schema.find(name) : nullptr;
    return table != nullptr && table->has("deviceId") && !table->has("globalPid");
  });
}

/// Tables of the host and the device, with their names.
void read_tables(NsysTables& to) {
  const WantedColumns& wanted = to.source.wanted;
  if (needs_calls(to.source))
    read_calls(to);
  else
    to.out.leave_out_calls();
  if (wants_device_work(wanted)) {
    read_kernels(to);
    read_other_work(to);
  }
  read_ranges(to);
  read_others(to);
  read_samples(to);
  name_rows(to);
  if (wanted.table(col::causes)) read_scheduled_out(to);
  assign_devices(to);
  add_devices(to);
  add_threads(to);
  add_properties(to);
  note_missing(to);
  note_unknown_calls(to);
  read_metrics(to);
  read_graph_nodes(to);
}

/// Times count from the start of the session, whose length is known.
void set_recorded(NsysTables& to) {
  const TableInfo* info = to.source.schema.find("ANALYSIS_DETAILS");
  if (info == nullptr || !info->has("duration")) return;
  sqlite::Statement row(to.source.db.handle(),
                        "SELECT max(duration) FROM ANALYSIS_DETAILS WHERE typeof(duration) = 'integer'");
  if (!row.ok() || !row.step() || !row.is_integer(0) || row.integer(0) <= 0) return;
  to.recorded = std::min(row.integer(0), kFarthestTime / 2);
  to.out.set_recorded(0, to.recorded);
}

bool looks_like_text(std::string_view bytes) {
  return std::ranges::none_of(bytes, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 ? std::strchr("\t\n\r\f\x1b", c) == nullptr || c == '\0' : byte == 0x7f;
  });
}

class NsysFormat {
 public:
  static constexpr std::string_view kSummary = "Exports of Nsight Systems: databases of SQLite with its tables.";
  static constexpr Str kExtensions[] = {".sqlite"}, kRaw[] = {".nsys-rep", ".qdrep"}, kGlobs[] = {"**/*.sqlite"};
  static constexpr FileNames kNames = {
      .extensions = kExtensions,
      .telling = kExtensions,
      .raw = kRaw,
      .globs = kGlobs,
      .one_file = "nsys report",
      .expected = "exports of Nsight Systems (.sqlite; 'nsys profile -o NAME PROGRAM', then 'assay convert FOLDER')"};
  static constexpr std::string_view kAgain = "export it again";
  static constexpr auto& kReads = nsys_notes::kReads;
  static constexpr auto& kPassesOver = nsys_notes::kPassesOver;
  static constexpr auto& kFills = nsys_notes::kFills;
  static constexpr auto& kCaptures = nsys_notes::kCaptures;
  static constexpr auto& kRecorders = nsys_notes::kRecorders;
  static constexpr auto& kTables = kDeclaredTables;

  static bool sniff(const FormatFile& file) { return is_nsys_export(file); }
  static void identify(const FormatFile& file, IdentitySink& out) { identify_export(file, out); }

  /// For a file named like an export, or like a report to be exported.
  static void explain(const FormatFile& file, ExplanationSink& out) {
    const std::filesystem::path path = file.path.view();
    const std::string extension = lower_extension(path);
    if (extension == ".nsys-rep" || extension == ".qdrep") {
      std::error_code ignored;
      if (std::filesystem::exists(std::filesystem::path(path).replace_extension(".sqlite"), ignored))
        return out.explain({}, {}, false);
      return out.explain("This nsys report has no SQLite export next to it",
                         "run assay convert '" + path.string() +
                             "', or assay run with --convert (both use nsys export --type sqlite).",
                         true);
    }
    if (extension != ".sqlite" || file.head.view().starts_with(sqlite::kMagic)) return;
    if (looks_like_text(file.head.view()))
      return out.explain("This file is text, not an SQLite database", "remove it or export it again.", false);
    out.explain("This file is not an SQLite database (its first bytes are not those of one)",
                "copy or export it again.", false);
  }

  static void load(const FormatRequest& request, Tables& tables) {
    OpenDatabase database(request, tables.sink(), "nsys", kNsysTables);
    if (!database.schema.has_any(is_nsys_table)) {
      tables.sink().advise("export the profile with `nsys export --type sqlite`");
      throw std::runtime_error("it holds no table of an Nsight Systems export");
    }
    NsysTables to(database.source, tables.sink(), database.issues);
    set_recorded(to);
    read_tables(to);
    if (database.source.wanted.table(col::properties)) {
      for (const std::string& table : database.schema.names()) to.out.add_property("table", table);
    }
    database.report(to.out);
  }
};

}  // namespace
}  // namespace assay::load

ASSAY_FORMAT("nsys", "1.0.0", assay::load::NsysFormat);
