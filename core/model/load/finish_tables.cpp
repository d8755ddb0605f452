#include "load/finish_tables.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <type_traits>

#include "assay/format.hpp"
#include "load/arrange.hpp"
#include "load/clean.hpp"
#include "load/collectives.hpp"
#include "load/columns.hpp"
#include "load/host_waits.hpp"
#include "load/launch.hpp"
#include "load/link.hpp"
#include "load/names.hpp"
#include "load/ops.hpp"
#include "load/possible_times.hpp"
#include "load/row_references.hpp"
#include "load/stored_columns.hpp"

namespace assay::load {
namespace {

constexpr CopyDirection last_of(CopyDirection) { return CopyDirection::kUnifiedPeer; }
constexpr CallKind last_of(CallKind) { return CallKind::kBlockingCopy; }
constexpr MemoryKind last_of(MemoryKind) { return MemoryKind::kUnknown; }
constexpr OpKind last_of(OpKind) { return OpKind::kAnnotation; }
constexpr CollectiveKind last_of(CollectiveKind) { return CollectiveKind::kBarrier; }

std::size_t rows_of(std::string_view table, Profile::Store& store, bool& known) {
  std::size_t rows = 0;
  const auto is = [&](std::string_view name, std::size_t count) {
    if (name == table) {
      known = true;
      rows = count;
    }
  };
  is("processes", store.threads.process_count());
  is("threads", store.threads.thread_count());
  is("devices", store.devices.names.size());
  each_fillable(store, [&](auto, ColumnId, std::string_view name, const auto& of) { is(name, of ? of->rows() : 0); });
  for (const DeclaredTableRows& of : store.declared) is(of.spec->name.view(), of.rows);
  return rows;
}

/// Row of the first cell that is not below `limit`. With `or_none`, cells of all bits (kNone, kNoProcess) are none.
template <class T>
std::optional<std::size_t> beyond(const Cells<T>& cells, std::size_t limit, bool or_none = std::is_signed_v<T>) {
  using Bits = std::make_unsigned_t<T>;
  const auto one = static_cast<Bits>(or_none ? 1 : 0);
  const auto number = [one](T value) { return static_cast<Bits>(static_cast<Bits>(value) + one); };  // none is 0
  Bits most = 0;  // found without a branch: tables have millions of rows
  for (const T value : cells) most = std::max(most, number(value));
  if (cells.empty() || most < limit + one) return std::nullopt;
  const auto at = std::ranges::find_if(cells, [&](T value) { return number(value) >= limit + one; });
  return static_cast<std::size_t>(at - cells.begin());
}

class TableCheck {
 public:
  TableCheck(Profile::Store& store, std::string_view table) : store_(store), table_(table) {}

  template <class Tag, class Rows>
  std::string problem(Tag tag, Rows& rows) {
    std::size_t count = 0;
    each_stored(tag, rows, [&](const StoredColumn&, auto& cells) { count = std::max(count, cells.values().size()); });
    complete(tag, rows, count);
    each_stored(tag, rows, [&](const StoredColumn& column, auto& cells) {
      if (!problem_.empty() || !cells.present()) return;
      if (cells.values().size() != count)
        problem_ =
            fmt::format("filled {} rows of {}.{} and {} of others", cells.values().size(), table_, column.name, count);
      else
        check(column, cells.values());
    });
    rows.each([&](const auto& cells) {  // those that link, too
      if (problem_.empty() && cells.present() && cells.values().size() != count)
        problem_ = fmt::format("filled {} rows of a link of {} and {} of others", cells.values().size(), table_, count);
    });
    if constexpr (requires { rows.communicator; }) {
      if (problem_.empty() && beyond(rows.communicator.values(), store_.strings.all().size()))
        problem_ = fmt::format("gave a communicator of {} a text that there is not", table_);
    }
    return problem_;
  }

