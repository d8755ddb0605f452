// Reads one table of the file into owned columns: how cells become values, and which irregularities were found.
#pragma once

#include <fmt/core.h>

#include <atomic>
#include <deque>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "formats/sqlite/global_threads.hpp"
#include "formats/sqlite/table_reader.hpp"
#include "load/clean.hpp"
#include "load/issue.hpp"
#include "load/owned_column.hpp"
#include "load/reader.hpp"
#include "load/store.hpp"
#include "load/wanted.hpp"

namespace assay::load {

/// Numbering of processes, threads and string ids, shared by the tables of a file, in row order.
struct SharedNumbering {
  GlobalThreads threads;
  KeyInterner string_ids;          ///< StringIds ids that some row refers to
  std::vector<std::string> notes;  ///< for the log
};

/// Context of all reading functions.
struct Source {
  const Connection& db;
  const btree::PageFile* pages;  ///< null: pages of the file cannot be decoded
  Reader reader;
  const Schema& schema;
  std::uint64_t file_bytes;
  WantedColumns wanted;
  SharedNumbering& shared;
  unsigned threads = 1;                               ///< threads that may read a table
  std::span<const std::string_view> never_null = {};  ///< columns, in any table, that the format fills in every row

  [[nodiscard]] TableSource tables() const { return {db, pages, reader, file_bytes, threads}; }
};

/// Index of a string id within SharedNumbering::string_ids plus 1; 0: none. Replaced by a StringId when the strings are
/// read.
using StringKey = StringId;

class TableLoad final : private BatchSink {
 public:
  TableLoad(const Source& source, const TableInfo& table) : source_(source), table_(table), shared_(source.shared) {}

  /// Columns that the format fills in every row of this table, in addition to Source::never_null. Call first.
  TableLoad& never_null(std::initializer_list<std::string_view> columns) {
    never_null_ = columns;
    return *this;
  }
  /// An integer column; not present if the table lacks it. NULL and values that do not fit become `missing`.
  template <class Column, class T = typename Column::Value>
  void integers(Column& to, std::string_view column, std::type_identity_t<T> missing = static_cast<T>(kNone)) {
    if constexpr (sizeof(T) == sizeof(std::int64_t)) {
      add(to, column, CellType::kInteger, [missing](std::int64_t cell) { return cell == kNoValue ? missing : cell; });
    } else {
      add(to, column, CellType::kInteger, [missing, this](std::int64_t cell) {
        if (cell == kNoValue) return missing;
        if (cell >= std::numeric_limits<T>::min() && cell <= std::numeric_limits<T>::max()) return static_cast<T>(cell);
        ++out_of_range_;
        return missing;
      });
    }
  }
  /// Numbers of devices, streams and kinds, which are below kMaxNumber. Profilers write 4294967295 for none, for
  /// example as the stream of work without one.
  template <class Column>
  void numbers_or_none(Column& to, std::string_view column) {
    add(to, column, CellType::kInteger, [this](std::int64_t cell) { return number_or_none(cell); });
  }
  template <class Column>
  void memory_kinds(Column& to, std::string_view column) {
    add(to, column, CellType::kInteger, [this](std::int64_t cell) {
      const std::int32_t kind = number_or_none(cell);
      return kind >= 0 && kind <= static_cast<std::int32_t>(MemoryKind::kOther) ? static_cast<MemoryKind>(kind)
                                                                                : MemoryKind::kUnknown;
    });
  }
  /// 64-bit numbers other than addresses, which are at most kFarthestTime.
  template <class Column>
  void long_numbers(Column& to, std::string_view column, std::int64_t missing) {
    add(to, column, CellType::kInteger, [missing, this](std::int64_t cell) {
      if (is_time(cell)) [[likely]]
        return cell;
      out_of_range_ += cell == kNoValue ? 0 : 1;
      return missing;
    });
  }
  /// Values made from an integer cell by a function that several threads call; missing cells are kNoValue.
  template <class Column, class Make>
  void made(Column& to, std::string_view column, Make make) {
    add(to, column, CellType::kInteger, std::move(make));
  }
  /// Ids of calls: `narrow` in 32 bits, and `wide` too if some do not fit; 0 if missing.
  template <class Narrow, class Wide>
  void call_ids(Narrow& narrow, Wide& wide, std::string_view column) {
    made(narrow, column, [this](std::int64_t cell) {
      if (!is_time(cell) && cell != kNoValue) [[unlikely]]
        ++out_of_range_;
      const auto id = static_cast<std::uint32_t>(cell == kNoValue ? 0 : cell);
      if (cell != kNoValue && cell != std::int64_t{id}) has_wide_ids_ = true;
      return id;
    });
    read_wide_ids_ = [this, &narrow, &wide, column = std::string(column)] {
      TableLoad again(source_, table_);
      again.integers(wide, column, 0);
      std::vector<Issue> said_already;
      again.run(said_already);
      const std::size_t had = wide.size();
      wide.resize(narrow.size());
      if (had < narrow.size())
        std::fill(wide.values().begin() + static_cast<std::ptrdiff_t>(had), wide.values().end(), 0);
    };
  }
  /// References into StringIds.
  template <class Column>
  void string_keys(Column& to, std::string_view column) {
    add(
        to, column, CellType::kInteger,
        [this](std::int64_t id) { return id == kNoValue ? 0U : shared_.string_ids.intern(id) + 1; }, Order::kOfRows);
  }
  /// Texts, by their numbers from `intern`.
  template <class Column>
  void texts(Column& to, std::string_view column, TextIds intern) {
    intern_ = std::move(intern);
    add(
        to, column, CellType::kText, [](std::int64_t id) { return id == kNoValue ? 0U : static_cast<StringId>(id); },
        Order::kOfRows);
  }
  /// Row numbers in the file.
  template <class Column>
  void row_ids(Column& to) {
    add_always(to, kRowIds, CellType::kInteger, [](std::int64_t cell) { return cell; });
  }
  template <class Column>
  void processes(Column& to, std::string_view column) {
    add(
        to, column, CellType::kInteger,
        [this](std::int64_t id) { return id == kNoValue ? kUnknown : shared_.threads.process(checked(id)); },
        Order::kOfRows);
  }
  /// `missing`: thread for rows without one.
  template <class Column>
  void threads(Column& to, std::string_view column, std::optional<std::uint32_t> missing = {}) {
    add(
        to, column, CellType::kInteger,
        [this, missing](std::int64_t id) {
          return id == kNoValue && missing ? *missing : shared_.threads.thread(id == kNoValue ? 0 : checked(id));
        },
        Order::kOfRows);
  }
  /// Reads the requested columns and appends problems to `issues`.
  void run(std::vector<Issue>& issues);

