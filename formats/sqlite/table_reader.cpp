#include "formats/sqlite/table_reader.hpp"

#include <fmt/core.h>
#include <sqlite3.h>

#include <algorithm>
#include <variant>

#include "assay/report.hpp"
#include "formats/btree/table_scan.hpp"

namespace assay::load {
namespace {

constexpr std::size_t kBatchRows = 1024;  // a batch of all columns fits the second-level cache

std::string select(const TableInfo& table, std::span<const ColumnRequest> columns) {
  std::string sql = "SELECT ";
  for (const ColumnRequest& request : columns) sql.append(sqlite::quoted(request.column)).append(", ");
  sql.resize(sql.size() - 2);
  return sql.append(" FROM ").append(sqlite::quoted(table.name));
}

/// One cell as defined by Batch. Connections are not shared between threads (no mutex), so column values may be
/// accessed directly.
std::int64_t cell_of(sqlite3_stmt* row, int column, CellType type, const TextIds& texts, std::uint64_t& mistyped) {
  sqlite3_value* value = sqlite3_column_value(row, column);
  const int stored = sqlite3_value_type(value);
  if (type == CellType::kInteger) {
    if (stored == SQLITE_INTEGER) return sqlite3_value_int64(value);
  } else if (stored == SQLITE_TEXT) {
    const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(value));
    if (text != nullptr) return texts({text, static_cast<std::size_t>(sqlite3_value_bytes(value))});
  }
  if (stored != SQLITE_NULL) ++mistyped;
  return kNoValue;
}

/// Row numbers of a report cannot go beyond this.
constexpr std::uint64_t kMaxRows = std::uint64_t{std::numeric_limits<Row>::max()} - 1;

/// Upper bound on the number of rows of `table`, from its row ids and the file size. Row ids and counts in a damaged or
/// hostile file are arbitrary.
std::uint64_t row_bound(const Connection& db, const TableInfo& table, std::uint64_t file_bytes) {
  // The shortest possible row: header size, one type byte per column, payload size and row id.
  const std::uint64_t fits = file_bytes / (3 + table.columns.size());
  const std::string from = " FROM " + sqlite::quoted(table.name);
  sqlite::Statement ids(db.handle(), fmt::format("SELECT (SELECT max(rowid){}) - (SELECT min(rowid){})", from, from));
  const bool known = ids.step() && ids.is_integer(0) && ids.integer(0) >= 0;
  const std::uint64_t told = known ? static_cast<std::uint64_t>(ids.integer(0)) + 1 : fits;
  return std::min({fits, told, kMaxRows});
}

ReadOutcome read_with_sqlite(const TableSource& source, const TableInfo& table, std::span<const ColumnRequest> columns,
                             const TextIds& texts, BatchSink& sink) {
  const Connection& db = source.db;
  const std::uint64_t most = row_bound(db, table, source.file_bytes);
  sink.reserve(static_cast<std::size_t>(most));
  ReadOutcome outcome;
  sqlite::Statement rows(db.handle(), select(table, columns));
  if (!rows.ok()) {
    outcome.damage = db.problem();
    return outcome;
  }
  std::vector<std::vector<std::int64_t>> cells(columns.size(), std::vector<std::int64_t>(kBatchRows));
  Batch batch{0, 0, {cells.begin(), cells.end()}};
  const auto flush = [&] {
    batch.first_row = outcome.rows;
    outcome.rows += batch.rows;
    sink.on_batch(batch);
    sink.on_ordered_batch(batch);
    batch.rows = 0;
  };
  while (rows.step()) {
    if (outcome.rows + batch.rows == most) {
      outcome.damage = "it has more rows than the file can hold";
      break;
    }
    for (std::size_t c = 0; c < columns.size(); ++c) {
      cells[c][batch.rows] = cell_of(rows.handle(), static_cast<int>(c), columns[c].type, texts, outcome.mistyped);
    }
    if (++batch.rows == kBatchRows) flush();
  }
  flush();
  if (rows.failed()) outcome.damage = db.problem();
  return outcome;
}

/// Columns for the direct reader, and the conversion of its batches.
class DirectColumns {
 public:
  DirectColumns(const btree::TableLayout& layout, std::span<const ColumnRequest> columns, const TextIds& texts)
      : columns_(columns), texts_(texts), numbers_(columns.size()) {
    for (const ColumnRequest& request : columns) {
      const auto kind = request.type == CellType::kText ? btree::FieldKind::kText : btree::FieldKind::kInteger;
      wanted.push_back({layout.find(request.column), kind});
    }
  }

  /// Without the texts, which are numbered in row order.
  [[nodiscard]] Batch integers(const btree::RowBatch& rows) const {
    Batch out{rows.first_row, rows.rows, {}};
    std::size_t integer = 0;
    for (const ColumnRequest& column : columns_)
      out.cells.push_back(column.type == CellType::kText ? std::span<const std::int64_t>() : rows.integers[integer++]);
    return out;
  }

  Batch all(const btree::RowBatch& rows) {
    Batch out = integers(rows);
    std::size_t text = 0;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      if (columns_[c].type == CellType::kText) out.cells[c] = interned(c, rows.texts[text++]);
    }
    return out;
  }

  std::vector<btree::WantedColumn> wanted;

 private:
  std::span<const std::int64_t> interned(std::size_t column, std::span<const std::string_view> views) {
    std::vector<std::int64_t>& numbers = numbers_[column];
    numbers.clear();
    for (const std::string_view view : views) {
      numbers.push_back(view.data() == nullptr ? kNoValue : std::int64_t{texts_(view)});
    }
    return numbers;
  }