 private:
  /// Completes core columns: the only process, thread and device; links are filled later.
  template <class Tag, class Rows>
  void complete(Tag tag, Rows& rows, std::size_t count) {
    if constexpr (std::is_same_v<Rows, CallRows>) {
      if (!rows.kind.present() && rows.name.present()) add_kinds(rows);
    }
    each_stored(tag, rows, [&]<class T>(const StoredColumn& column, OwnedColumn<T>& cells) {
      if (cells.present() || !column.core() || column.computed()) return;
      if (table_ == "repeats" && column.name == "kind") return;  // their names are no functions
      if (column.name == "start" || column.name == "time") {
        if (count > 0) problem_ = fmt::format("filled {} without its column '{}'", table_, column.name);
      }
      if (!column.needed && column.name != "device" && column.name != "process" && column.name != "thread" &&
          column.name != "id")
        return;
      if (column.name == "process" && store_.threads.process_count() == 0) store_.threads.add_process(kNone);
      if (column.name == "thread" && store_.threads.thread_count() == 0) {
        if (store_.threads.process_count() == 0) store_.threads.add_process(kNone);
        store_.threads.add_thread(0, kNone);
      }
      if constexpr (std::is_same_v<T, std::uint32_t>) {
        if (column.name == "end_thread") {
          if constexpr (requires { rows.end_thread; }) cells = rows.thread;
          return;
        }
      }
      if (column.name == "end") return;  // clean_and_sort reports missing ends
      cells.assign(count, column.name == "device" ? T{} : no_value<T>());
    });
  }

  void add_kinds(CallRows& calls) {
    calls.kind.make_present(calls.name.values().size());
    for (const StringId name : calls.name.values()) {
      const bool known = name < store_.strings.all().size();
      calls.kind.push(known ? kind_of_call(without_version(store_.strings[name])) : CallKind::kOther);
    }
  }

  template <class T>
  void check(const StoredColumn& column, const Cells<T>& cells) {
    std::size_t limit = 0;
    std::string_view of;
    if constexpr (std::is_enum_v<T>) {
      const auto at = std::ranges::find_if(cells, [](T value) { return value > last_of(T{}); });
      if (at != cells.end())
        problem_ = fmt::format("gave {}.{} the value {} in row {}, which is none", table_, column.name,
                               static_cast<unsigned>(*at), at - cells.begin());
    } else if constexpr (std::is_integral_v<T>) {
      if (column.type == "StringId") {
        limit = store_.strings.all().size();
        of = "text";
      }
      if (column.type == "std::uint32_t") {
        limit = column.name == "process" ? store_.threads.process_count() : store_.threads.thread_count();
        of = column.name == "process" ? "process" : "thread";
      }
      if (column.type == "Row") {
        const auto rows = [](const auto& table) { return table ? table->rows() : 0; };
        const bool kernel = column.name == "kernel";
        limit = kernel ? rows(store_.kernels) : rows(store_.profiled);
        of = kernel ? "row of kernels" : "row of profiled";
      }
      if (of.empty()) return;
      if (const auto row = beyond(cells, limit, std::is_signed_v<T> || of == "process"))
        problem_ = fmt::format("gave {}.{} the {} {} in row {}, and there are {}", table_, column.name, of, cells[*row],
                               *row, limit);
    }
  }