 private:
  /// Values numbered on first use must be made in row order, so that numbers do not depend on threads.
  enum class Order { kAny, kOfRows };
  struct Target {
    ColumnRequest request;
    Order order;
    std::function<void(std::size_t)> reserve, resize;
    std::function<void(std::size_t, std::span<const std::int64_t>)> write;  ///< arguments: first row, cells
  };

  std::int32_t number_or_none(std::int64_t cell) {
    constexpr std::int64_t kMaxNumber = std::int64_t{1} << 30;
    if (cell == kNoValue || cell == std::numeric_limits<std::uint32_t>::max()) return kNone;
    if (cell >= 0 && cell < kMaxNumber) return static_cast<std::int32_t>(cell);
    ++out_of_range_;
    return kNone;
  }
  /// A process or thread id as numbered by nsys: the highest byte is the machine, of which there are few.
  std::int64_t checked(std::int64_t id) {
    if (id < 0 || id >= std::int64_t{0x7F} << 56) [[unlikely]]
      ++out_of_range_;
    return id;
  }

  void reserve(std::size_t rows) override;
  void expect(std::size_t rows) override;
  void on_batch(const Batch& batch) override;
  void on_ordered_batch(const Batch& batch) override;
  void restart() override;
  void write(const Batch& batch, Order order);

  template <class Column, class Make>
  void add(Column& to, std::string_view column, CellType type, Make make, Order order = Order::kAny) {
    asked_.emplace_back(column);
    if (!table_.has(column)) return;
    const bool counted = std::ranges::find(source_.never_null, column) != source_.never_null.end() ||
                         std::ranges::find(never_null_, column) != never_null_.end();
    if (!counted) return add_always(to, column, type, std::move(make), order);
    NullCount& nulls = nulls_.emplace_back(column);
    add_always(
        to, column, type,
        [make, &nulls](std::int64_t cell) {
          if (cell == kNoValue) [[unlikely]]
            ++nulls.rows;
          return make(cell);
        },
        order);
  }
  template <class Column, class Make>
  void add_always(Column& to, std::string_view column, CellType type, Make make, Order order = Order::kAny) {
    targets_.push_back({{std::string(column), type},
                        order,
                        [&to](std::size_t rows) { to.make_present(rows); },
                        [&to](std::size_t rows) { to.resize(rows); },
                        [&to, make](std::size_t row, std::span<const std::int64_t> cells) {
                          if (to.size() < row + cells.size()) to.resize(row + cells.size());
                          std::ranges::transform(cells, to.values().begin() + static_cast<std::ptrdiff_t>(row), make);
                        }});
  }

  const Source& source_;
  const TableInfo& table_;
  SharedNumbering& shared_;
  TextIds intern_;
  std::vector<Target> targets_;
  /// Number of empty cells in a column of Source::never_null.
  struct NullCount {
    explicit NullCount(std::string_view column_name) : column(column_name) {}
    std::string_view column;
    std::atomic<std::int64_t> rows = 0;
  };
  std::vector<std::string_view> never_null_;
  std::deque<NullCount> nulls_;     ///< a deque keeps them at their address: several threads count
  std::vector<std::string> asked_;  ///< requested columns, existing or not
  std::atomic<std::int64_t> out_of_range_ = 0;
  std::atomic<bool> has_wide_ids_ = false;
  std::function<void()> read_wide_ids_;  ///< reads the ids again if `has_wide_ids_`
};

/// Whether a table has the columns without which its rows are useless; reports a missing one.
bool has_columns(const TableInfo& table, std::initializer_list<std::string_view> columns, std::vector<Issue>& issues);

/// Reports missing columns that every version of nsys writes: what depends on them is unknown, and the file may have
/// further damage.
void note_lacking(const TableInfo& table, std::initializer_list<std::string_view> columns, std::vector<Issue>& issues);

/// Reports columns of `asked` that are missing while another name differs in a single byte: a damaged CREATE statement,
/// not an older version of nsys.
void note_misspelt(const TableInfo& table, std::span<const std::string> asked, std::vector<Issue>& issues);

/// Reports why rows of a table may be wrong; nothing if its pages are sound.
void note_pages(const PageCheck& pages, const std::string& table, std::vector<Issue>& issues);

/// Reports that the pages of a file cannot be checked because its header or list of free pages is invalid or not as
/// profilers write it. Unreadable files and files being written are reported elsewhere.
void note_unchecked(const btree::Refusal& why, std::vector<Issue>& issues);

/// Whether a table has all of these columns, which only mean something together; reports if it has but some.
bool has_all(const TableInfo& table, std::initializer_list<std::string_view> columns, std::string_view what,
             std::vector<Issue>& issues);

}  // namespace assay::load
