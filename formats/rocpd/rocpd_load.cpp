#include "formats/rocpd/rocpd_load.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "formats/rocpd/notes.hpp"
#include "formats/rocpd/part.hpp"
#include "formats/rocpd/rocpd_environment.hpp"
#include "formats/rocpd/sniff_rocpd.hpp"
#include "load/arrange.hpp"
#include "load/collectives.hpp"
#include "load/job_variables.hpp"
#include "load/link.hpp"

namespace assay::load::rocpd {
namespace {

/// Union of the traced domains over all processes of a file.
struct TracedDomains {
  bool kernels = false, copies = false, allocations = false, calls = false, markers = false;

  void add(const std::map<std::string, std::string>& variables) {
    const auto any = [&](std::initializer_list<std::string_view> domains) {
      return std::ranges::any_of(domains, [&](std::string_view domain) { return traced(variables, domain); });
    };
    kernels = kernels || any({"KERNEL"});
    copies = copies || any({"MEMORY_COPY"});
    allocations = allocations || any({"MEMORY_ALLOCATION"});
    markers = markers || any({"MARKER_API"});
    calls = calls || any({"HIP_RUNTIME_API", "HIP_COMPILER_API", "HSA_CORE_API", "HSA_AMD_EXT_API", "HSA_IMAGE_EXT_API",
                          "HSA_FINALIZER_EXT_API", "RCCL_API", "ROCDECODE_API", "ROCJPEG_API"});
  }
};

/// The process itself: id, traced domains, rank in a job.
void read_process(ProcessData& part, TracedDomains& traced, std::vector<Issue>& issues) {
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
      traced.add(variables);
      std::vector<std::string_view> names(std::begin(kJobVariables), std::end(kJobVariables));
      names.insert(names.end(), {"HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES"});
      for (const std::string_view name : names) {
        const auto at = variables.find(std::string(name));
        if (part.source.wanted.table(col::properties) && at != variables.end())
          part.store.properties.push_back({"environment." + at->first, at->second.substr(0, 200)});
      }
    }
  }
  if (const TableInfo* info = part.table("rocpd_info_process"); info != nullptr)
    note_pages(check_pages(part.source.db, part.source.pages, *info), info->name, issues);
  if (pid == kNone) {
    issues.push_back({"missing_references", Severity::kWarning, 0,
                      fmt::format("rocpd_info_process{} names no process, so its number is unknown.", part.suffix)});
  }
  part.process = part.store.threads.add_process(pid);
  const TableInfo* node = part.table("rocpd_info_node");
  if (node == nullptr || !node->has("hostname") || !part.source.wanted.table(col::properties)) return;
  sqlite::Statement row(part.source.db.handle(),
                        "SELECT substr(hostname, 1, 200) FROM " + sqlite::quoted(node->name) + " LIMIT 1");
  if (row.ok() && row.step()) part.store.properties.push_back({"hostname", std::string(row.text(0))});
}

/// An empty table whose domain was not traced: unknown, not zero.
template <class Rows>
void drop_untraced(std::optional<Rows>& rows, bool traced) {
  if (rows && rows->rows() == 0 && !traced) rows.reset();
}

