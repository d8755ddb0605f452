#include <tuple>

#include "groups.hpp"
#include "reports.hpp"
#include "trace_table.hpp"

namespace assay::nsys {
namespace {

constexpr const char* kNoMpi = "the export holds no MPI events";

bool in_window(const Report& report, const HostEventTable& events, std::size_t row) {
  const Window& window = *report.window;
  return window.named != 1 || (events.start[row] >= window.host_start && events.end[row] <= window.host_end);
}

/// nsys's name for the tables of MPI.
std::string_view mpi_source(std::string_view table) {
  if (table == "MPI_P2P_EVENTS") return "p2p";
  if (table == "MPI_COLLECTIVES_EVENTS") return "collectives";
  if (table == "MPI_START_WAIT_EVENTS") return "start-wait";
  return "other";
}

/// Durations by source and name, or by name alone.
struct Sums {
  TupleIds<2> ids;
  std::vector<Summary> sums;
  std::vector<std::uint32_t> order;  ///< total descending, count ascending, source, name
};

Sums sums_of(const Report& report, const Task& task, const HostEventTable& events, bool by_source) {
  Sums out;
  std::vector<std::uint32_t> group(events.rows, kNoGroup);
  for (std::size_t row = 0; row < events.rows; ++row) {
    if (in_window(report, events, row))
      group[row] = out.ids.id_of({by_source ? events.source[row] : 0, events.name[row]});
  }
  out.sums = summarize_groups(
      group, out.ids.size(), [&](std::size_t row) { return events.end[row] - events.start[row]; }, task.keeps_values);
  const auto texts = [&](std::uint32_t g) {
    const auto& [source, name] = out.ids.keys()[g];
    return std::tuple(report.string(name), mpi_source(report.string(source)), g);
  };
  out.order = sorted_groups(out.sums.size(), [&](std::uint32_t a, std::uint32_t b) {
    if (out.sums[a].total != out.sums[b].total) return out.sums[a].total > out.sums[b].total;
    if (out.sums[a].count != out.sums[b].count) return out.sums[a].count < out.sums[b].count;
    return texts(a) < texts(b);
  });
  return out;
}

void add_times(ReportTable& made, const Sums& found, const char* count) {
  Table& table = *made.table;
  const std::vector<Summary> sums = arranged(found.sums, found.order);
  made.values = values_of(sums);
  WideSum whole;
  for (const Summary& s : found.sums) whole.add(s.total);
  std::vector<double> shares;
  std::vector<std::int64_t> totals, counts;
  for (const Summary& s : sums) {
    shares.push_back(percent(s.total, whole.value()));
    totals.push_back(s.total);
    counts.push_back(s.count);
  }
  table.add("Time", "%", std::move(shares));
  table.add("Total Time", "ns", std::move(totals));
  table.add(count, "", std::move(counts));
  add_spread(table, "", sums);
}

void add_names(Table& table, const Report& report, const Sums& found) {
  std::vector<std::string> names;
  for (const std::uint32_t g : found.order) names.emplace_back(report.string(found.ids.keys()[g][1]));
  table.add("Name", "", std::move(names));
}

}  // namespace

ReportTable host_sum(const Report& report, const Task& task, const HostEventTable* events, const HostSum& sum) {
  if (events == nullptr) return lacking(sum.lack);
  const Sums found = sums_of(report, task, *events, sum.by_table);
  ReportTable made{table_of(task), {}, {}};
  add_times(made, found, sum.count);
  add_names(*made.table, report, found);
  return made;
}

ReportTable mpi_sum(const Report& report, const Task& task) {
  if (report.mpi_events == nullptr) return lacking(kNoMpi);
  const Sums found = sums_of(report, task, *report.mpi_events, true);
  ReportTable made{table_of(task), {}, {}};
  add_times(made, found, "Instances");
  std::vector<std::string> sources;
  for (const std::uint32_t g : found.order) sources.emplace_back(mpi_source(report.string(found.ids.keys()[g][0])));
  made.table->add("Source", "", std::move(sources));
  add_names(*made.table, report, found);
  return made;
}

ReportTable mpi_trace(const Report& report, const Task& task, ReportSink& sink) {
  if (report.mpi_events == nullptr || report.mpi == nullptr) return lacking(kNoMpi);
  const HostEventTable& events = *report.mpi_events;
  const MpiTable& mpi = *report.mpi;
  TraceTable table(
      sink, task,
      {"Start (ns)", "End (ns)", "Duration (ns)", of_texts("Event"), "Pid", "Tid", "Tag", "Rank", "PeerRank",
       "RootRank", of_numbers("Size (MB)"), of_numbers("CollSendSize (MB)"), of_numbers("CollRecvSize (MB)")});
  for (std::size_t row = 0; row < events.rows; ++row) {
    if (!in_window(report, events, row)) continue;
    const std::uint32_t thread = events.thread[row];
    table.integer(events.start[row]).integer(events.end[row]).integer(events.end[row] - events.start[row]);
    table.view(report.string(events.name[row]));
    table.integer(id_of(*report.processes, report.threads->process[thread])).integer(id_of(*report.threads, thread));
    for (const auto& column : {mpi.tag, mpi.rank, mpi.remote_rank, mpi.root_rank}) table.integer(column[row]);
    for (const auto& column : {mpi.size, mpi.sent_size, mpi.recv_size}) {
      table.number(column[row] == kNoCell ? kNothing : static_cast<double>(column[row]) / 1e6);
    }
    table.end_row();
  }
  table.finish();
  return {};
}

}  // namespace assay::nsys
