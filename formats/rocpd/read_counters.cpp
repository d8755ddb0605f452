// Counters of dispatches.
#include <map>

#include "formats/rocpd/part.hpp"

namespace assay::load::rocpd {
namespace {

struct Counter {
  StringId name = 0, unit = 0;
};

std::map<std::int64_t, Counter> read_names(ProcessData& part, std::vector<Issue>& issues) {
  std::map<std::int64_t, Counter> names;
  const TableInfo* info = part.table("rocpd_info_pmc");
  if (info == nullptr || !info->has("id") || !info->has("name")) return names;
  sqlite::Statement rows(
      part.source.db.handle(),
      fmt::format("SELECT id, name, {} FROM {}", info->has("units") ? "units" : "NULL", sqlite::quoted(info->name)));
  while (rows.ok() && rows.step()) {
    if (!rows.is_integer(0) || sqlite3_column_type(rows.handle(), 1) != SQLITE_TEXT) continue;
    names[rows.integer(0)] = {part.file.out.intern(rows.text(1)), part.file.out.intern(rows.text(2))};
  }
  if (!rows.ok() || rows.failed()) {
    issues.push_back({"truncated", Severity::kError, 0,
                      fmt::format("Table {} could not be read to its end ({}), so counters have no name; record "
                                  "the run again.",
                                  info->name, part.source.db.problem())});
  }
  note_pages(check_pages(part.source.db, part.source.pages, *info), info->name, issues);
  return names;
}

std::int32_t cell_of(const formats::ColumnWriter<std::int32_t>& column, std::size_t row) {
  return column.present() ? column[row] : kNone;
}

/// Values by (name, unit) of each measured dispatch, by its row.
using CounterSums = std::map<std::size_t, std::map<std::pair<StringId, StringId>, double>>;

CounterSums read_sums(ProcessData& part, const TableInfo& info, std::span<const std::int64_t> events,
                      std::vector<Issue>& issues) {
  const std::map<std::int64_t, Counter> names = read_names(part, issues);
  const RowOfId row_of_event(events);
  // A counter has a row per instance; instances are summed. Rows linked to a sample are time series and are skipped.
  sqlite::Statement rows(part.source.db.handle(),
                         fmt::format("SELECT event_id, pmc_id, value FROM {}{}", sqlite::quoted(info.name),
                                     info.has("sample_id") ? " WHERE sample_id IS NULL" : ""));
  std::int64_t lost = 0;
  CounterSums sums;
  while (rows.ok() && rows.step()) {
    const std::size_t row = rows.is_integer(0) ? row_of_event.find(rows.integer(0)) : RowOfId::kNoRow;
    const auto counter = names.find(rows.integer(1));
    if (row == RowOfId::kNoRow) {
      lost += rows.is_integer(0) && part.has_event(rows.integer(0)) ? 0 : 1;
      continue;
    }
    const int type = sqlite3_column_type(rows.handle(), 2);
    if (counter == names.end() || counter->second.name == 0 || (type != SQLITE_FLOAT && type != SQLITE_INTEGER)) {
      ++lost;
      continue;
    }
    sums[row][{counter->second.name, counter->second.unit}] += sqlite3_column_double(rows.handle(), 2);
  }
  note_lost(issues, "missing_references", lost, info.name,
            "have no number, no event, or a counter that rocpd_info_pmc lacks", "they are left out");
  if (!rows.ok() || rows.failed()) {
    issues.push_back({"truncated", Severity::kError, 0,
                      fmt::format("Table {} could not be read to its end ({}), so counters are missing; record "
                                  "the run again.",
                                  info.name, part.source.db.problem())});
  }
  note_pages(check_pages(part.source.db, part.source.pages, info), info.name, issues);
  return sums;
}

/// Adds the dispatch of kernel row `kernel` to the measured ones and returns its row.
Row push_dispatch(ProcessData& part, std::size_t kernel, std::int64_t id) {
  auto& launches = part.file.profiled;
  const auto& kernels = part.file.kernels;
  const auto launch = static_cast<Row>(launches.id.size());
  launches.id.push(id);
  launches.process.push(part.pid);
  launches.name.push(kernels.name.present() ? kernels.name[kernel] : 0);
  launches.grid_x.push(cell_of(kernels.grid_x, kernel));
  launches.grid_y.push(cell_of(kernels.grid_y, kernel));
  launches.grid_z.push(cell_of(kernels.grid_z, kernel));
  launches.block_x.push(cell_of(kernels.block_x, kernel));
  launches.block_y.push(cell_of(kernels.block_y, kernel));
  launches.block_z.push(cell_of(kernels.block_z, kernel));
  launches.device.push(kernels.device[kernel]);
  launches.context.push(kNone);
  launches.stream.push(kernels.stream[kernel]);
  return launch;
}

}  // namespace

void read_counters(ProcessData& part, std::size_t first, std::span<const std::int64_t> events,
                   std::span<const std::int64_t> dispatches, std::vector<Issue>& issues) {
  const TableInfo* info = part.table("rocpd_pmc_event");
  if (info == nullptr || events.empty() || !has_columns(*info, {"event_id", "pmc_id", "value"}, issues)) return;
  const CounterSums sums = read_sums(part, *info, events, issues);
  if (sums.empty()) return;
  auto& to = part.file.counters;
  for (const auto& [row, counters] : sums) {
    const Row launch = push_dispatch(part, first + row, row < dispatches.size() ? dispatches[row] : kNone);
    for (const auto& [name, value] : counters) {
      to.profiled.push(launch);
      to.section.push(0);
      to.name.push(name.first);
      to.unit.push(name.second);
      to.value.push(value);
    }
  }
}

}  // namespace assay::load::rocpd