/// Sorts the tables and drops those not traced or not requested.
void finish(Profile::Store& store, const TracedDomains& traced, const WantedColumns& wanted) {
  drop_untraced(store.kernels, traced.kernels);
  drop_untraced(store.copies, traced.copies);
  drop_untraced(store.allocations, traced.allocations);
  drop_untraced(store.calls, traced.calls);
  const bool marked =
      traced.markers || (store.ranges && store.ranges->rows() > 0) || (store.spans && store.spans->rows() > 0);
  drop_untraced(store.ranges, marked);
  drop_untraced(store.spans, marked);
  const auto clean = [&](auto& rows, const char* table) {
    if (rows) clean_and_sort(*rows, table, store.issues);
  };
  clean(store.kernels, "rocpd_kernel_dispatch");
  clean(store.copies, "rocpd_memory_copy");
  clean(store.calls, "rocpd_region");
  clean(store.ranges, "rocpd_region");
  clean(store.spans, "rocpd_region");
  if (store.allocations) {
    const auto& time = store.allocations->time.values();
    const auto order = sorting_order(time, time);
    if (!order.empty()) store.allocations->each([&](auto& column) { column.reorder(order); });
  }
  link_work(store, wanted);
  arrange_ranges(store, wanted);
  group_counters(store, wanted);
  if (wanted.table(col::collectives)) find_collectives(store, {});
  if (store.calls && !wanted.column(col::call_name)) store.calls->name.drop();
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

void note_missing(Profile::Store& store, const WantedColumns& wanted) {
  if (!wanted.table(col::kernels) || (store.kernels && store.kernels->rows() > 0)) return;
  std::int64_t launches = 0;
  if (store.calls) launches = std::ranges::count(store.calls->kind.values(), CallKind::kKernelLaunch);
  if (store.kernels && launches == 0) return;
  store.issues.push_back({"no_kernel_table", launches > 0 ? Severity::kError : Severity::kWarning, launches,
                          launches > 0
                              ? fmt::format("No kernels were captured although {} launches were; record the run with "
                                            "rocprofv3 --kernel-trace.",
                                            launches)
                              : std::string("No kernels were captured; record the run with rocprofv3 "
                                            "--kernel-trace.")});
}

void read_part(ProcessData& part, TracedDomains& traced, std::vector<Issue>& issues) {
  const WantedColumns& wanted = part.source.wanted;
  read_process(part, traced, issues);
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

void make_devices_present(DeviceRows& devices) {
  for (auto* column :
       {&devices.id, &devices.sm_count, &devices.compute_major, &devices.compute_minor, &devices.max_threads_per_sm,
        &devices.max_blocks_per_sm, &devices.max_registers_per_sm, &devices.max_shared_per_sm})
    column->make_present(0);
  for (auto* column : {&devices.total_memory, &devices.memory_bandwidth, &devices.clock_rate, &devices.l2_size})
    column->make_present(0);
}

}  // namespace

static Result<std::unique_ptr<Profile::Store>> load_rocpd(const LoadRequest& request) {
  const Result<SqliteFile> file = SqliteFile::open(request.path, rocpd_format().names);
  if (!file) return file.error();
  // Opened before the schema is read, so that a change of the file in between is noticed.
  const btree::Outcome<btree::PageFile> pages = btree::PageFile::open(file->read_path());
  const auto* plain = std::get_if<btree::PageFile>(&pages);
  const Result<Connection> db = file->connect();
  if (!db) return db.error();
  auto store = std::make_unique<Profile::Store>();
  store->name = request.name;
  store->issues = file->issues();
  const Result<Schema> schema = Schema::read(*db, plain, kRocpdTables, store->issues);
  if (!schema) return schema.error().in(fmt::format("'{}': ", request.path.string())).at(request.path.string());
  const std::vector<std::string> names = schema->names();
  if (!are_rocpd_tables(names)) {
    return Error{fmt::format("'{}' holds no tables of AMD's rocpd", request.path.string()), Exit::kFailed}
        .at(request.path.string())
        .advise("record the run again with `rocprofv3 --output-format rocpd`");
  }
  note_pages(check_pages(*db, plain, list_of_tables()), "the list of tables", store->issues);
  SharedNumbering shared;
  if (plain == nullptr) {
    const auto& why = std::get<btree::Refusal>(pages);
    note_unchecked(why, store->issues);
    if (request.reader == Reader::kDirect) shared.notes.push_back(why.sentence);
  }
  const Source source{*db, plain, request.reader, *schema, file->bytes(), request.wanted, shared, request.threads};
  make_devices_present(store->devices);
  TracedDomains traced;
  std::vector<std::string> identities;
  std::vector<Issue> issues;
  note_unknown(source, names, issues);
  bool all_say_when = true;
  for (std::string& suffix : rocpd_suffixes(names)) {
    ProcessData part{.source = source, .store = *store, .device_identities = identities, .suffix = std::move(suffix)};
    read_part(part, traced, issues);
    all_say_when = all_say_when && part.recorded.has_value();
    if (!part.recorded) continue;
    RecordedTime& all = store->recorded ? *store->recorded : store->recorded.emplace(*part.recorded);
    all = {std::min(all.begin, part.recorded->begin), std::max(all.end, part.recorded->end)};
  }
  if (!all_say_when) store->recorded.reset();
  for (Issue& issue : issues) store->issues.push_back(std::move(issue));
  store->notes = std::move(shared.notes);
  finish(*store, traced, request.wanted);
  note_missing(*store, request.wanted);
  if (const auto changed = file->changed()) store->issues.push_back(*changed);
  return store;
}

}  // namespace assay::load::rocpd

namespace assay::load {
namespace {

/// Whether a file looks like one of the CSVs of rocprofv3 and there is no database of the same process next to it.
bool is_lone_csv(const Candidate& file) {
  const std::string_view line = file.head.substr(0, file.head.find('\n'));
  const auto has = [&](std::string_view column) { return line.find(column) != std::string_view::npos; };
  if (!has("\"Correlation_Id\"") || !(has("\"Start_Timestamp\"") || has("\"Dispatch_Id\""))) return false;
  const std::string name = file.path.filename().string();
  std::error_code ignored;
  return !std::filesystem::exists(file.path.parent_path() / (name.substr(0, name.find('_')) + "_results.db"), ignored);
}

/// For databases that are not AMD's as a whole, for files named like one, and for CSVs.
std::optional<Explanation> explain_rocpd(const Candidate& file) {
  if (is_lone_csv(file))
    return Explanation{"This is a CSV of rocprofv3, which is not read",
                       "record the run with rocprofv3 --output-format rocpd.", true};
  const bool database = file.head.starts_with(sqlite::kMagic);
  if (!database && file.path.filename().native().ends_with("_results.db"))
    return Explanation{
        "This file is named like a database of rocprofv3 but is not an SQLite database (its first bytes are not those "
        "of one)",
        "copy it again."};
  if (!database || std::ranges::none_of(file.database.tables().names, rocpd::is_rocpd_table)) return std::nullopt;
  return Explanation{"This database has tables of rocpd, but not both rocpd_metadata and kernel dispatches or regions",
                     "it is damaged or was never finished, copy it again.", true};
}

constexpr std::string_view kRocpdExtensions[] = {".db", "_results.db"}, kRocpdTelling[] = {"_results.db"},
                           kRocpdGlobs[] = {"**/*.db"};
constexpr FormatNames kRocpdNames{
    kRocpdExtensions,
    kRocpdTelling,
    {},
    kRocpdGlobs,
    "databases of AMD's rocprofv3 (.db; 'rocprofv3 --runtime-trace --output-format rocpd -- PROGRAM')",
    "a database of rocprofv3",
    "copy it again"};

constinit const LinkedFormat kFormat{{"rocpd", true},          "rocpd report",    kRocpdNames,         rocpd::is_rocpd,
                                     rocpd::rocpd_environment, rocpd::load_rocpd, rocpd_notes::kNotes, {explain_rocpd}};

}  // namespace

const Format& rocpd_format() { return kFormat; }

}  // namespace assay::load
