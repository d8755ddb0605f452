#include <algorithm>
#include <tuple>

#include "assay/detail/copy_kinds.hpp"
#include "launches.hpp"
#include "remarks.hpp"
#include "reports.hpp"
#include "rows.hpp"

namespace assay::nsys {
namespace {

constexpr std::int32_t kHostToDevice = copy_kind_of(CopyDirection::kHostToDevice),
                       kDeviceToDevice = copy_kind_of(CopyDirection::kDeviceToDevice);
constexpr std::int64_t kSmallCopy = 64'000;

bool is_asynchronous(std::string_view call) { return call.find("Async") != std::string_view::npos; }

/// Longest first, then by process and start; at most `most`.
template <class Key>
std::vector<std::size_t> longest(std::vector<std::size_t> rows, std::int64_t most, const Key& key) {
  std::stable_sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  rows.resize(std::min(rows.size(), static_cast<std::size_t>(most)));
  return rows;
}

/// Work of one table with the call that launched it.
struct LaunchedWork {
  std::size_t row;  ///< of the table
  Row call;
};

/// The columns common to the rules on copies and sets; `add_kinds` adds those of memory.
template <class Events, class AddKinds>
ReportTable moved_table(const Report& report, const Task& task, const Events& events,
                        const std::vector<LaunchedWork>& moved, AddKinds add_kinds) {
  const auto duration = [&](std::size_t m) { return events.end[moved[m].row] - events.start[moved[m].row]; };
  const auto process = [&](std::size_t m) { return id_of(*report.processes, events.process[moved[m].row]); };
  std::vector<std::size_t> all(moved.size());
  for (std::size_t m = 0; m < all.size(); ++m) all[m] = m;
  const std::vector<std::size_t> rows = longest(std::move(all), task.asked.rows, [&](std::size_t m) {
    return std::tuple(-duration(m), process(m), events.start[moved[m].row]);
  });
  const auto number = [&](const Column<std::int32_t>& column) {
    return [&](std::size_t m) {
      return !column.present() || column[moved[m].row] == kNone ? kNoInteger : std::int64_t{column[moved[m].row]};
    };
  };
  ReportTable made{table_of(task), {}, {}};
  Table& table = *made.table;
  table.column("Duration", "ns", rows, duration);
  table.column("Start", "ns", rows, [&](std::size_t m) { return events.start[moved[m].row]; });
  add_kinds(table, rows);
  table.column("Bytes", "MB", rows, [&](std::size_t m) {
    return events.bytes.present() ? static_cast<double>(events.bytes[moved[m].row]) / kBytesPerMb : kNothing;
  });
  table.column("PID", "", rows, process);
  table.column("Device ID", "", rows, number(events.device));
  table.column("Context ID", "", rows, number(events.context));
  table.column("Green Context ID", "", rows, number(events.green_context));
  table.column("Stream ID", "", rows, number(events.stream));
  table.column("API Name", "", rows,
               [&](std::size_t m) { return report.string(report.calls->full_name[at(moved[m].call)]); });
  return made;
}

/// Pairs of an event and a call for which `wanted(row, name of the call)`, with remarks.
struct Pairs {
  std::vector<LaunchedWork> moved;
  std::vector<Remark> remarks;
};

/// nsys joins these rules by correlation id only, so an event also appears with calls of other processes that have its
/// id; corrected, only with the call that launched it.
template <class Events, class Wanted>
Pairs pairs_of(const Report& report, const Task& task, const Events& events, const Wanted& wanted) {
  const CallTable& calls = *report.calls;
  Pairs out;
  if (task.corrected() || !calls.correlation.present() || !events.correlation.present()) {
    for (std::size_t row = 0; row < events.rows; ++row) {
      const Row call = events.call[row];
      if (inside(events, row) && call != kNone && wanted(row, report.string(calls.full_name[at(call)])))
        out.moved.push_back({row, call});
    }
    return out;
  }
  std::vector<std::pair<std::int64_t, Row>> by_id;
  for (std::size_t row = 0; row < calls.rows; ++row) {
    const std::string_view name = report.string(calls.full_name[row]);
    if (name.starts_with("cudaMem")) by_id.emplace_back(calls.correlation[row], static_cast<Row>(row));
  }
  std::sort(by_id.begin(), by_id.end());
  std::int64_t foreign = 0;
  for (std::size_t row = 0; row < events.rows && out.moved.size() <= kMaxVisits / 8; ++row) {
    if (!inside(events, row)) continue;
    const std::int64_t id = events.correlation[row];
    auto pair = std::lower_bound(by_id.begin(), by_id.end(), std::pair(id, Row{0}));
    for (; pair != by_id.end() && pair->first == id; ++pair) {
      const Row call = pair->second;
      if (!wanted(row, report.string(calls.full_name[at(call)]))) continue;
      out.moved.push_back({row, call});
      foreign += report.threads->process[calls.thread[at(call)]] != events.process[row] ? 1 : 0;
    }
  }
  if (foreign > 0) {
    out.remarks.push_back(
        {"calls_of_other_processes", foreign,
         std::to_string(foreign) +
             " rows pair work of one process with an API call of another that has the same correlation "
             "id, as nsys pairs them; --corrected lists each piece of work with its own call."});
  }
  return out;
}

template <class Kept>
ReportTable copies_that(const Report& report, const Task& task, const Kept& kept) {
  if (report.copies == nullptr) return lacking("the export holds no CUDA memory copies");
  const CopyTable& copies = *report.copies;
  if (!copies.source_kind.present() || !copies.target_kind.present() || !report.calls->full_name.present())
    return lacking("the copies of this export have no kinds of memory, or its calls no names");
  const Pairs pairs = pairs_of(report, task, copies, [&](std::size_t row, std::string_view name) {
    return name.starts_with("cudaMemcpy") && kept(copies, row, name);
  });
  ReportTable made =
      moved_table(report, task, copies, pairs.moved, [&](Table& table, const std::vector<std::size_t>& rows) {
        const auto kind = [&](const Column<MemoryKind>& column) {
          return [&](std::size_t m) { return memory_kind(column[pairs.moved[m].row]); };
        };
        table.column("Src Kind", "", rows, kind(copies.source_kind));
        table.column("Dst Kind", "", rows, kind(copies.target_kind));
      });
  made.remarks = pairs.remarks;
  return made;
}

}  // namespace

ReportTable sync_calls(const Report& report, const Task& task) {
  if (report.calls == nullptr || !report.calls->full_name.present()) return lacking(kNoCalls);
  const CallTable& calls = *report.calls;
  const auto duration = [&](std::size_t row) { return calls.end[row] - calls.start[row]; };
  const auto process = [&](std::size_t row) {
    return id_of(*report.processes, report.threads->process[calls.thread[row]]);
  };
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < calls.rows; ++row) {
    const std::string_view name = report.string(calls.full_name[row]);
    const bool waits = name.starts_with("cudaDeviceSynchronize") || name.starts_with("cudaStreamSynchronize");
    if (waits && calls.in_window[row] != 0) rows.push_back(row);
  }
  rows = longest(std::move(rows), task.asked.rows,
                 [&](std::size_t row) { return std::tuple(-duration(row), process(row), calls.start[row]); });
  ReportTable made{table_of(task), {}, {}};
  Table& table = *made.table;
  table.column("Duration", "ns", rows, duration);
  table.column("Start", "ns", rows, [&](std::size_t row) { return calls.start[row]; });
  table.column("PID", "", rows, process);
  table.column("TID", "", rows, [&](std::size_t row) { return id_of(*report.threads, calls.thread[row]); });
  table.column("API Name", "", rows, [&](std::size_t row) { return report.string(calls.full_name[row]); });
  return made;
}

