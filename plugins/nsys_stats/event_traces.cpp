#include <unordered_map>

#include "assay/words.hpp"
#include "call_names.hpp"
#include "kernel_names.hpp"
#include "remarks.hpp"
#include "reports.hpp"
#include "trace_table.hpp"

namespace assay::nsys {
namespace {

constexpr std::int64_t kNsPerSecond = 1'000'000'000;

/// The value of a column that may be missing; an empty cell if it has none.
template <class T>
std::int64_t cell_of(const Column<T>& column, std::size_t row) {
  return column.present() ? cell(column[row]) : kNoInteger;
}

double megabytes(std::int64_t bytes) { return bytes == kNone ? kNothing : static_cast<double>(bytes) / kBytesPerMb; }

/// MB/s with the rounding of nsys: an integer number of durations per second, times the bytes.
double throughput(std::int64_t bytes, std::int64_t duration, bool corrected) {
  if (bytes == kNone || duration <= 0) return kNothing;
  if (corrected) return static_cast<double>(bytes) * 1e3 / static_cast<double>(duration);
  return static_cast<double>(bytes) * static_cast<double>(kNsPerSecond / duration) / kBytesPerMb;
}

/// "NVIDIA H200 (0)", each made once.
class DeviceNames {
 public:
  explicit DeviceNames(const Report& report) {
    const DeviceTable& devices = *report.devices;
    for (std::size_t row = 0; row < devices.rows; ++row) {
      const std::string id = std::to_string(devices.id[row]);
      if (!devices.name[row].view().empty())
        texts_.emplace(devices.id[row], filled("{} ({})", {devices.name[row].view(), id}));
    }
  }
  /// Empty for a device that the export does not name.
  [[nodiscard]] std::string_view name_of(std::int32_t device) const {
    const auto text = texts_.find(device);
    return text == texts_.end() ? std::string_view() : std::string_view(text->second);
  }

 private:
  std::unordered_map<std::int32_t, std::string> texts_;
};

/// Writes the rows of cuda_gpu_trace.
class WorkRows {
 public:
  WorkRows(const Report& report, const Task& task, ReportSink& sink)
      : report_(report),
        corrected_(task.corrected()),
        devices_(report),
        table_(sink, task,
               {"Start (ns)",
                "Duration (ns)",
                "CorrId",
                "GrdX",
                "GrdY",
                "GrdZ",
                "BlkX",
                "BlkY",
                "BlkZ",
                "Reg/Trd",
                of_numbers("StcSMem (MB)"),
                of_numbers("DymSMem (MB)"),
                of_numbers("Bytes (MB)"),
                of_numbers("Throughput (MB/s)"),
                of_texts("SrcMemKd"),
                of_texts("DstMemKd"),
                of_texts("Device"),
                "Ctx",
                "GreenCtx",
                "Strm",
                of_texts("Name")}) {}

  void kernel(std::size_t row, std::string_view name) {
    const KernelTable& k = *report_.kernels;
    start_row(k, row);
    for (const auto& column : {k.grid_x, k.grid_y, k.grid_z, k.block_x, k.block_y, k.block_z, k.registers})
      table_.integer(cell_of(column, row));
    for (const auto& column : {k.static_shared, k.dynamic_shared})
      table_.number(column.present() ? megabytes(column[row]) : kNothing);
    table_.nothing(4);
    end(k, row, name);
  }
  void copy(std::size_t row) {
    const CopyTable& c = *report_.copies;
    start_row(c, row);
    moved(c, row);
    kind(c.source_kind, row);
    kind(c.target_kind, row);
    const std::int32_t operation = c.kind.present() ? c.kind[row] : kNone;
    const auto [name, is_new] = operations_.try_emplace(operation);
    if (is_new) name->second = copy_operation(operation);
    end(c, row, name->second);
  }
  void set(std::size_t row) {
    const SetTable& s = *report_.sets;
    start_row(s, row);
    moved(s, row);
    kind(s.memory_kind, row);
    table_.nothing();
    end(s, row, kSetOperation);
  }
  void finish() { table_.finish(); }
  [[nodiscard]] std::int64_t rounded() const { return rounded_; }

