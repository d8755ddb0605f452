// Events of other host interfaces, page faults of unified memory, and thread names.
#include <fmt/core.h>

#include <map>

#include "formats/nsys/read_tables.hpp"

namespace assay::load {
namespace {

/// Class of OSRT_API events; other classes mark the beginning or end of tracing.
constexpr std::int32_t kOsRuntimeClass = 27;

constexpr std::string_view kMpiTables[] = {"MPI_P2P_EVENTS", "MPI_COLLECTIVES_EVENTS", "MPI_START_WAIT_EVENTS",
                                           "MPI_OTHER_EVENTS"};
constexpr std::string_view kOpenAccTables[] = {"CUPTI_ACTIVITY_KIND_OPENACC_DATA", "CUPTI_ACTIVITY_KIND_OPENACC_LAUNCH",
                                               "CUPTI_ACTIVITY_KIND_OPENACC_OTHER"};
constexpr std::string_view kOpenMpTables[] = {
    "OPENMP_EVENT_KIND_THREAD",         "OPENMP_EVENT_KIND_PARALLEL",    "OPENMP_EVENT_KIND_SYNC_REGION_WAIT",
    "OPENMP_EVENT_KIND_SYNC_REGION",    "OPENMP_EVENT_KIND_TASK",        "OPENMP_EVENT_KIND_MASTER",
    "OPENMP_EVENT_KIND_REDUCTION",      "OPENMP_EVENT_KIND_TASK_CREATE", "OPENMP_EVENT_KIND_TASK_SCHEDULE",
    "OPENMP_EVENT_KIND_CANCEL",         "OPENMP_EVENT_KIND_MUTEX_WAIT",  "OPENMP_EVENT_KIND_CRITICAL_SECTION",
    "OPENMP_EVENT_KIND_MUTEX_RELEASED", "OPENMP_EVENT_KIND_LOCK_INIT",   "OPENMP_EVENT_KIND_LOCK_DESTROY",
    "OPENMP_EVENT_KIND_WORKSHARE",      "OPENMP_EVENT_KIND_DISPATCH",    "OPENMP_EVENT_KIND_FLUSH"};

/// Appends `rows` cells per column to a table; columns it does not have are filled with `missing`.
template <class T>
void append(OwnedColumn<T>& to, const OwnedColumn<T>& from, std::size_t rows, T missing) {
  to.make_present(to.values().size() + rows);
  if (from.present())
    to.values().insert(to.values().end(), from.values().begin(), from.values().end());
  else
    to.values().insert(to.values().end(), rows, missing);
}

/// As append, for a column that few tables have: stays empty if none has it.
template <class T>
void append_if_any(OwnedColumn<T>& to, const OwnedColumn<T>& from, std::size_t before, std::size_t rows, T missing) {
  if (!to.present() && !from.present()) return;
  if (!to.present()) to.assign(before, missing);
  append(to, from, rows, missing);
}

void append(HostEventRows& to, const HostEventRows& from, StringId table, std::uint32_t no_thread) {
  const std::size_t before = to.rows(), rows = from.rows();
  append_if_any(to.source_file, from.source_file, before, rows, StringKey{0});
  append_if_any(to.source_line, from.source_line, before, rows, kNoValue);
  append(to.start, from.start, rows, kNoValue);
  append(to.end, from.end, rows, kNoValue);
  append(to.name, from.name, rows, StringKey{0});
  append(to.thread, from.thread, rows, no_thread);
  append(to.source, {}, rows, table);
  for (auto column : {&HostEventRows::tag, &HostEventRows::rank, &HostEventRows::remote_rank, &HostEventRows::root_rank,
                      &HostEventRows::size, &HostEventRows::sent_size, &HostEventRows::recv_size}) {
    append(to.*column, from.*column, rows, kNoCell);
  }
}

/// All tables of a family as one; empty if the file has none. `request` adds the columns of one table.
template <class Request>
std::optional<HostEventRows> read_family(const Source& source, std::span<const std::string_view> names,
                                         std::string_view name_column, StringPool& strings, std::vector<Issue>& issues,
                                         Request request) {
  std::optional<HostEventRows> all;
  std::string read;
  for (const std::string_view name : names) {
    const TableInfo* info = source.schema.find(name);
    if (info == nullptr || !has_columns(*info, {"start"}, issues)) continue;
    note_lacking(*info, {"end", "globalTid", name_column}, issues);
    HostEventRows rows;
    TableLoad table(source, *info);
    table.integers(rows.start, "start", kNoValue);
    table.integers(rows.end, "end", kNoValue);
    table.threads(rows.thread, "globalTid");
    table.string_keys(rows.name, name_column);
    const auto after = request(table, rows, name);
    table.run(issues);
    after(rows);
    if (!all) all.emplace();
    append(*all, rows, strings.intern(name), rows.thread.present() ? 0 : source.shared.threads.thread(0));
    read.append(read.empty() ? "" : ", ").append(name);
  }
  if (all) clean_and_sort(*all, read, issues);
  return all;
}

constexpr auto kNothingMore = [](TableLoad&, HostEventRows&, std::string_view) { return [](HostEventRows&) {}; };

/// Events have a source location. Its name becomes part of theirs when names are read.
constexpr auto kPlaces = [](TableLoad& table, HostEventRows& rows, std::string_view) {
  table.string_keys(rows.source_file, "srcFile");
  table.integers(rows.source_line, "lineNo", kNoValue);
  return [](HostEventRows&) {};
};

std::optional<HostEventRows> read_os_calls(const Source& source, StringPool& strings, std::vector<Issue>& issues) {
  OwnedColumn<std::int32_t> event_class;
  constexpr std::string_view kTable[] = {"OSRT_API"};
  return read_family(source, kTable, "nameId", strings, issues,
                     [&](TableLoad& table, HostEventRows&, std::string_view) {
                       table.integers(event_class, "eventClass");
                       return [&](HostEventRows& rows) {
                         if (!event_class.present()) return;
                         std::vector<std::uint32_t> calls;
                         for (std::uint32_t row = 0; row < rows.rows(); ++row) {
                           if (event_class[row] == kOsRuntimeClass) calls.push_back(row);
                         }
                         rows.each([&](auto& column) { column.reorder(calls); });
                       };
                     });
}

/// Ranks by row of threads.
std::map<std::uint32_t, std::int64_t> read_ranks(const Source& source, std::vector<Issue>& issues) {
  std::map<std::uint32_t, std::int64_t> ranks;
  const TableInfo* info = source.schema.find("MPI_RANKS");
  if (info == nullptr || !info->has("globalTid") || !info->has("rank")) return ranks;
  OwnedColumn<std::uint32_t> thread;
  OwnedColumn<std::int64_t> rank;
  TableLoad table(source, *info);
  table.threads(thread, "globalTid");
  table.integers(rank, "rank", kNoCell);
  table.run(issues);
  for (std::size_t row = 0; row < thread.values().size(); ++row) ranks.emplace(thread[row], rank[row]);
  return ranks;
}

std::optional<HostEventRows> read_mpi(const Source& source, StringPool& strings, std::vector<Issue>& issues) {
  auto events = read_family(source, kMpiTables, "textId", strings, issues,
                            [](TableLoad& table, HostEventRows& rows, std::string_view name) {
                              const bool collective = name == kMpiTables[1];
                              table.integers(rows.tag, "tag", kNoCell);
                              table.integers(rows.remote_rank, "remoteRank", kNoCell);
                              table.integers(rows.root_rank, "rootRank", kNoCell);
                              table.integers(collective ? rows.sent_size : rows.size, "size", kNoCell);
                              table.integers(rows.recv_size, "recvSize", kNoCell);
                              return [](HostEventRows&) {};
                            });
  if (!events) return events;
  const auto ranks = read_ranks(source, issues);
  for (std::size_t row = 0; row < events->rows(); ++row) {
    const auto rank = ranks.find(events->thread[row]);
    if (rank != ranks.end()) events->rank.values()[row] = rank->second;
  }
  return events;
}

std::optional<PageFaultRows> read_faults(const Source& source, std::string_view name, std::vector<Issue>& issues) {
  const TableInfo* info = source.schema.find(name);
  if (info == nullptr || !info->has("start")) return std::nullopt;
  std::optional<PageFaultRows> found(std::in_place);
  PageFaultRows& rows = *found;
  TableLoad table(source, *info);
  table.integers(rows.start, "start", kNoValue);
  table.processes(rows.process, "globalPid");
  table.integers(rows.address, "address", std::int64_t{kNone});
  table.integers(rows.count, "numberOfPageFaults", std::int64_t{kNone});
  table.integers(rows.counter, "originalFaultPc", std::int64_t{kNone});
  table.string_keys(rows.function, "CpuInstruction");
  table.made(rows.unresolved, "unresolvedFaultPc",
             [](std::int64_t cell) { return static_cast<std::uint8_t>(cell != kNoValue && cell != 0 ? 1 : 0); });
  table.run(issues);
  rows.end.assign(rows.rows(), 0);
  rows.end.values() = rows.start.values();
  if (!rows.process.present()) rows.process.assign(rows.rows(), kUnknown);
  if (!rows.address.present()) rows.address.assign(rows.rows(), kNone);
  clean_and_sort(rows, info->name, issues);
  return found;
}

}  // namespace

void read_others(const Source& source, Profile::Store& store, std::vector<Issue>& issues) {
  const WantedColumns& wanted = source.wanted;
  StringPool& strings = store.strings;
  if (wanted.table(col::os_calls) || wanted.table(col::causes)) store.os_calls = read_os_calls(source, strings, issues);
  if (wanted.table(col::mpi_events)) store.mpi_events = read_mpi(source, strings, issues);
  if (wanted.table(col::openacc_events))
    store.openacc_events = read_family(source, kOpenAccTables, "nameId", strings, issues, kPlaces);
  if (wanted.table(col::openmp_events))
    store.openmp_events = read_family(source, kOpenMpTables, "nameId", strings, issues, kNothingMore);
  if (wanted.table(col::cpu_faults)) store.cpu_faults = read_faults(source, "CUDA_UM_CPU_PAGE_FAULT_EVENTS", issues);
  if (wanted.table(col::gpu_faults)) store.gpu_faults = read_faults(source, "CUDA_UM_GPU_PAGE_FAULT_EVENTS", issues);
}

void name_places(HostEventRows& rows, std::span<const StringId> text_of, StringPool& strings) {
  if (!rows.source_file.present() || !rows.source_line.present()) return;
  std::map<std::tuple<StringId, StringId, std::int64_t>, StringId> known;
  for (std::size_t row = 0; row < rows.rows(); ++row) {
    const StringId file = text_of[rows.source_file[row]];
    StringId& name = rows.name.values()[row];
    if (file == 0 || rows.source_line[row] == kNoValue) continue;
    const auto [at, is_new] = known.try_emplace({name, file, rows.source_line[row]}, 0);
    if (is_new)
      at->second = strings.intern(fmt::format("{}@{}:{}", strings[name], strings[file], rows.source_line[row]));
    name = at->second;
  }
  rows.source_file.drop();
  rows.source_line.drop();
}

void read_thread_names(const Source& source, Profile::Store& store) {
  const TableInfo* info = source.schema.find("ThreadNames");
  if (!source.wanted.table(col::thread_names) || info == nullptr) return;
  if (!has_columns(*info, {"globalTid", "nameId"}, store.issues)) return;
  std::int64_t nameless = 0;
  ThreadNameRows& rows = store.thread_names.emplace();
  rows.names.resize(store.threads.thread_count());
  rows.priorities.assign(store.threads.thread_count(), kNone);
  std::vector<char> named(store.threads.thread_count(), 0);
  sqlite::Statement names(
      source.db.handle(),
      fmt::format(
          "SELECT globalTid, {}, (SELECT value FROM StringIds WHERE id = nameId) FROM ThreadNames ORDER BY rowid",
          info->has("priority") ? "priority" : "NULL"));
  while (names.ok() && names.step()) {
    nameless += !names.is_integer(0) || names.text(2).empty() ? 1 : 0;
    if (!names.is_integer(0)) continue;
    const auto thread = store.threads.find_thread(names.integer(0));
    if (!thread || named[*thread] != 0) continue;
    named[*thread] = 1;
    rows.names[*thread] = names.text(2);
    if (names.is_integer(1)) rows.priorities[*thread] = static_cast<std::int32_t>(names.integer(1));
  }
  if (nameless > 0) {
    store.issues.push_back({"missing_names", Severity::kInfo, nameless,
                            fmt::format("{} rows of ThreadNames name no thread or have no name.", nameless)});
  }
}

}  // namespace assay::load