  std::span<const ColumnRequest> columns_;
  const TextIds& texts_;
  std::vector<std::vector<std::int64_t>> numbers_;
};

/// Why pages were not decoded.
struct NotDecoded {
  btree::Refusal refusal;
  bool damage = false;  ///< the pages are inconsistent; false: merely unusual
};

bool is_damage(btree::Reason reason) {
  // Tables with rows in an index are normal and recognised from their layout; found in the pages it is damage.
  return reason == btree::Reason::kPage || reason == btree::Reason::kRecord || reason == btree::Reason::kWithoutRowId;
}

std::variant<btree::TableRows, NotDecoded> read_directly(const Connection& db, const btree::PageFile& pages,
                                                         const TableInfo& table, std::span<const ColumnRequest> columns,
                                                         const TextIds& texts, BatchSink* sink, unsigned threads) {
  auto layout =
      table.layout ? btree::Outcome<btree::TableLayout>(*table.layout) : btree::describe_table(db.handle(), table.name);
  if (auto* why = std::get_if<btree::Refusal>(&layout)) return NotDecoded{*why};
  const auto not_decoded = [](btree::Refusal why) {
    const bool damage = is_damage(why.reason);
    return NotDecoded{std::move(why), damage};
  };
  auto& columns_of_table = std::get<btree::TableLayout>(layout);
  if (columns_of_table.find(kRowIds) == columns_of_table.columns.size())
    columns_of_table.columns.push_back({.name = std::string(kRowIds), .is_row_id = true, .in_record = false});
  auto scan = btree::TableScan::plan(pages, columns_of_table);
  if (auto* why = std::get_if<btree::Refusal>(&scan)) return not_decoded(*why);
  const auto& plan = std::get<btree::TableScan>(scan);
  if (plan.rows() > kMaxRows) return NotDecoded{{btree::Reason::kPage, "more rows than a report can number"}};
  DirectColumns direct(columns_of_table, columns, texts);
  btree::RowConsumer consumer;
  if (sink != nullptr) {
    sink->expect(plan.rows());
    consumer.at_once = [&](const btree::RowBatch& rows) { sink->on_batch(direct.integers(rows)); };
    consumer.in_order = [&](const btree::RowBatch& rows) { sink->on_ordered_batch(direct.all(rows)); };
  }
  auto read = plan.read(direct.wanted, kNoValue, consumer, threads);
  const auto* miscounted = std::get_if<btree::Refusal>(&read);
  if (miscounted != nullptr && miscounted->reason == btree::Reason::kMiscounted && sink != nullptr) {
    sink->restart();
    read = plan.read(direct.wanted, kNoValue, consumer);
  }
  if (auto* why = std::get_if<btree::Refusal>(&read)) return not_decoded(*why);
  return std::get<btree::TableRows>(std::move(read));
}

}  // namespace

PageCheck check_pages(const Connection& db, const btree::PageFile* pages, const TableInfo& table) {
  if (pages == nullptr) return {};
  // Request no columns, since some stop a check early: reals, and columns on overflow pages.
  const auto direct = read_directly(db, *pages, table, {}, {}, nullptr, 1);
  const auto* not_decoded = std::get_if<NotDecoded>(&direct);
  if (not_decoded == nullptr) return {};
  const auto& [refusal, damage] = *not_decoded;
  if (damage) return {refusal.sentence, {}};
  const bool said_elsewhere = refusal.reason == btree::Reason::kChanged || refusal.reason == btree::Reason::kUnreadable;
  return {{}, said_elsewhere ? std::string() : refusal.sentence};
}

ReadOutcome read_columns(const TableSource& source, const TableInfo& table, std::span<const ColumnRequest> columns,
                         const TextIds& texts, BatchSink& sink) {
  std::string refused;
  if (source.pages != nullptr && source.reader == Reader::kDirect) {
    const auto direct = read_directly(source.db, *source.pages, table, columns, texts, &sink, source.threads);
    if (const auto* read = std::get_if<btree::TableRows>(&direct)) return {read->rows, read->mistyped, {}, {}, {}};
    refused = std::get<NotDecoded>(direct).refusal.sentence;
    sink.restart();
  }
  ReadOutcome outcome = read_with_sqlite(source, table, columns, texts, sink);
  outcome.refusal = std::move(refused);
  if (outcome.damage.empty()) outcome.pages = check_pages(source.db, source.pages, table);
  return outcome;
}

namespace {

class WholeSink final : public BatchSink {
 public:
  explicit WholeSink(std::vector<std::vector<std::int64_t>>& columns) : columns_(columns) {}
  void reserve(std::size_t /*rows*/) override {}
  void expect(std::size_t rows) override {
    for (auto& column : columns_) column.reserve(rows);
  }
  void on_batch(const Batch& /*batch*/) override {}
  void on_ordered_batch(const Batch& batch) override {
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const auto cells = batch.cells[c].first(batch.rows);
      columns_[c].insert(columns_[c].end(), cells.begin(), cells.end());
    }
  }
  void restart() override {
    for (auto& column : columns_) column.clear();
  }

 private:
  std::vector<std::vector<std::int64_t>>& columns_;
};

}  // namespace

WholeTable::WholeTable(const TableSource& source, const TableInfo& table, std::span<const ColumnRequest> columns)
    : columns_(columns.size()) {
  WholeSink sink(columns_);
  outcome_ = read_columns(source, table, columns, ids_in(texts_), sink);
}

}  // namespace assay::load
