#include "load/load.hpp"

#include <exception>
#include <thread>

#include "load/arrange.hpp"
#include "load/ncu/ncu_load.hpp"
#include "load/nsys/read_tables.hpp"
#include "load/trace/trace_load.hpp"

namespace assay {

using namespace load;

Profile::Profile(std::unique_ptr<Store> store) : store_(std::move(store)) {}
Profile::Profile(Profile&&) noexcept = default;
Profile::~Profile() = default;

const std::vector<std::string>& Profile::notes() const { return store_->notes; }

std::size_t Profile::bytes() const {
  std::size_t bytes = store_->strings.bytes();
  const auto add = [&](auto& rows) {
    if (rows) rows->each([&](const auto& column) { bytes += column.bytes(); });
  };
  add(store_->kernels), add(store_->graphs), add(store_->copies), add(store_->sets), add(store_->syncs);
  add(store_->calls), add(store_->ranges), add(store_->spans), add(store_->ops), add(store_->allocations);
  add(store_->profiled), add(store_->counters), add(store_->repeats), add(store_->os_calls), add(store_->mpi_events);
  add(store_->openacc_events), add(store_->openmp_events), add(store_->cpu_faults), add(store_->gpu_faults);
  return bytes;
}

namespace {

bool wants_device_work(const Wanted& wanted) {
  return wanted.table(col::kernels) || wanted.table(col::graphs) || wanted.table(col::copies) ||
         wanted.table(col::sets) || wanted.table(col::syncs) || wanted.table(col::overheads);
}

/// What the profiler itself said about why something is missing. Warnings (2) and errors (3) count, not what is verbose
/// (4). A row about collecting CUDA events comes before one that merely names CUDA (unified memory, a path); then
/// errors before warnings, what was said first, and the text, so that the same file gives the same row.
std::string diagnosis(const Source& source) {
  const TableInfo* info = source.schema.find("DIAGNOSTIC_EVENT");
  if (info == nullptr || !info->has("text") || !info->has("severity")) return {};
  const std::string when = info->has("timestamp") ? "timestamp, " : "";
  Statement rows(source.db.handle(),
                 "SELECT text FROM DIAGNOSTIC_EVENT WHERE severity IN (2, 3) AND text GLOB '*CUDA*' "
                 "ORDER BY text GLOB '*CUDA events*' OR text GLOB '*CUDA profiling*' DESC, severity DESC, " +
                     when + "text LIMIT 1");
  return rows.ok() && rows.step() ? std::string(rows.text(0)) : std::string();
}

/// A table that was asked for, is not there, and should be: launches were recorded and no kernels, or nothing of CUDA
/// at all.
void note_missing(const Source& source, Profile::Store& store) {
  if (!source.wanted.table(col::kernels) || store.kernels) return;
  std::int64_t launches = 0;
  if (store.calls) {
    for (const CallKind kind : store.calls->kind.values()) launches += kind == CallKind::kKernelLaunch ? 1 : 0;
  }
  std::string text = launches > 0   ? concat("No kernels were captured although ", launches, " launches were")
                     : store.graphs ? std::string("No kernels were captured outside of CUDA graphs")
                                    : std::string("No kernels were captured");
  const std::string why = diagnosis(source);
  text += why.empty() ? "." : concat("; the profiler says: ", why);
  store.issues.push_back(
      {"no_kernel_table", launches > 0 ? Severity::kError : Severity::kWarning, launches, std::move(text)});
}

/// Reads calls on one connection and device work on another when there is a second thread to do it with.
void read_events(const Source& source, const SqliteFile& file, unsigned threads, Profile::Store& store) {
  const bool device = wants_device_work(source.wanted);
  const bool calls = device || source.wanted.table(col::calls) || source.wanted.table(col::repeats);
  std::vector<Issue> call_issues, work_issues;
  const auto work = [&](const Source& from) {
    read_kernels(from, store, work_issues);
    read_other_work(from, store, work_issues);
  };
  std::optional<Result<Connection>> second;
  if (threads > 1 && device && calls) second = file.connect();
  if (second && second->ok()) {
    const Source other{**second,          source.pages,  source.reader, source.schema,
                       source.file_bytes, source.wanted, source.shared};
    std::exception_ptr failure;
    {
      const std::jthread helper([&] {
        try {
          work(other);
        } catch (...) {  // no memory
          failure = std::current_exception();
        }
      });
      read_calls(source, store, call_issues);
    }
    if (failure) std::rethrow_exception(failure);
  } else {
    if (calls) read_calls(source, store, call_issues);
    if (device) work(source);
  }
  for (auto* issues : {&call_issues, &work_issues}) {
    for (Issue& issue : *issues) store.issues.push_back(std::move(issue));
  }
}

/// A header or a list of free pages that is wrong in itself. What is merely unusual, a log beside the file or texts of
/// another encoding, is none.
void note_unchecked(const btree::Refusal& why, std::vector<Issue>& issues) {
  using btree::Reason;
  if (why.reason != Reason::kHeader && why.reason != Reason::kFileSize && why.reason != Reason::kFreeList) return;
  issues.push_back({"damaged_header", Severity::kError, 0,
                    concat("The pages of the file cannot be checked because ", why.sentence,
                           ": rows may be wrong or missing; copy or export the file again.")});
}

Result<std::unique_ptr<Profile::Store>> load_export(const std::filesystem::path& path, std::string name,
                                                    const Wanted& wanted, unsigned threads, Reader reader) {
  // Before the schema is read, so that a change of the file between the two is noticed.
  const btree::Outcome<btree::PageFile> pages = btree::PageFile::open(path);
  const auto* plain = std::get_if<btree::PageFile>(&pages);
  const Result<SqliteFile> file = SqliteFile::open(path);
  if (!file) return file.error();
  const Result<Connection> db = file->connect();
  if (!db) return db.error();

  auto store = std::make_unique<Profile::Store>();
  store->name = std::move(name);
  store->issues = file->issues();
  const Result<Schema> read = Schema::read(*db, plain, store->issues);
  if (!read) return Error{concat("'", path.string(), "': ", read.error().sentence), Exit::kFailed};
  const Schema& schema = *read;
  if (!schema.is_nsys()) {
    return Error{
        concat("'", path.string(),
               "' holds no table of an Nsight Systems export; export the report with `nsys export --type sqlite`"),
        Exit::kFailed};
  }
  const TableInfo list{"sqlite_schema", {"type", "name", "tbl_name", "rootpage", "sql"}};
  note_suspicion(suspicion_of(*db, plain, list), "the list of tables", store->issues);
  if (plain == nullptr) note_unchecked(std::get<btree::Refusal>(pages), store->issues);
  Shared shared;
  if (reader == Reader::kDirect && plain == nullptr) shared.notes.push_back(std::get<btree::Refusal>(pages).sentence);
  const Source source{*db, plain, reader, schema, file->bytes(), wanted, shared};
  read_events(source, *file, threads, *store);
  read_ranges(source, *store, store->issues);
  read_others(source, *store, store->issues);
  read_strings(source, *store, store->issues);
  store->threads = std::move(shared.threads);
  store->notes = std::move(shared.notes);
  link_work(*store, source.wanted);
  arrange_ranges(*store, source.wanted);
  read_devices(source, *store, store->issues);
  read_thread_names(source, *store);
  if (source.wanted.table(col::properties)) {
    for (std::string& table : schema.names()) store->properties.push_back({"table", std::move(table)});
  }
  note_missing(source, *store);
  if (const auto changed = file->changed()) store->issues.push_back(*changed);
  return store;
}

/// What is read besides to tell which kernels the counters belong to.
std::set<ColumnId> with_matched_columns(std::set<ColumnId> wanted) {
  if (wanted.contains(col::kernel_profiled)) wanted.insert({col::kernel_name, col::kernel_grid, col::kernel_block});
  return wanted;
}

}  // namespace

Result<Profile> load_profile(const std::filesystem::path& path, std::string name, const std::set<ColumnId>& wanted,
                             unsigned threads, Reader reader, std::span<const std::filesystem::path> counters) {
  const std::set<ColumnId> columns = counters.empty() ? wanted : with_matched_columns(wanted);
  const Wanted asked(columns);
  Result<std::unique_ptr<Profile::Store>> store = looks_like_ncu(path) ? load_ncu(path, std::move(name), counters)
                                                  : looks_like_trace(path)
                                                      ? load_trace(path, std::move(name), asked)
                                                      : load_export(path, std::move(name), asked, threads, reader);
  if (!store) return store.error();
  const bool counted = asked.table(col::profiled) || asked.table(col::counters) || asked.column(col::kernel_profiled);
  if (!(*store)->profiled && !counters.empty() && counted) join_ncu(**store, counters, asked);
  return Profile(std::move(*store));
}

}  // namespace assay
