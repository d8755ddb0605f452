#include "load/load.hpp"

#include <fmt/core.h>

#include "load/captures.hpp"
#include "load/damage.hpp"
#include "load/format.hpp"
#include "load/join_tables.hpp"
#include "load/possible_times.hpp"

namespace assay {

using namespace load;

Profile::Profile(std::unique_ptr<Store> store) : store_(std::move(store)) {}
Profile::Profile(Profile&&) noexcept = default;
std::unique_ptr<Profile::Store> Profile::release() { return std::move(store_); }
Profile::~Profile() = default;

const std::vector<std::string>& Profile::notes() const { return store_->notes; }

std::size_t Profile::bytes() const {
  std::size_t bytes = store_->strings.bytes();
  const auto add = [&](auto& rows) {
    if (rows) rows->each([&](const auto& column) { bytes += column.bytes(); });
  };
  add(store_->kernels);
  add(store_->graphs);
  add(store_->copies);
  add(store_->sets);
  add(store_->syncs);
  add(store_->calls);
  add(store_->ranges);
  add(store_->spans);
  add(store_->causes);
  add(store_->ops);
  add(store_->allocations);
  add(store_->profiled);
  add(store_->counters);
  add(store_->repeats);
  add(store_->os_calls);
  add(store_->mpi_events);
  add(store_->openacc_events);
  add(store_->openmp_events);
  add(store_->cpu_faults);
  add(store_->gpu_faults);
  add(store_->collectives);
  for (const DeclaredTableRows& table : store_->declared) {
    for (const DeclaredCells& column : table.columns)
      bytes += column.integers.bytes() + column.reals.bytes() + column.texts.bytes();
  }
  return bytes;
}

namespace {

/// Adds the columns that identify the kernels counters belong to.
std::set<ColumnId> with_matched_columns(std::set<ColumnId> wanted) {
  if (wanted.contains(col::kernel_profiled)) wanted.insert({col::kernel_name, col::kernel_grid, col::kernel_block});
  return wanted;
}

/// Adds the columns that identify collective kernels with their group and size.
std::set<ColumnId> with_collective_columns(std::set<ColumnId> wanted) {
  if (wanted.contains(col::collectives))
    wanted.insert({col::kernels, col::kernel_short_name, col::calls, col::call_range, col::ranges});
  return wanted;
}

/// Adds the ranges that steps and iterations are and calls refer to, and what assigns device work to them.
std::set<ColumnId> with_range_columns(std::set<ColumnId> wanted) {
  if (wanted.contains(col::iterations)) wanted.insert({col::calls, col::ranges, col::spans});
  if (wanted.contains(col::account))
    wanted.insert({col::steps, col::kernel_name, col::call_name, col::call_range, col::collectives, col::copy_direction,
                   col::ops});
  if (wanted.contains(col::steps))
    wanted.insert({col::calls, col::ranges, col::spans, col::kernels, col::graphs, col::copies, col::sets,
                   col::overheads, col::causes, col::properties});
  if (wanted.contains(col::call_range)) wanted.insert(col::ranges);
  return wanted;
}

/// Files that are read with a profile: other pages of it, its counters, captures of its graphs, and files whose tables
/// are joined.
struct Companions {
  std::vector<std::filesystem::path> pages, counters, captures, beside;
};
Companions companions_of(const Format& own, std::span<const std::filesystem::path> files) {
  Companions of;
  for (const std::filesystem::path& file : files) {
    const Format* format = format_of(file);  // null: missing or damaged; joining reports it
    auto& kind = own.pages && (format == nullptr || format == &own) ? of.pages
                 : format == nullptr                                ? of.counters
                 : format->beside                                   ? of.beside
                 : format->kind.framework                           ? of.captures
                                                                    : of.counters;
    kind.push_back(file);
  }
  return of;
}

void read_captures(Profile::Store& store, std::span<const std::filesystem::path> files,
                   const std::set<ColumnId>& columns, unsigned threads, Reader reader) {
  const std::set<ColumnId> of_captures = capture_columns(columns);
  const WantedColumns asked(of_captures);
  std::vector<CaptureFile> captures;
  for (const std::filesystem::path& file : files) {
    const Format* format = format_of(file);
    if (format == nullptr) continue;
    Result<std::unique_ptr<Profile::Store>> loaded =
        format->load({file, file.filename().string(), asked, threads, reader, {}});
    if (loaded)
      captures.push_back({file.filename().string(), std::move(*loaded)});
    else
      store.issues.push_back({"graph_capture_refused", Severity::kWarning, 0, loaded.error().sentence});
  }
  if (!captures.empty()) join_captures(store, captures);
}

}  // namespace

Result<Profile> load_profile(const ReportFile& file, const std::string& name, const std::set<ColumnId>& wanted,
                             unsigned threads, Reader reader, std::span<const std::filesystem::path> companions) {
  const Format* format = format_of(file.kind);
  if (format == nullptr) {
    return Error{fmt::format("'{}' is not a profile of a supported kind ({})", file.path.string(), file.kind.word),
                 Exit::kFailed}
        .at(file.path.string())
        .advise("see `assay list`");
  }
  auto [pages, counters, captures, beside] = companions_of(*format, companions);
  const bool joins = wanted.contains(col::kernel_op) && (!captures.empty() || format->kind.framework);
  std::set<ColumnId> columns =
      with_collective_columns(with_range_columns(counters.empty() ? wanted : with_matched_columns(wanted)));
  if (joins) columns = with_replay_columns(std::move(columns));
  if (joins && format->kind.framework) columns.insert(col::call_name);  // has_captures
  // Its clock, and when something happened: whatever else is asked for, the same files are joined.
  if (!beside.empty() && (columns.contains(col::allocations) || columns.contains(col::declared)))
    columns.insert({col::properties, col::kernels, col::calls, col::ranges, col::ops});
  const WantedColumns asked(columns);
  Result<std::unique_ptr<Profile::Store>> store = format->load({file.path, name, asked, threads, reader, pages});
  if (!store) return store.error();
  if ((*store)->times_in_doubt) {
    std::set<ColumnId> with_times = columns;
    with_times.merge(timed_tables());
    with_times.insert({col::kernel_context, col::kernel_green_context, col::copy_context, col::copy_green_context,
                       col::set_context, col::set_green_context});
    const WantedColumns more(with_times);
    Result<std::unique_ptr<Profile::Store>> whole = format->load({file.path, name, more, threads, reader, pages});
    if (!whole) return whole.error();
    drop_unasked(**whole, **store);
    store = std::move(whole);
  }
  const bool counted = asked.table(col::profiled) || asked.table(col::counters) || asked.column(col::kernel_profiled);
  if (!(*store)->profiled && !counters.empty() && counted) {
    const Format* joined = format_of(counters.front());
    for (const Format* known : formats()) {
      if (joined == nullptr && known->kind.counters) joined = known;  // it reports a missing or damaged file
    }
    if (joined != nullptr) joined->join(**store, counters, asked);
  }
  (*store)->steps_asked = columns.contains(col::steps);
  (*store)->account_asked = columns.contains(col::account);
  join_tables(**store, beside, asked, threads);
  bound_references(**store);
  note_doubtful_time(**store);
  if (joins && has_captures(**store)) captures.push_back(file.path);
  if (joins && has_replays(**store)) {
    if (captures.empty())
      note_missing_captures(**store);
    else
      read_captures(**store, captures, columns, threads, reader);
  }
  return Profile(std::move(*store));
}

}  // namespace assay
