#include "formats/nsys/nsys_load.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>

#include "files/walk.hpp"
#include "formats/nsys/graph_nodes.hpp"
#include "formats/nsys/host_waits.hpp"
#include "formats/nsys/notes.hpp"
#include "formats/nsys/nsys_environment.hpp"
#include "formats/nsys/read_tables.hpp"
#include "formats/nsys/sniff_nsys.hpp"
#include "load/arrange.hpp"
#include "load/link.hpp"

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

constexpr SchemaRules kNsysTables{"nsys", read_table, is_nsys_table, is_nsys_table_in_any_case, never, {}};

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
void note_missing(const Source& source, Profile::Store& store) {
  if (!source.wanted.table(col::kernels) || (store.kernels && store.kernels->rows() > 0)) return;
  std::int64_t launches = 0;
  if (store.calls) {
    for (const CallKind kind : store.calls->kind.values()) launches += kind == CallKind::kKernelLaunch ? 1 : 0;
  }
  if (store.kernels && launches == 0) return;
  std::string text = launches > 0   ? fmt::format("No kernels were captured although {} launches were", launches)
                     : store.graphs ? std::string("No kernels were captured outside of CUDA graphs")
                                    : std::string("No kernels were captured");
  const std::string why = diagnosis(source);
  text += why.empty() ? "." : fmt::format("; the profiler says: {}", why);
  store.issues.push_back(
      {"no_kernel_table", launches > 0 ? Severity::kError : Severity::kWarning, launches, std::move(text)});
}

/// Calls of which none has a name of CUDA, although kernels were launched: their names are damaged.
void note_unknown_calls(Profile::Store& store) {
  if (!store.kernels || !store.calls || !store.calls->kind.present()) return;
  const auto& kinds = store.calls->kind.values();
  if (store.kernels->rows() == 0 || kinds.size() < store.kernels->rows()) return;
  if (std::ranges::any_of(kinds, [](CallKind kind) { return kind != CallKind::kOther; })) return;
  const auto count = static_cast<std::int64_t>(kinds.size());
  store.issues.push_back({"unknown_calls", Severity::kError, count,
                          fmt::format("None of the {} API calls has the name of a launch, copy or wait of CUDA, so "
                                      "launches and waits are not known; export the profile again.",
                                      count)});
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

void read_events(const Source& source, Profile::Store& store) {
  const bool calls = needs_calls(source);
  store.calls_left_out = !calls;
  if (calls) read_calls(source, store, store.issues);
  if (!wants_device_work(source.wanted)) return;
  read_kernels(source, store, store.issues);
  read_other_work(source, store, store.issues);
}

/// Tables of the host and the device, with their names. Returns when threads were not scheduled.
ThreadTimes read_tables(const Source& source, Profile::Store& store) {
  read_events(source, store);
  read_ranges(source, store, store.issues);
  read_others(source, store, store.issues);
  read_samples(source, store, store.issues);
  read_strings(source, store, store.issues);
  return source.wanted.table(col::causes) ? read_scheduled_out(source, store.issues) : ThreadTimes();
}

/// Times count from the start of the session, whose length is known.
std::optional<RecordedTime> recorded_time(const Source& source) {
  const TableInfo* info = source.schema.find("ANALYSIS_DETAILS");
  if (info == nullptr || !info->has("duration")) return std::nullopt;
  sqlite::Statement row(source.db.handle(),
                        "SELECT max(duration) FROM ANALYSIS_DETAILS WHERE typeof(duration) = 'integer'");
  if (!row.ok() || !row.step() || !row.is_integer(0) || row.integer(0) <= 0) return std::nullopt;
  return RecordedTime{0, std::min(row.integer(0), kFarthestTime / 2)};
}

Result<std::unique_ptr<Profile::Store>> load_nsys(const LoadRequest& request) {
  const std::filesystem::path& path = request.path;
  const Result<SqliteFile> file = SqliteFile::open(path, nsys_format().names);
  if (!file) return file.error();
  // Opened before the schema is read, so that a change of the file in between is noticed.
  const btree::Outcome<btree::PageFile> pages = btree::PageFile::open(file->read_path());
  const auto* plain = std::get_if<btree::PageFile>(&pages);
  const Result<Connection> db = file->connect();
  if (!db) return db.error();

  auto store = std::make_unique<Profile::Store>();
  store->name = request.name;
  store->issues = file->issues();
  const Result<Schema> read = Schema::read(*db, plain, kNsysTables, store->issues);
  if (!read) return read.error().in(fmt::format("'{}': ", path.string())).at(path.string());
  const Schema& schema = *read;
  if (!schema.has_any(is_nsys_table)) {
    return Error{fmt::format("'{}' holds no table of an Nsight Systems export", path.string()), Exit::kFailed}
        .at(path.string())
        .advise("export the profile with `nsys export --type sqlite`");
  }
  note_pages(check_pages(*db, plain, list_of_tables()), "the list of tables", store->issues);
  if (plain == nullptr) note_unchecked(std::get<btree::Refusal>(pages), store->issues);
  SharedNumbering shared;
  if (request.reader == Reader::kDirect && plain == nullptr)
    shared.notes.push_back(std::get<btree::Refusal>(pages).sentence);
  const Source source{*db,    plain,           request.reader, schema, file->bytes(), request.wanted,
                      shared, request.threads, kNeverNull};
  store->recorded = recorded_time(source);
  const ThreadTimes scheduled_out = read_tables(source, *store);
  store->threads = std::move(shared.threads);
  store->notes = std::move(shared.notes);
  link_work(*store, source.wanted);
  arrange_ranges(*store, source.wanted);
  if (source.wanted.table(col::declared)) add_gil(*store);
  if (source.wanted.table(col::causes)) add_host_waits(scheduled_out, *store);
  if (!source.wanted.table(col::os_calls)) store->os_calls.reset();  // read for the causes
  if (source.wanted.table(col::collectives)) find_collectives(*store, read_payloads(source, store->issues));
  for (auto* ranges : {&store->ranges, &store->spans}) {
    const ColumnId id = ranges == &store->ranges ? col::range_row_id : col::span_row_id;
    if (*ranges && !source.wanted.column(id)) (*ranges)->row_id.drop();
  }
  assign_devices(source, *store, store->issues);
  read_devices(source, *store, store->issues);
  read_thread_names(source, *store);
  if (source.wanted.table(col::properties)) {
    read_properties(source, *store);
    for (std::string& table : schema.names()) store->properties.push_back({"table", std::move(table)});
  }
  note_missing(source, *store);
  note_unknown_calls(*store);
  read_metrics(source, *store, store->issues);
  read_graph_nodes(source, *store, store->issues);
  if (const auto changed = file->changed()) store->issues.push_back(*changed);
  return store;
}

bool looks_like_text(std::string_view bytes) {
  return std::ranges::none_of(bytes, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 ? std::strchr("\t\n\r\f\x1b", c) == nullptr || c == '\0' : byte == 0x7f;
  });
}