 private:
  template <class Events>
  void start_row(const Events& events, std::size_t row) {
    table_.integer(events.start[row]).integer(events.end[row] - events.start[row]);
    table_.integer(cell_of(events.correlation, row));
  }
  template <class Events>
  void moved(const Events& events, std::size_t row) {
    table_.nothing(9);
    const std::int64_t bytes = events.bytes.present() ? events.bytes[row] : kNone;
    const std::int64_t duration = events.end[row] - events.start[row];
    table_.number(megabytes(bytes)).number(throughput(bytes, duration, corrected_));
    rounded_ += !corrected_ && bytes > 0 && duration > 0 && kNsPerSecond % duration != 0 ? 1 : 0;
  }
  void kind(const Column<MemoryKind>& kinds, std::size_t row) {
    table_.view(kinds.present() ? memory_kind(kinds[row]) : std::string_view());
  }
  template <class Events>
  void end(const Events& events, std::size_t row, std::string_view name) {
    table_.view(devices_.name_of(events.device[row])).integer(cell_of(events.context, row));
    table_.integer(cell_of(events.green_context, row)).integer(cell(events.stream[row])).view(name).end_row();
  }

  const Report& report_;
  bool corrected_;
  DeviceNames devices_;
  std::unordered_map<std::int32_t, std::string> operations_;
  TraceTable table_;
  std::int64_t rounded_ = 0;
};

/// Rows of a table that belong to the window, in order.
template <class Events>
class EventCursor {
 public:
  explicit EventCursor(const Events* events) : events_(events) { skip_outside(); }
  [[nodiscard]] bool done() const { return events_ == nullptr || row_ >= events_->rows; }
  [[nodiscard]] std::int64_t start() const {
    return done() ? std::numeric_limits<std::int64_t>::max() : events_->start[row_];
  }
  std::size_t next_row() {
    const std::size_t row = row_++;
    skip_outside();
    return row;
  }

 private:
  void skip_outside() {
    while (!done() && !inside(*events_, row_)) ++row_;
  }
  const Events* events_;
  std::size_t row_ = 0;
};

}  // namespace

std::string_view memory_kind(MemoryKind kind) {
  constexpr std::string_view kNames[] = {"Pageable", "Pinned",        "Device",         "Array",
                                         "Managed",  "Device Static", "Managed Static", "Unknown"};
  const auto i = static_cast<std::size_t>(kind);
  return i < std::size(kNames) ? kNames[i] : std::string_view();
}

ReportTable call_trace(const Report& report, const Task& task, ReportSink& sink) {
  if (report.calls == nullptr || !report.calls->full_name.present()) return lacking(kNoCalls);
  const CallTable& calls = *report.calls;
  const ThreadTable& threads = *report.threads;
  TraceTable table(sink, task,
                   {"Start (ns)", "Duration (ns)", of_texts("Name"), "Result", "CorrID", "Pid", "Tid", "T-Pri",
                    of_texts("Thread Name")});
  for (std::size_t row = 0; row < calls.rows; ++row) {
    if (calls.in_window[row] == 0) continue;
    const std::uint32_t thread = calls.thread[row];
    table.integer(calls.start[row]).integer(calls.end[row] - calls.start[row]);
    table.view(call_name(report.string(calls.full_name[row])));
    table.integer(calls.return_value.present() ? calls.return_value[row] : kNoInteger);
    table.integer(calls.correlation.present() ? calls.correlation[row] : kNoInteger);
    table.integer(id_of(*report.processes, threads.process[thread])).integer(id_of(threads, thread));
    table.integer(cell_of(threads.priority, thread));
    table.view(threads.name.present() ? threads.name[thread].view() : std::string_view()).end_row();
  }
  table.finish();
  return {};
}

ReportTable work_trace(const Report& report, const Task& task, ReportSink& sink) {
  if (report.kernels == nullptr && report.copies == nullptr && report.sets == nullptr)
    return lacking("the export holds no CUDA work of a GPU");
  ReportTable made{std::nullopt, {}, graph_remarks(report)};
  std::optional<KernelNames> names;
  if (report.kernels != nullptr) {
    names.emplace(report, task);
    if (!names->present()) return lacking("the kernels of this export have no names");
    for (Remark& remark : names->remarks()) made.remarks.push_back(std::move(remark));
  }
  WorkRows rows(report, task, sink);
  EventCursor kernels(report.kernels);
  EventCursor copies(report.copies);
  EventCursor sets(report.sets);
  while (!kernels.done() || !copies.done() || !sets.done()) {
    if (!kernels.done() && kernels.start() <= copies.start() && kernels.start() <= sets.start()) {
      const std::size_t row = kernels.next_row();
      rows.kernel(row, names->text(names->id_of(row)));
    } else if (!copies.done() && copies.start() <= sets.start()) {
      rows.copy(copies.next_row());
    } else {
      rows.set(sets.next_row());
    }
  }
  rows.finish();
  if (const std::int64_t n = rows.rounded(); n > 0) {
    made.remarks.push_back({"throughput_rounded", n,
                            "Throughput of " + std::to_string(n) +
                                " copies and sets is rounded down as in nsys (whole repetitions per second times "
                                "bytes), which is far off for long ones; --corrected prints bytes by duration."});
  }
  return made;
}

}  // namespace assay::nsys
