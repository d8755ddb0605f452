// Events of other host interfaces, page faults of unified memory, and threads.
#include <fmt/core.h>

#include <algorithm>
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

/// Appends `rows` cells to a column of a family; `missing` if the table does not have it.
template <class To, class From>
void append(To& to, const From& from, std::size_t rows, typename From::Value missing) {
  const std::size_t before = to.size();
  to.resize(before + rows);
  const auto at = to.values().begin() + static_cast<std::ptrdiff_t>(before);
  if (from.present())
    std::ranges::copy(from.values(), at);
  else
    std::fill_n(at, rows, missing);
}

/// As append, for a column that few tables have: stays empty if none has it.
template <class T>
void append_if_any(OwnedColumn<T>& to, const OwnedColumn<T>& from, std::size_t before, std::size_t rows, T missing) {
  if (!to.present() && !from.present()) return;
  if (!to.present()) to.assign(before, missing);
  append(to, from, rows, missing);
}

/// All tables of a family as one; absent if the file has none. `request` adds the columns of one table, and returns
/// what is done to its rows.
template <class Request>
void read_family(NsysTables& to, HostEvents& all, std::span<const std::string_view> names, std::string_view name_column,
                 Request request) {
  std::string read;
  for (const std::string_view name : names) {
    const TableInfo* info = to.source.schema.find(name);
    if (info == nullptr || !has_columns(*info, {"start"}, to.issues)) continue;
    note_lacking(*info, {"end", "globalTid", name_column}, to.issues);
    HostEventRows rows;
    TableLoad table(to.source, *info);
    table.integers(rows.start, "start", kNoValue);
    table.integers(rows.end, "end", kNoValue);
    table.threads(rows.thread, "globalTid");
    table.string_keys(rows.name, name_column);
    const auto after = request(table, rows, name);
    table.run(to.issues);
    after(rows);
    const std::uint32_t no_thread = rows.thread.present() ? 0 : to.source.shared.threads.thread(0);
    append(all.start, rows.start, rows.rows(), kNoValue);
    append(all.end, rows.end, rows.rows(), kNoValue);
    append(all.name, rows.name, rows.rows(), 0);
    append(all.thread, rows.thread, rows.rows(), no_thread);
    append(all.source, OwnedColumn<StringId>(), rows.rows(), to.out.intern(name));
    read.append(read.empty() ? "" : ", ").append(name);
  }
  if (!read.empty()) to.out.read_from(all.table, read);
}

