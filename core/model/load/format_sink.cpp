#include "load/format_sink.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <new>

#include "load/clean.hpp"
#include "load/stored_columns.hpp"

namespace assay::load {
namespace {

constexpr std::uint64_t kMaxRows = std::numeric_limits<Row>::max();
constexpr std::size_t kMaxText = 1U << 16;

bool readable(Str text) { return text.size == 0 || text.data != nullptr; }

/// For text that people read.
std::string text_of(Str text) { return readable(text) ? std::string(text.view().substr(0, kMaxText)) : std::string(); }

constexpr std::string_view word(CellKind kind) {
  return kind == CellKind::kInteger ? "integers" : kind == CellKind::kReal ? "reals" : "texts";
}

}  // namespace

FormatSink::FormatSink(Profile::Store& store, const WantedColumns& wanted, std::span<const TableSpec> declared,
                       bool guarded)
    : store_(store), wanted_(wanted), declared_(declared) {
  if (guarded) guards_.emplace();
  DeviceRows& rows = store.devices;
#define ASSAY_KNOWN_(id, type, member, needed) rows.member.make_present(0);
#define ASSAY_ELSEWHERE_(id, type, member, needed)
  ASSAY_DEVICE_COLUMNS(ASSAY_KNOWN_, ASSAY_KNOWN_, ASSAY_ELSEWHERE_)
#undef ASSAY_ELSEWHERE_
#undef ASSAY_KNOWN_
}

void FormatSink::refuse(std::string problem) {
  if (problem_.empty()) problem_ = std::move(problem);
}

template <class Body>
auto FormatSink::guarded(Body&& body) noexcept -> decltype(body()) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    refuse("asked for more memory than there is");
  } catch (...) {
    refuse("could not be served");
  }
  if constexpr (!std::is_void_v<decltype(body())>) return {};
}

bool FormatSink::wants(ColumnId column) const noexcept {
  const bool whole_table = (static_cast<unsigned>(column) & 0xFF) == 0;
  return whole_table ? wanted_.table(column) : wanted_.column(column);
}

StringId FormatSink::intern(Str text) noexcept {
  return guarded([&]() -> StringId {
    if (readable(text)) return store_.strings.intern(text.view());
    refuse("gave a text that cannot be read");
    return 0;
  });
}

void FormatSink::intern_all(Span<Str> texts, StringId* ids) noexcept {
  for (std::size_t i = 0; i < texts.size; ++i) ids[i] = intern(texts[i]);
}

template <class T>
void* FormatSink::resize(OwnedColumn<T>& column, std::uint64_t rows) {
  if (guards_) return guards_->resize(column, rows);
  static T nothing{};
  const std::size_t had = column.values().size();
  column.make_present(had == 0 ? rows : 0);
  // Grows like a vector, if a format does not know the number of rows: in huge pages half of it would be empty memory.
  if (rows > column.values().capacity()) column.values().reserve(std::max<std::size_t>(rows, 2 * had));
  column.values().resize(rows);
  return rows == 0 ? &nothing : column.values().data();
}

void* FormatSink::cells(ColumnId table, std::uint32_t offset, std::uint64_t rows) noexcept {
  return guarded([&]() -> void* {
    void* found = nullptr;
    bool known = false;
    if (rows > kMaxRows) {
      refuse(fmt::format("asked for {} rows of a table, which has {} at most", rows, kMaxRows));
      return nullptr;
    }
    const auto find = [&](auto tag, ColumnId id, std::string_view name, auto& to) {
      if (id != table) return;
      if (!to) to.emplace();
      each_stored(tag, *to, [&](const StoredColumn& column, auto& cells) {
        if (column.offset != offset) return;
        known = true;
        if (column.computed())
          refuse(fmt::format("filled {}.{}, which the host computes", name, column.name));
        else
          found = resize(cells, rows);
      });
    };
    each_fillable(store_, find);
    find(TableTag<MpiTable>{}, kMpiColumns, "mpi", store_.mpi_events);
    if (!known)
      refuse(fmt::format("asked for a column at byte {} of table {}, which does not exist", offset,
                         static_cast<unsigned>(table) >> 8));
    return found;
  });
}