  Profile::Store& store_;
  std::string_view table_;
  std::string problem_;
};

/// Problem of a declared table: invalid times, wrong order, or ends before begins.
std::string times_problem(const DeclaredTableRows& table) {
  const Cells<std::int64_t>*begin = nullptr, *end = nullptr;
  for (const DeclaredCells& column : table.columns) {
    if (column.spec->kind != CellKind::kInteger || !column.integers.present()) continue;
    if (column.spec->role == CellRole::kTime || column.spec->role == CellRole::kBegin)
      begin = &column.integers.values();
    if (column.spec->role == CellRole::kEnd) end = &column.integers.values();
  }
  for (std::size_t i = 0; begin != nullptr && i < begin->size(); ++i) {
    const auto wrong = [&](std::string_view what) {
      return fmt::format("gave row {} of {} a time that {}", i, table.spec->name.view(), what);
    };
    if (!is_time((*begin)[i]) || (end != nullptr && !is_time((*end)[i]))) return wrong("is none");
    if (i > 0 && (*begin)[i] < (*begin)[i - 1]) return wrong("comes before that of the row above");
    if (end != nullptr && (*end)[i] < (*begin)[i]) return wrong("ends before it begins");
  }
  return {};
}

std::string declared_problem(DeclaredTableRows& table, Profile::Store& store) {
  for (DeclaredCells& column : table.columns) {
    const ColumnSpec& spec = *column.spec;
    const bool there = column.use(spec.kind, [](auto& cells) { return cells.present(); });
    const std::size_t rows = column.use(spec.kind, [](auto& cells) { return cells.values().size(); });
    const auto name = fmt::format("{}.{}", table.spec->name.view(), spec.name.view());
    if (there && rows != table.rows)
      return fmt::format("filled {} rows of {} and {} of others", rows, name, table.rows);
    std::optional<std::size_t> wrong;
    if (spec.kind == CellKind::kText) wrong = beyond(column.texts.values(), store.strings.all().size());
    if (spec.kind == CellKind::kInteger && spec.role == CellRole::kRow) {
      bool known = false;
      const std::size_t limit = rows_of(spec.of.view(), store, known);
      if (known || !column.integers.values().empty()) wrong = beyond(column.integers.values(), limit);
    }
    if (wrong)
      return fmt::format("gave {} in row {} a {} that there is not", name, *wrong,
                         spec.kind == CellKind::kText ? "text" : "row of " + std::string(spec.of.view()));
  }
  return times_problem(table);
}

template <class Rows>
concept Timed = requires(Rows rows) {
  rows.start;
  rows.end;
};

void clean(Profile::Store& store) {
  each_fillable(store, [&](auto, ColumnId id, std::string_view name, auto& rows) {
    if (!rows) return;
    const auto keep = [&](const std::vector<std::uint32_t>& order) { keep_rows(store, rows, order); };
    const auto part = store.parts.find(id);
    if constexpr (Timed<std::remove_cvref_t<decltype(*rows)>>) {
      if constexpr (requires { rows->unresolved; }) rows->end = rows->start;
      clean_and_sort(*rows, part == store.parts.end() ? std::string(name) : part->second, store.issues, keep);
    } else if constexpr (requires { rows->time; }) {
      const Cells<std::int64_t>& time = rows->time.values();
      const auto dropped = std::ranges::count_if(time, [](std::int64_t at) { return !is_time(at); });
      note_no_start(dropped, name, store.issues);
      keep_timed(time, time, dropped == 0, keep);
    }
  });
}

void add_short_names(Profile::Store& store, const WantedColumns& wanted) {
  if (!store.kernels || !store.kernels->name.present() || store.kernels->short_name.present()) return;
  if (!wanted.column(col::kernel_short_name)) return;
  std::vector<StringId> short_of(store.strings.all().size(), 0);
  KernelRows& kernels = *store.kernels;
  kernels.short_name.make_present(kernels.rows());
  for (const StringId name : kernels.name.values()) {
    if (short_of[name] == 0 && name != 0)
      short_of[name] = store.strings.intern(std::string(base_name(store.strings[name])));
    kernels.short_name.push(short_of[name]);
  }
}

/// Fills the innermost ranges around rows of a declared table, which are in the order of time.
void add_ranges(DeclaredTableRows& table, const Profile::Store& store) {
  const OwnedColumn<std::int64_t>*time = nullptr, *thread = nullptr;
  OwnedColumn<std::int64_t>* to = nullptr;
  for (DeclaredCells& column : table.columns) {
    const ColumnSpec& spec = *column.spec;
    if (spec.role == CellRole::kTime && column.integers.present()) time = &column.integers;
    if (spec.role == CellRole::kRow && spec.of == "threads" && column.integers.present()) thread = &column.integers;
    if (spec.role == CellRole::kRow && spec.of == "ranges" && !column.integers.present()) to = &column.integers;
  }
  if (time == nullptr || thread == nullptr || to == nullptr || !store.ranges) return;
  CallRows events;
  std::vector<std::size_t> known;
  for (std::size_t row = 0; row < table.rows; ++row) {
    if ((*thread)[row] == kNone) continue;
    known.push_back(row);
    events.start.push((*time)[row]);
    events.thread.push(static_cast<std::uint32_t>((*thread)[row]));
  }
  events.end = events.start;
  OwnedColumn<Row> around;
  innermost_around(events, *store.ranges, store.threads.thread_count(), around);
  to->assign(table.rows, kNone);
  for (std::size_t at = 0; at < known.size(); ++at) to->values()[known[at]] = around[at];
}

/// What rests on links: times of waiting, ranges of declared rows, collectives.
void add_derived(Profile::Store& store, const WantedColumns& wanted) {
  if (wanted.table(col::declared)) add_gil(store);
  if (wanted.table(col::causes)) add_host_waits(store);
  for (DeclaredTableRows& table : store.declared) add_ranges(table, store);
  if (store.collectives)
    order_collectives(store);
  else if (wanted.table(col::collectives))
    find_collectives(store);
  if (!store.ranges) return;
  store.ranges->communicator.drop();
  store.ranges->payload.drop();
}

void link(Profile::Store& store, const WantedColumns& wanted, const StatedByFormat& stated) {
  const auto has_ids = [](const auto& rows) { return rows && rows->external_id.present(); };
  const auto without_ids = [](auto& rows) {
    if (rows && !rows->external_id.present()) rows->external_id.assign(rows->rows(), kNone);
  };
  link_work(store, wanted);
  if (stated.any_runtime) name_launches(store);
  arrange_ranges(store, wanted);
  if (store.ops) nest(*store.ops, store.threads.thread_count());
  const bool linked = store.ops || has_ids(store.kernels) || has_ids(store.calls);
  if (linked && (wanted.column(col::kernel_op) || wanted.column(col::call_op))) {
    without_ids(store.ops);
    without_ids(store.calls);
    without_ids(store.kernels);
    link_ops(store, stated.operators);
  }
  if (store.calls) {
    store.calls->external_id.drop();
    OwnedColumn<StringId>& full = store.calls->full_name;
    if (!full.present() && wanted.column(col::call_full_name)) full = store.calls->name;
  }
  if (store.kernels) store.kernels->external_id.drop();
  add_short_names(store, wanted);
  add_derived(store, wanted);
}

void move_times(Profile::Store& store, std::int64_t origin) {
  const auto move = [&](auto& column) {
    for (std::int64_t& time : column.values()) time -= origin;
  };
  each_fillable(store, [&](auto, ColumnId, std::string_view, auto& rows) {
    if (!rows) return;
    if constexpr (Timed<std::remove_cvref_t<decltype(*rows)>>) {
      move(rows->start);
      move(rows->end);
    } else if constexpr (requires { rows->time; })
      move(rows->time);
  });
  for (DeclaredTableRows& table : store.declared) {
    for (DeclaredCells& column : table.columns) {
      const CellRole role = column.spec->role;
      if (role == CellRole::kTime || role == CellRole::kBegin || role == CellRole::kEnd) move(column.integers);
    }
  }
}

}  // namespace

std::string check_tables(Profile::Store& store) {
  std::string problem;
  each_fillable(store, [&](auto tag, ColumnId, std::string_view name, auto& rows) {
    if (rows && problem.empty()) problem = TableCheck(store, name).problem(tag, *rows);
  });
  return problem.empty() ? check_declared(store) : problem;
}

std::string check_declared(Profile::Store& store) {
  for (DeclaredTableRows& table : store.declared) {
    for (DeclaredCells& column : table.columns)
      column.use(column.spec->kind, [&](auto& cells) { table.rows = std::max(table.rows, cells.values().size()); });
  }
  std::string problem;
  for (DeclaredTableRows& table : store.declared) {
    if (problem.empty()) problem = declared_problem(table, store);
  }
  return problem;
}

void finish_tables(Profile::Store& store, const WantedColumns& wanted, const StatedByFormat& stated,
                   std::string_view word) {
  clean(store);
  link(store, wanted, stated);
  group_counters(store, wanted, word);
  if (!stated.origin) return;
  const std::int64_t first = store.impossible > 0 ? least_start(store) : *stated.origin;
  const std::int64_t origin = is_time(first) ? first : 0;
  move_times(store, origin);
  if (wanted.table(col::properties)) store.properties.push_back({"origin_ns", std::to_string(stated.epoch + origin)});
}

void drop_unwanted(Profile::Store& store, const WantedColumns& wanted) {
  each_fillable(store, [&](auto tag, ColumnId id, std::string_view, auto& rows) {
    if (!rows) return;
    if (!wanted.table(id)) return rows.reset();
    each_stored(tag, *rows, [&](const StoredColumn& column, auto& cells) {
      const ColumnId own = of_table(id, column.id);  // a column without an id of its own comes with the table
      if (!column.core() && !wanted.column(own) && find_column(own) != nullptr) cells.drop();
    });
  });
  if (store.calls) store.calls->launched.drop();
  if (store.allocations) store.allocations->address.drop();
  if (!wanted.table(col::declared)) store.declared.clear();
}

}  // namespace assay::load