void read_os_calls(NsysTables& to) {
  OwnedColumn<std::int32_t> event_class;
  constexpr std::string_view kTable[] = {"OSRT_API"};
  read_family(to, to.os_calls, kTable, "nameId", [&](TableLoad& table, HostEventRows&, std::string_view) {
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

/// Events have a source location. Its name becomes part of theirs when names are read.
void read_openacc(NsysTables& to) {
  HostEvents& all = to.openacc_events;
  OwnedColumn<StringKey> file;
  OwnedColumn<std::int64_t> line;
  read_family(to, all, kOpenAccTables, "nameId", [&](TableLoad& table, HostEventRows&, std::string_view) {
    file.drop();
    line.drop();
    table.string_keys(file, "srcFile");
    table.integers(line, "lineNo", kNoValue);
    return [&](const HostEventRows& rows) {
      append_if_any(all.source_file, file, all.start.size(), rows.rows(), StringKey{0});
      append_if_any(all.source_line, line, all.start.size(), rows.rows(), kNoValue);
    };
  });
}

/// Ranks by row of threads.
std::map<std::uint32_t, std::int64_t> read_ranks(NsysTables& to) {
  std::map<std::uint32_t, std::int64_t> ranks;
  const TableInfo* info = to.source.schema.find("MPI_RANKS");
  if (info == nullptr || !info->has("globalTid") || !info->has("rank")) return ranks;
  OwnedColumn<std::uint32_t> thread;
  OwnedColumn<std::int64_t> rank;
  TableLoad table(to.source, *info);
  table.threads(thread, "globalTid");
  table.integers(rank, "rank", kNoCell);
  table.run(to.issues);
  for (std::size_t row = 0; row < thread.size(); ++row) ranks.emplace(thread[row], rank[row]);
  return ranks;
}

void read_mpi(NsysTables& to) {
  formats::RowWriter<MpiTable>& mpi = to.mpi;
  read_family(to, to.mpi_events, kMpiTables, "textId",
              [&](TableLoad& table, HostEventRows& rows, std::string_view name) {
                table.integers(rows.tag, "tag", kNoCell);
                table.integers(rows.remote_rank, "remoteRank", kNoCell);
                table.integers(rows.root_rank, "rootRank", kNoCell);
                table.integers(name == kMpiTables[1] ? rows.sent_size : rows.size, "size", kNoCell);
                table.integers(rows.recv_size, "recvSize", kNoCell);
                return [&](const HostEventRows& read) {
                  const auto add = [&](auto& column, const OwnedColumn<std::int64_t>& from) {
                    append(column, from, read.rows(), kNoCell);
                  };
                  add(mpi.tag, read.tag);
                  add(mpi.remote_rank, read.remote_rank);
                  add(mpi.root_rank, read.root_rank);
                  add(mpi.size, read.size);
                  add(mpi.sent_size, read.sent_size);
                  add(mpi.recv_size, read.recv_size);
                };
              });
  if (!to.mpi_events.start.present()) return;
  const auto ranks = read_ranks(to);
  mpi.rank.resize(to.mpi_events.start.size());
  std::ranges::transform(to.mpi_events.thread.values(), mpi.rank.values().begin(), [&](std::uint32_t thread) {
    const auto rank = ranks.find(thread);
    return rank == ranks.end() ? kNoCell : rank->second;
  });
}

void read_faults(NsysTables& to, formats::RowWriter<PageFaultTable>& rows, std::string_view name) {
  const TableInfo* info = to.source.schema.find(name);
  if (info == nullptr || !info->has("start")) return;
  TableLoad table(to.source, *info);
  table.integers(rows.start, "start", kNoValue);
  table.processes(rows.process, "globalPid");
  table.integers(rows.address, "address");
  table.integers(rows.count, "numberOfPageFaults");
  table.integers(rows.counter, "originalFaultPc");
  table.string_keys(rows.function, "CpuInstruction");
  table.made(rows.unresolved, "unresolvedFaultPc",
             [](std::int64_t cell) { return static_cast<std::uint8_t>(cell != kNoValue && cell != 0 ? 1 : 0); });
  table.run(to.issues);
  if (!rows.process.present()) rows.process.assign(rows.start.size(), kNoProcess);
  if (!rows.address.present()) rows.address.assign(rows.start.size(), kNone);
  to.out.read_from(rows.table, info->name);
}

}  // namespace

void read_others(NsysTables& to) {
  const WantedColumns& wanted = to.source.wanted;
  if (wanted.table(col::os_calls) || wanted.table(col::causes)) read_os_calls(to);
  if (wanted.table(col::mpi_events)) read_mpi(to);
  if (wanted.table(col::openacc_events)) read_openacc(to);
  if (wanted.table(col::openmp_events)) {
    read_family(to, to.openmp_events, kOpenMpTables, "nameId",
                [](TableLoad&, HostEventRows&, std::string_view) { return [](const HostEventRows&) {}; });
  }
  if (wanted.table(col::cpu_faults)) read_faults(to, to.cpu_faults, "CUDA_UM_CPU_PAGE_FAULT_EVENTS");
  if (wanted.table(col::gpu_faults)) read_faults(to, to.gpu_faults, "CUDA_UM_GPU_PAGE_FAULT_EVENTS");
}

void read_scheduled_out(NsysTables& to) {
  const TableInfo* info = to.source.schema.find("SCHED_EVENTS");
  if (info == nullptr || !info->has("start") || !info->has("isSchedIn") || !info->has("globalTid")) return;
  OwnedColumn<std::int64_t> start, in;
  OwnedColumn<std::uint32_t> thread;
  TableLoad table(to.source, *info);
  table.integers(start, "start", kNoValue);
  table.integers(in, "isSchedIn", kNoValue);
  table.made(thread, "globalTid", [&](std::int64_t id) { return known_thread(to.source, id); });
  table.run(to.issues);
  std::map<std::uint32_t, std::vector<std::pair<std::int64_t, bool>>> events;
  for (std::size_t r = 0; r < start.size(); ++r) {
    if (start[r] != kNoValue && in[r] != kNoValue && thread[r] != kUnknown)
      events[thread[r]].emplace_back(start[r], in[r] != 0);
  }
  formats::RowWriter<CauseTable> causes(to.out, col::causes);
  const StringId kind = to.out.intern("scheduling"), name = to.out.intern("scheduled out");
  for (auto& [of, own] : events) {
    std::ranges::stable_sort(own, {}, [](const auto& event) { return event.first; });
    for (std::size_t e = 0; e + 1 < own.size(); ++e) {
      if (own[e].second || !own[e + 1].second || own[e + 1].first <= own[e].first) continue;
      causes.start.push(own[e].first);
      causes.end.push(own[e + 1].first);
      causes.thread.push(of);
      causes.name.push(name);
      causes.kind.push(kind);
    }
  }
  causes.finish();
}

void add_threads(NsysTables& to) {
  const GlobalThreads& threads = to.source.shared.threads;
  std::vector<std::string> name_of(threads.thread_count());
  std::vector<std::int32_t> priorities(threads.thread_count(), kNone);
  const TableInfo* info = to.source.schema.find("ThreadNames");
  const bool named = to.source.wanted.table(col::thread_names) && info != nullptr &&
                     has_columns(*info, {"globalTid", "nameId"}, to.issues);
  if (named) {
    std::int64_t nameless = 0;
    std::vector<char> known(threads.thread_count(), 0);
    sqlite::Statement names(
        to.source.db.handle(),
        fmt::format(
            "SELECT globalTid, {}, (SELECT value FROM StringIds WHERE id = nameId) FROM ThreadNames ORDER BY rowid",
            info->has("priority") ? "priority" : "NULL"));
    while (names.ok() && names.step()) {
      nameless += !names.is_integer(0) || names.text(2).empty() ? 1 : 0;
      if (!names.is_integer(0)) continue;
      const auto thread = threads.find_thread(names.integer(0));
      if (!thread || known[*thread] != 0) continue;
      known[*thread] = 1;
      name_of[*thread] = names.text(2);
      if (names.is_integer(1)) priorities[*thread] = static_cast<std::int32_t>(names.integer(1));
    }
    if (nameless > 0) {
      to.issue("missing_names", Severity::kInfo, nameless,
               fmt::format("{} rows of ThreadNames name no thread or have no name.", nameless));
    }
  }
  for (const std::int64_t id : threads.process_ids()) to.out.add_process(id);
  for (std::uint32_t t = 0; t < threads.thread_count(); ++t)
    to.out.add_thread(threads.process_of_thread(t), threads.thread_ids()[t], name_of[t]);
  if (!named || priorities.empty()) return;
  formats::ColumnWriter<std::int32_t> column(to.out, col::thread_names, LinkColumn::kPriority);
  column.resize(priorities.size());
  std::ranges::copy(priorities, column.values().begin());
}

}  // namespace assay::load