void* FormatSink::link_cells(ColumnId table, LinkColumn column, std::uint64_t rows) noexcept {
  return guarded([&]() -> void* {
    stated_.operators = stated_.operators || column == LinkColumn::kOperator;
    void* found = nullptr;
    const auto is = [&](ColumnId of, LinkColumn asked) { return table == of && column == asked && rows <= kMaxRows; };
    const auto link = [&](ColumnId of, LinkColumn asked, auto& to, auto cells) {
      if (is(of, asked)) found = resize((to ? *to : to.emplace()).*cells, rows);
    };
    each_fillable(store_, [&](auto, ColumnId of, std::string_view, auto& to) {
      using Rows = typename std::remove_cvref_t<decltype(to)>::value_type;
      if constexpr (requires { to->ids; }) {
        link(of, LinkColumn::kNarrowId, to, &Rows::ids);
        link(of, LinkColumn::kWideId, to, &Rows::correlation);
      }
    });
    link(col::kernels, LinkColumn::kOperator, store_.kernels, &KernelRows::external_id);
    link(col::profiled, LinkColumn::kBlocks, store_.profiled, &ProfiledRows::blocks);
    link(col::profiled, LinkColumn::kThreads, store_.profiled, &ProfiledRows::threads);
    link(col::syncs, LinkColumn::kRecordedBy, store_.syncs, &SyncRows::record_correlation);
    link(col::ranges, LinkColumn::kCommunicator, store_.ranges, &RangeRows::communicator);
    link(col::ranges, LinkColumn::kPayload, store_.ranges, &RangeRows::payload);
    link(col::kernels, LinkColumn::kExternalId, store_.kernels, &KernelRows::external_id);
    link(col::calls, LinkColumn::kExternalId, store_.calls, &CallRows::external_id);
    link(col::calls, LinkColumn::kLaunched, store_.calls, &CallRows::launched);
    link(col::allocations, LinkColumn::kAddress, store_.allocations, &AllocationRows::address);
    if (is(col::thread_names, LinkColumn::kPriority) && rows == store_.threads.thread_count()) {
      ThreadNameRows& names = store_.thread_names ? *store_.thread_names : store_.thread_names.emplace();
      names.names.resize(rows);
      names.priorities.resize(rows, kNone);
      found = names.priorities.data();
    }
    if (found == nullptr)
      refuse(fmt::format("asked for {} rows of link {} of table {}, which does not exist", rows,
                         static_cast<unsigned>(column), static_cast<unsigned>(table) >> 8));
    return found;
  });
}

Str FormatSink::text(StringId id) noexcept {
  return id < store_.strings.all().size() ? Str(store_.strings[id]) : Str();
}

void FormatSink::advise(Str remedy) noexcept {
  guarded([&] { remedy_ = text_of(remedy); });
}

void FormatSink::note(Str text) noexcept {
  guarded([&] { store_.notes.push_back(text_of(text)); });
}

void FormatSink::read_from(ColumnId table, Str part) noexcept {
  guarded([&] { store_.parts[table] = text_of(part); });
}

DeclaredTableRows* FormatSink::declared_rows(std::string_view table) {
  const auto known = std::ranges::find_if(store_.declared, [&](const auto& rows) { return rows.spec->name == table; });
  if (known != store_.declared.end()) return &*known;
  const auto spec = std::ranges::find_if(declared_, [&](const TableSpec& declared) { return declared.name == table; });
  if (spec == declared_.end()) return nullptr;
  DeclaredTableRows& rows = store_.declared.emplace_back();
  rows.spec = &*spec;
  for (const ColumnSpec& column : spec->columns) rows.columns.emplace_back().spec = &column;
  return &rows;
}

