#include "comparison.hpp"

#include <sqlite3.h>

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
struct Decoded {
  std::vector<std::string> columns;
  std::vector<bool> has_text;
  std::vector<std::vector<std::int64_t>> integers;
  std::vector<std::vector<std::string_view>> texts;
  TableRows rows;
  std::string stream_difference;
};

/// The same columns by stream() instead of read(); empty: no difference.
std::string stream_difference(const TableScan& scan, const std::vector<std::size_t>& numbers, const Decoded& decoded) {
  std::vector<StreamColumn> columns;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    columns.push_back({numbers[i], FieldKind::kInteger});
    if (decoded.has_text[i]) columns.push_back({numbers[i], FieldKind::kText});
  }
  std::string difference;
  std::uint64_t rows = 0;
  const auto consume = [&](const RowBatch& batch) {
    if (batch.first_row != rows) difference = "batches that leave rows out";
    for (std::size_t row = 0; row < batch.rows; ++row, ++rows) {
      for (std::size_t i = 0, text = 0; i < numbers.size(); ++i) {
        if (batch.integers[i][row] != decoded.integers[i][rows]) difference = decoded.columns[i] + " in a batch";
        if (!decoded.has_text[i]) continue;
        const std::string_view given = batch.texts[text++][row], expected = decoded.texts[i][rows];
        const bool same = given == expected && (given.data() == nullptr) == (expected.data() == nullptr);
        if (!same) difference = "text " + decoded.columns[i] + " in a batch";
      }
    }
  };
  const auto read = scan.stream(columns, kNull, consume);
  if (const auto* refusal = std::get_if<Refusal>(&read)) return "stream() refuses: " + refusal->sentence;
  const auto& result = std::get<TableRows>(read);
  const bool same = result.rows == rows && rows == decoded.rows.rows && result.mistyped == decoded.rows.mistyped;
  return same ? difference : "stream() counts otherwise";
}

std::optional<Refusal> decode(const std::filesystem::path& path, const std::string& table, unsigned threads,
                              const std::set<std::string>& left_out, Decoded& out) {
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
    out.integers.emplace_back(scan.rows(), 77);
    out.texts.emplace_back(scan.rows(), "never written");
  }
  std::vector<ColumnSink> sinks;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    sinks.push_back({numbers[i], std::span(out.integers[i]), kNull});
    if (out.has_text[i]) sinks.push_back({numbers[i], std::span(out.texts[i])});
  }
  auto read = scan.read(sinks, threads);
  if (auto* refusal = std::get_if<Refusal>(&read)) return *refusal;
  out.rows = std::move(std::get<TableRows>(read));
  out.stream_difference = stream_difference(scan, numbers, out);
  return std::nullopt;
}

std::string cell_name(const std::string& column, std::uint64_t row) {
  return column + " of row " + std::to_string(row);
}

}  // namespace

Comparison compare(const std::filesystem::path& file, const std::string& table, unsigned threads,
                   const std::set<std::string>& left_out) {
  Comparison result;
  Decoded decoded;
  result.refusal = decode(file, table, threads, left_out, decoded);
  if (result.refusal) return result;
  result.rows = decoded.rows.rows;
  result.difference = decoded.stream_difference;

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
      const std::string_view text = decoded.texts[i][row];
      bool same = text.data() == nullptr;
      if (type == SQLITE_TEXT) {
        const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement.get(), cell));
        const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement.get(), cell));
        same = text.data() != nullptr && text == std::string_view(bytes, size);
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
