// Reads the requested tables of an export into columns of the host.
#pragma once

#include "formats/columns/row_writer.hpp"
#include "formats/sqlite/table_load.hpp"

namespace assay::load {

/// Rows that correlation ids link.
template <class Table>
struct LinkedRows : formats::RowWriter<Table> {
  using formats::RowWriter<Table>::RowWriter;
  formats::ColumnWriter<std::uint32_t> narrow{this->out, this->table, LinkColumn::kNarrowId};
  formats::ColumnWriter<std::int64_t> wide{this->out, this->table, LinkColumn::kWideId};

  template <class Use>
  void each(Use&& use) {
    formats::RowWriter<Table>::each(use);
    use(narrow);
    use(wide);
  }
};

/// Events of an interface of the host. Names are string keys until they are replaced, and then have their place.
struct HostEvents : formats::RowWriter<HostEventTable> {
  using formats::RowWriter<HostEventTable>::RowWriter;
  OwnedColumn<StringKey> source_file;  ///< present only if `source_line` is
  OwnedColumn<std::int64_t> source_line;
};

/// The tables of an export. Texts are string keys until `name_rows`, but those of ranges.
struct NsysTables {
  NsysTables(const Source& from, TableSink& to, std::vector<Issue>& problems)
      : source(from), out(to), issues(problems) {}

  const Source& source;
  TableSink& out;
  std::vector<Issue>& issues;
  LinkedRows<KernelTable> kernels{out, col::kernels};
  LinkedRows<GraphTable> graphs{out, col::graphs};
  LinkedRows<CopyTable> copies{out, col::copies};
  LinkedRows<SetTable> sets{out, col::sets};
  LinkedRows<SyncTable> syncs{out, col::syncs};
  LinkedRows<CallTable> calls{out, col::calls}, repeats{out, col::repeats};
  formats::RowWriter<OverheadTable> overheads{out, col::overheads};
  formats::RowWriter<RangeTable> ranges{out, col::ranges}, spans{out, col::spans};
  HostEvents os_calls{out, col::os_calls}, mpi_events{out, col::mpi_events}, openacc_events{out, col::openacc_events},
      openmp_events{out, col::openmp_events};
  formats::RowWriter<MpiTable> mpi{out, kMpiColumns};
  formats::RowWriter<PageFaultTable> cpu_faults{out, col::cpu_faults}, gpu_faults{out, col::gpu_faults};
  std::optional<std::vector<std::pair<StringKey, StringKey>>> frames;  ///< of samples: function and module

  std::int64_t recorded = 0;  ///< end of the recording, which begins at 0; 0: not stated

  /// Whether a row of device work can be: the host leaves out the others, of which no device is to stay.
  template <class Rows>
  [[nodiscard]] bool possible(const Rows& rows, std::size_t row) const {
    constexpr std::int64_t kSecond = 1'000'000'000;
    const std::int64_t start = rows.start[row];
    return recorded == 0 ? is_time(start) : start > -kSecond && start != 0 && start <= recorded + kSecond;
  }
  void issue(const char* name, Severity severity, std::int64_t count, std::string text) {
    issues.push_back({name, severity, count, std::move(text)});
  }
  [[nodiscard]] TextIds intern() const {
    return [&to = out](std::string_view text) { return to.intern(text); };
  }
};

/// Device tables. Each stays absent if the file has no such table or it was not requested.
void read_kernels(NsysTables& to);
void read_other_work(NsysTables& to);
/// API calls, each once, and duplicates separately.
void read_calls(NsysTables& to);
/// NVTX ranges of both kinds, with final `name` and `domain`.
void read_ranges(NsysTables& to);
/// Events of other interfaces on the host and page faults.
void read_others(NsysTables& to);
/// When threads were not scheduled, between leaving a processor and returning to one, as causes.
void read_scheduled_out(NsysTables& to);
/// Samples of the GPU's own counters, as tables declared by the format (metric_columns.hpp).
void read_metrics(NsysTables& to);
/// Row of a thread that other tables have; kUnknown: none does, as of another process on the machine.
std::uint32_t known_thread(const Source& source, std::int64_t global_tid);
/// Samples of CPU threads, as the tables samples and stacks; those of `frames` are still to be named.
void read_samples(NsysTables& to);
/// Hands over the processes, and the threads with their names. Call when all rows that name some are read.
void add_threads(NsysTables& to);

/// Data of an NCCL range: bytes as passed to its function.
struct Payload {
  std::uint64_t communicator = 0;
  std::int64_t bytes = kNone;
};
/// By NVTX row number; empty for exports without blobs.
std::map<std::int64_t, Payload> read_payloads(NsysTables& to);
/// The origin of the capture as properties: "origin_ns", "hostname", and the environment variables that give the rank
/// in a job.
void add_properties(NsysTables& to);
/// Numbers the devices of rows by GPU as far as the export allows; otherwise equal numbers in two processes stay
/// different devices. Call before `add_devices`.
void assign_devices(NsysTables& to);
/// Devices named by the export or by a row.
void add_devices(NsysTables& to);

/// Texts of the string ids that rows refer to, by key; [0] is no string. `missing` receives the number of ids whose
/// text is missing or empty.
std::vector<StringId> texts_of_keys(NsysTables& to, std::size_t& missing);
/// Replaces string keys by texts, names calls and determines their kinds, and fills `frames`.
void name_rows(NsysTables& to);

}  // namespace assay::load