void* FormatSink::declared_cells(Str table, Str column, CellKind kind, std::uint64_t rows) noexcept {
  return guarded([&]() -> void* {
    DeclaredTableRows* const to = readable(table) && readable(column) ? declared_rows(table.view()) : nullptr;
    if (to == nullptr || rows > kMaxRows) {
      refuse(to == nullptr ? fmt::format("filled a table '{}', which it does not declare", text_of(table))
                           : fmt::format("asked for {} rows of a table, which has {} at most", rows, kMaxRows));
      return nullptr;
    }
    for (DeclaredCells& cells : to->columns) {
      if (!(cells.spec->name == column)) continue;
      if (cells.spec->kind == kind) return cells.use(kind, [&](auto& values) { return resize(values, rows); });
      refuse(fmt::format("filled {}.{} with {}, and declares {}", text_of(table), text_of(column), word(kind),
                         word(cells.spec->kind)));
      return nullptr;
    }
    refuse(fmt::format("filled {}.{}, which it does not declare", text_of(table), text_of(column)));
    return nullptr;
  });
}

std::uint32_t FormatSink::add_process(std::int64_t id) noexcept {
  return guarded([&] { return store_.threads.add_process(id); });
}

std::uint32_t FormatSink::add_thread(std::uint32_t process, std::int64_t id, Str name) noexcept {
  return guarded([&]() -> std::uint32_t {
    if (process >= store_.threads.process_count()) {
      refuse(fmt::format("named a thread of process {} of {}", process, store_.threads.process_count()));
      return 0;
    }
    if (wanted_.table(col::thread_names) && (store_.thread_names || name.size > 0)) {
      ThreadNameRows& names = store_.thread_names ? *store_.thread_names : store_.thread_names.emplace();
      names.names.resize(store_.threads.thread_count());
      names.names.push_back(text_of(name));
      names.priorities.resize(names.names.size(), kNone);
    }
    return store_.threads.add_thread(process, id);
  });
}

void FormatSink::add_device(const DeviceView& device) noexcept {
  guarded([&] {
    DeviceRows& to = store_.devices;
    to.names.push_back(text_of(device.name));
    to.id.push(device.id);
    to.sm_count.push(device.sm_count);
    to.compute_major.push(device.compute_major);
    to.compute_minor.push(device.compute_minor);
    to.max_threads_per_sm.push(device.max_threads_per_sm);
    to.max_blocks_per_sm.push(device.max_blocks_per_sm);
    to.max_registers_per_sm.push(device.max_registers_per_sm);
    to.max_shared_per_sm.push(device.max_shared_per_sm);
    to.total_memory.push(device.total_memory);
    to.memory_bandwidth.push(device.memory_bandwidth);
    to.clock_rate.push(device.clock_rate);
    to.l2_size.push(device.l2_size);
  });
}

void FormatSink::add_property(Str name, Str value) noexcept {
  guarded([&] {
    if (wanted_.table(col::properties)) store_.properties.push_back({text_of(name), text_of(value)});
  });
}

void FormatSink::set_recorded(std::int64_t begin, std::int64_t end) noexcept {
  if (is_time(begin) && is_time(end) && begin < end) store_.recorded = RecordedTime{begin, end};
}

void FormatSink::set_origin(std::int64_t time) noexcept {
  if (is_time(time)) stated_.origin = time;
}

void FormatSink::set_epoch(std::int64_t time) noexcept {
  if (is_time(time)) stated_.epoch = time;
}

void FormatSink::issue(Str code, Severity severity, std::int64_t count, Str text) noexcept {
  guarded([&] {
    const Severity known = std::min(severity, Severity::kError);
    store_.issues.push_back({text_of(code), known, std::max<std::int64_t>(count, 0), text_of(text)});
  });
}

void FormatSink::passed_over(Str kind, Str name, std::int64_t rows) noexcept {
  guarded([&] {
    if (rows <= 0) return;
    store_.issues.push_back({"passed_over", Severity::kInfo, rows,
                             fmt::format("Not read: {} rows of {} {}.", rows, text_of(kind), text_of(name))});
  });
}

std::string FormatSink::finish() {
  if (guards_) guards_->store();
  return problem_;
}

}  // namespace assay::load
