#include "query/range_paths.hpp"

#include <string>
#include <vector>

#include "algo/paths/path_times.hpp"

namespace assay::query {
namespace {

using ranges::PathTimes;

struct PathRow {
  PathTimes of;
  std::string path, name;
  std::int32_t depth = 0;
};

struct PathTable {
  std::uint64_t rows = 0;  ///< first member, as in the tables of the report model
  std::vector<PathRow> paths;
};

std::shared_ptr<const void> path_table(const Report& report) {
  auto table = std::make_shared<PathTable>();
  const ranges::PathTree tree(report);
  for (const PathTimes& row : ranges::path_times(report, tree, ranges::LaunchPaths(report, tree))) {
    const std::int32_t depth = tree.nodes()[static_cast<std::size_t>(row.node)].depth;
    table->paths.push_back({row, tree.path(row.node), std::string(tree.name(row.node)), depth});
  }
  table->rows = table->paths.size();
  return table;
}

const PathRow& path_row(const CellSource& from, std::size_t row) {
  return static_cast<const PathTable*>(from.table)->paths[row];
}

/// NaN becomes NULL.
template <double PathTimes::* Member>
void set_result_time(sqlite3_context* to, const CellSource& from, std::size_t row, std::size_t) {
  sqlite3_result_double(to, path_row(from, row).of.*Member);
}

template <double PathTimes::* Member>
void set_result_per_range(sqlite3_context* to, const CellSource& from, std::size_t row, std::size_t) {
  const PathTimes& of = path_row(from, row).of;
  sqlite3_result_double(to, of.each(of.*Member));
}

template <std::string PathRow::* Member>
void set_result_path_text(sqlite3_context* to, const CellSource& from, std::size_t row, std::size_t) {
  const std::string& text = path_row(from, row).*Member;  // the session outlives every statement
  sqlite3_result_text64(to, text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8);
}

}  // namespace

SqlTable range_paths() {
  SqlTable made{.name = "range_paths", .words = "range table", .id = {}, .in = {}, .columns = {}};
  made.in = [](const Report& report) -> const void* {
    return report.ranges != nullptr ? static_cast<const void*>(report.ranges) : report.spans;
  };
  made.computed = &path_table;
  made.from = {col::ranges, col::spans, col::calls, col::kernels, col::graphs, col::copies, col::sets, col::steps};
  const auto add = [&](std::string name, std::string_view type, auto set_result) {
    SqlColumn column{.name = std::move(name), .type = type};
    column.set_result = set_result;
    made.columns.push_back(column);
  };
  add("path", "TEXT", &set_result_path_text<&PathRow::path>);
  add("name", "TEXT", &set_result_path_text<&PathRow::name>);
  add("depth", "INTEGER", [](sqlite3_context* to, const CellSource& from, std::size_t row, std::size_t) {
    sqlite3_result_int64(to, path_row(from, row).depth);
  });
  add("count", "INTEGER", [](sqlite3_context* to, const CellSource& from, std::size_t row, std::size_t) {
    sqlite3_result_int64(to, path_row(from, row).of.count);
  });
  add("median", "REAL", &set_result_time<&PathTimes::median>);
  add("p95", "REAL", &set_result_time<&PathTimes::p95>);
  add("p99", "REAL", &set_result_time<&PathTimes::p99>);
  add("max", "REAL", &set_result_time<&PathTimes::max>);
  add("total", "REAL", &set_result_time<&PathTimes::total>);
  add("share", "REAL", &set_result_time<&PathTimes::capture_ratio>);
  add("step_share", "REAL", &set_result_time<&PathTimes::step_ratio>);
  add("gpu_time", "REAL", &set_result_per_range<&PathTimes::gpu>);
  add("busy_share", "REAL", &set_result_time<&PathTimes::busy_ratio>);
  add("idle", "REAL", &set_result_per_range<&PathTimes::idle>);
  add("kernels", "REAL", &set_result_per_range<&PathTimes::kernels>);
  add("launches", "REAL", &set_result_per_range<&PathTimes::launches>);
  return made;
}

}  // namespace assay::query
