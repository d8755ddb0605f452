#include "comparison.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <string_view>

#include "databases.hpp"

namespace assay::btree_test {
namespace {

using namespace load::btree;

constexpr std::int64_t kNull = std::numeric_limits<std::int64_t>::min() + 12345;  // in none of the files

struct Finalize {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Statement = std::unique_ptr<sqlite3_stmt, Finalize>;

Statement prepare(sqlite3* db, const std::string& sql) {
  sqlite3_stmt* statement = nullptr;
  sqlite3_prepare_v2(db, sql.c_str(), -1, &statement, nullptr);
  return Statement(statement);
}

std::string quoted(const std::string& name) {
  std::string out = "\"";
  for (const char c : name) out.append(c == '"' ? 2 : 1, c);
  return out + '"';
}

/// What was decoded, and which column each array is.
struct DecodedTable {
  std::vector<std::string> columns;
  std::vector<bool> has_text;
  std::vector<std::vector<std::int64_t>> integers;
  std::vector<std::vector<std::optional<std::string>>> texts;
  TableRows rows;
  std::string disorder;  ///< what is wrong with the batches; empty: nothing
};

std::optional<Refusal> decode(const std::filesystem::path& path, const std::string& table, unsigned threads,
                              const std::set<std::string>& left_out, DecodedTable& out) {
  auto file = PageFile::open(path);
  if (auto* refusal = std::get_if<Refusal>(&file)) return *refusal;
  const Database db = open_database(path, true);
  auto described = describe_table(db.get(), table);
  if (auto* refusal = std::get_if<Refusal>(&described)) return *refusal;
  const auto& layout = std::get<TableLayout>(described);
  auto planned = TableScan::plan(std::get<PageFile>(file), layout);
  if (auto* refusal = std::get_if<Refusal>(&planned)) return *refusal;
  auto& scan = std::get<TableScan>(planned);

  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < layout.columns.size(); ++i) {
    if (layout.columns[i].is_real || left_out.contains(layout.columns[i].name)) continue;
    numbers.push_back(i);
    out.columns.push_back(layout.columns[i].name);
    out.has_text.push_back(!layout.columns[i].is_row_id);
  }
  std::vector<WantedColumn> columns;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    columns.push_back({numbers[i], FieldKind::kInteger});
    if (out.has_text[i]) columns.push_back({numbers[i], FieldKind::kText});
  }
  const auto size_for = [](auto& values, const RowBatch& batch) {
    values.resize(std::max<std::size_t>(values.size(), batch.first_row + batch.rows));
  };
  // Where there are several threads each has rows of its own, and there is room for all rows.
  out.integers.resize(numbers.size(), std::vector<std::int64_t>(scan.rows(), 77));
  out.texts.resize(numbers.size());
  const auto at_once = [&](const RowBatch& batch) {
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (threads == 1) size_for(out.integers[i], batch);
      std::ranges::copy(batch.integers[i], out.integers[i].begin() + static_cast<std::ptrdiff_t>(batch.first_row));
    }
  };
  std::uint64_t rows = 0;
  const auto in_order = [&](const RowBatch& batch) {
    if (batch.first_row != rows) out.disorder = "batches that leave rows out";
    rows += batch.rows;
    for (std::size_t i = 0, text = 0; i < numbers.size(); ++i) {
      if (!out.has_text[i]) continue;
      for (const std::string_view one : batch.texts[text++])
        out.texts[i].push_back(one.data() == nullptr ? std::nullopt : std::optional<std::string>(one));
    }
  };
  const RowConsumer consumer{.in_order = in_order, .at_once = at_once};
  auto read = scan.read(columns, kNull, consumer, threads);
  const auto* refusal = std::get_if<Refusal>(&read);
  if (refusal != nullptr && refusal->reason == Reason::kMiscounted) {
    rows = 0;
    threads = 1;
    out.texts.assign(numbers.size(), {});
    read = scan.read(columns, kNull, consumer);
    refusal = std::get_if<Refusal>(&read);
  }
  if (refusal != nullptr) return *refusal;
  out.rows = std::get<TableRows>(read);
  if (out.rows.rows != rows) out.disorder = "batches of other rows than are counted";
  return std::nullopt;
}

std::string cell_name(const std::string& column, std::uint64_t row) {
  return column + " of row " + std::to_string(row);
}

}  // namespace

Comparison compare(const std::filesystem::path& file, const std::string& table, unsigned threads,
                   const std::set<std::string>& left_out) {
  Comparison result;
  DecodedTable decoded;
  result.refusal = decode(file, table, threads, left_out, decoded);
  if (result.refusal) return result;
  result.rows = decoded.rows.rows;
  result.difference = decoded.disorder;

  const Database db = open_database(file, true);
  std::string sql = "SELECT 1";
  for (const std::string& column : decoded.columns) sql += ", " + quoted(column);
  // By row id, never by an index that happens to cover the columns.
  const Statement statement = prepare(db.get(), sql + " FROM " + quoted(table) + " NOT INDEXED");
  std::uint64_t row = 0, mistyped = 0;
  int outcome = SQLITE_ERROR;
  while (statement && (outcome = sqlite3_step(statement.get())) == SQLITE_ROW) {
    for (std::size_t i = 0; i < decoded.columns.size() && row < result.rows; ++i, ++result.cells) {
      const int cell = static_cast<int>(i) + 1;
      const int type = sqlite3_column_type(statement.get(), cell);
      const std::int64_t integer = type == SQLITE_INTEGER ? sqlite3_column_int64(statement.get(), cell) : kNull;
      if (type != SQLITE_INTEGER && type != SQLITE_NULL) ++mistyped;
      if (decoded.has_text[i] && type != SQLITE_TEXT && type != SQLITE_NULL) ++mistyped;
      if (decoded.integers[i][row] != integer) result.difference = cell_name(decoded.columns[i], row);
      if (!decoded.has_text[i]) continue;
      const std::optional<std::string>& text = decoded.texts[i][row];
      bool same = !text;
      if (type == SQLITE_TEXT) {
        const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement.get(), cell));
        const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement.get(), cell));
        same = text == std::string_view(bytes, size);
      }
      if (!same) result.difference = "text " + cell_name(decoded.columns[i], row);
    }
    ++row;
  }
  result.sqlite_failed = outcome != SQLITE_DONE;
  if (result.difference.empty() && row != result.rows) {
    result.difference = std::to_string(result.rows) + " rows instead of " + std::to_string(row);
  }
  result.more_mistyped = static_cast<std::int64_t>(decoded.rows.mistyped) - static_cast<std::int64_t>(mistyped);
  return result;
}

std::vector<std::string> tables_of(const std::filesystem::path& file) {
  const Database db = open_database(file, true);
  std::vector<std::string> names;
  const Statement statement = prepare(db.get(), "SELECT name FROM sqlite_master WHERE type IN ('table', 'view')");
  while (statement && sqlite3_step(statement.get()) == SQLITE_ROW) {
    const auto* name = reinterpret_cast<const char*>(sqlite3_column_text(statement.get(), 0));
    if (name != nullptr) names.emplace_back(name);
  }
  return names;
}

std::vector<std::string> columns_of(const std::filesystem::path& file, const std::string& table) {
  const auto layout = describe_table(open_database(file, true).get(), table);
  std::vector<std::string> names;
  if (const auto* described = std::get_if<TableLayout>(&layout)) {
    for (const ColumnLayout& column : described->columns) names.push_back(column.name);
  }
  return names;
}

}  // namespace assay::btree_test