ReportTable pageable_copies(const Report& report, const Task& task) {
  return copies_that(report, task, [](const CopyTable& copies, std::size_t row, std::string_view call) {
    return is_asynchronous(call) &&
           (copies.source_kind[row] == MemoryKind::kPageable || copies.target_kind[row] == MemoryKind::kPageable);
  });
}

/// nsys intends to exclude copies within one device, but tests their source and target devices, which exports have only
/// for copies between devices: so all others are listed. Corrected, those within a device are excluded.
ReportTable synchronous_copies(const Report& report, const Task& task) {
  return copies_that(report, task, [&](const CopyTable& copies, std::size_t row, std::string_view call) {
    if (is_asynchronous(call)) return false;
    if (!copies.kind.present()) return true;
    const bool small = copies.bytes.present() && copies.bytes[row] <= kSmallCopy;
    const bool within = task.corrected() && copies.kind[row] == kDeviceToDevice;
    return !within && !(copies.kind[row] == kHostToDevice && small);
  });
}

ReportTable synchronous_sets(const Report& report, const Task& task) {
  if (report.sets == nullptr) return lacking("the export holds no CUDA memory sets");
  const SetTable& sets = *report.sets;
  if (!sets.memory_kind.present() || !report.calls->full_name.present())
    return lacking("the sets of this export have no kinds of memory, or its calls no names");
  const Pairs pairs = pairs_of(report, task, sets, [&](std::size_t row, std::string_view name) {
    const MemoryKind kind = sets.memory_kind[row];  // setting device memory does not wait
    return (kind == MemoryKind::kPinned || kind == MemoryKind::kManaged) && name.starts_with("cudaMemset") &&
           !is_asynchronous(name);
  });
  ReportTable made =
      moved_table(report, task, sets, pairs.moved, [&](Table& table, const std::vector<std::size_t>& rows) {
        table.column("Memory Kind", "", rows,
                     [&](std::size_t m) { return memory_kind(sets.memory_kind[pairs.moved[m].row]); });
      });
  made.remarks = pairs.remarks;
  return made;
}

}  // namespace assay::nsys