/// For a file named like an export, or like a report to be exported.
std::optional<Explanation> explain_nsys(const Candidate& file) {
  const std::string extension = lower_extension(file.path);
  if (extension == ".nsys-rep" || extension == ".qdrep") {
    std::filesystem::path exported = file.path;
    std::error_code ignored;
    if (std::filesystem::exists(exported.replace_extension(".sqlite"), ignored)) return Explanation{};
    return Explanation{"This nsys report has no SQLite export next to it",
                       "run assay convert '" + file.path.string() +
                           "', or assay run with --convert (both use nsys export --type sqlite).",
                       true};
  }
  if (extension != ".sqlite" || file.head.starts_with(sqlite::kMagic)) return std::nullopt;
  if (looks_like_text(file.head))
    return Explanation{"This file is text, not an SQLite database", "remove it or export it again."};
  return Explanation{"This file is not an SQLite database (its first bytes are not those of one)",
                     "copy or export it again."};
}

constexpr std::string_view kNsysExtensions[] = {".sqlite"}, kNsysRaw[] = {".nsys-rep", ".qdrep"},
                           kNsysGlobs[] = {"**/*.sqlite"};
constexpr FormatNames kNsysNames{
    kNsysExtensions,
    kNsysExtensions,
    kNsysRaw,
    kNsysGlobs,
    "exports of Nsight Systems (.sqlite; 'nsys profile -o NAME PROGRAM', then 'assay convert "
    "FOLDER')",
    "an nsys export",
    "export it again"};

constinit const LinkedFormat kFormat{{"nsys", true},   "nsys report", kNsysNames,         is_nsys_export,
                                     nsys_environment, load_nsys,     nsys_notes::kNotes, {explain_nsys}};

}  // namespace

const Format& nsys_format() { return kFormat; }

}  // namespace assay::load
