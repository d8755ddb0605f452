#include "query/table_plan.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <string>

#include "query/older_sqlite.hpp"
#include "query/row_order.hpp"

namespace assay::query::table_module {
namespace {

constexpr char kEqual = '=', kOneOf = '*', kByColumn = ',';

bool is_looked_up(const SqlColumn& column) {
  return column.integer != nullptr && (column.role == Role::kReference || column.role == Role::kKey);
}

/// Use of a constraint on a column; 0: none.
int use_of(const SqlColumn& column, unsigned char op) {
  const bool equal = op == SQLITE_INDEX_CONSTRAINT_EQ;
  const bool lower = op == SQLITE_INDEX_CONSTRAINT_GE || op == SQLITE_INDEX_CONSTRAINT_GT;
  const bool upper = op == SQLITE_INDEX_CONSTRAINT_LE || op == SQLITE_INDEX_CONSTRAINT_LT;
  switch (column.role) {
    case Role::kReport:
      return equal ? kByReport : 0;
    case Role::kRowNumber:
      return equal ? kById : lower ? kFromId : upper ? kToId : 0;
    case Role::kStart:
      return lower ? kFromStart : upper ? kToStart : 0;
    case Role::kEnd:
      return upper ? kToStart : 0;  // a row that ends before then also starts before then
    default:
      return equal && is_looked_up(column) ? kByValue : 0;
  }
}

/// "3,7,": the order by columns 3 and 7 was requested and is supported; empty if not.
std::string order_wanted(const Table& table, const sqlite3_index_info& info) {
  if (table.sources->reports.size() != 1) return {};
  std::string columns;
  for (int o = 0; o < info.nOrderBy; ++o) {
    const auto& [by, descending] = info.aOrderBy[o];
    if (descending != 0 || by < 0 || !has_order(*table.columns[static_cast<std::size_t>(by)])) return {};
    columns += std::to_string(by) + kByColumn;
  }
  return columns;
}

/// Filters of a scan that is not a lookup: constraints that are not used otherwise.
std::string filters_wanted(const Table& table, sqlite3_index_info& info, int& arguments) {
  std::string filters;
  for (int c = 0; c < info.nConstraint; ++c) {
    const auto& constraint = info.aConstraint[c];
    if (!constraint.usable || constraint.iColumn < 0 || info.aConstraintUsage[c].argvIndex != 0) continue;
    const auto does = RowFilter::can_do(*table.columns[static_cast<std::size_t>(constraint.iColumn)], &info, c);
    if (does == RowFilter::Does::kNothing) continue;
    info.aConstraintUsage[c] = {++arguments, static_cast<unsigned char>(does == RowFilter::Does::kAll ? 1 : 0)};
    filters += std::to_string(constraint.iColumn) + (request_in_values(&info, c) ? kOneOf : kEqual);
  }
  return filters;
}

}  // namespace

ScanPlan read_listed(const char* text, const Table& table, sqlite3_value** arguments) {
  ScanPlan listed;
  for (char* end = nullptr; text != nullptr && *text != '\0'; text = end + 1) {
    const SqlColumn& column = *table.columns[std::strtoul(text, &end, 10)];
    if (*end == kByColumn) {
      listed.order.push_back(&column);
      continue;
    }
    RowFilter& filter = listed.filters.emplace_back(column);
    const auto allow = [&](sqlite3_value* value) { filter.allow(value); };
    *end == kOneOf ? each_of_list(*arguments, allow) : allow(*arguments);
    ++arguments;
  }
  return listed;
}

int find_plan(const Table& table, sqlite3_index_info* info) {
  constexpr int kUses[] = {kById, kFromId, kToId, kFromStart, kToStart, kByValue, kByReport};
  int constraint_of[std::size(kUses)];
  std::fill(std::begin(constraint_of), std::end(constraint_of), -1);
  for (int c = 0; c < info->nConstraint; ++c) {
    const auto& constraint = info->aConstraint[c];
    if (!constraint.usable || constraint.iColumn < 0) continue;
    const int use = use_of(*table.columns[static_cast<std::size_t>(constraint.iColumn)], constraint.op);
    const auto* at = std::find(std::begin(kUses), std::end(kUses), use);
    if (at != std::end(kUses) && constraint_of[at - kUses] < 0) constraint_of[at - kUses] = c;
  }
  int plan = 0, arguments = 0;
  double cost = table.sources->reports.empty() ? 1e6 : std::max(1.0, table.rows);
  for (std::size_t u = 0; u < std::size(kUses); ++u) {
    const int c = constraint_of[u];
    if (c < 0) continue;
    plan |= kUses[u];
    if (kUses[u] == kByValue) plan |= info->aConstraint[c].iColumn << kColumnShift;
    info->aConstraintUsage[c].argvIndex = ++arguments;
    constexpr double kOneSided = 4;
    if (kUses[u] == kByReport) cost /= std::max(1.0, static_cast<double>(table.sources->reports.size()));
    if (kUses[u] != kByReport && kUses[u] != kById && kUses[u] != kByValue) cost /= kOneSided;
  }
  constexpr double kLookup = 5, kFound = 3;
  info->estimatedRows = static_cast<sqlite3_int64>(std::max(1.0, cost));
  if ((plan & kByValue) != 0) {
    cost = kLookup;
    info->estimatedRows = static_cast<sqlite3_int64>(kFound);
  }
  if ((plan & kById) != 0) {
    cost = 1;
    info->estimatedRows = 1;
    info->idxFlags = SQLITE_INDEX_SCAN_UNIQUE;
  }
  std::string listed = (plan & (kByValue | kById)) == 0 ? filters_wanted(table, *info, arguments) : std::string();
  constexpr double kFiltered = 0.9;
  info->estimatedCost = listed.empty() ? cost : cost * kFiltered;
  if (info->nOrderBy == 1 && !info->aOrderBy[0].desc && info->aOrderBy[0].iColumn >= 0) {
    const int by = info->aOrderBy[0].iColumn;
    const SqlColumn& column = *table.columns[static_cast<std::size_t>(by)];
    const bool one = table.sources->reports.size() == 1;
    info->orderByConsumed = column.role == Role::kRowNumber || (column.role == Role::kStart && one) ? 1 : 0;
  }
  if (plan == 0 && info->nOrderBy > 0 && info->orderByConsumed == 0) {
    const std::string order = order_wanted(table, *info);
    info->orderByConsumed = order.empty() ? 0 : 1;
    if (!order.empty()) listed += order;
  }
  if (!listed.empty()) {
    info->idxStr = sqlite3_mprintf("%s", listed.c_str());
    info->needToFreeIdxStr = 1;
    if (info->idxStr == nullptr) return SQLITE_NOMEM;
  }
  info->idxNum = plan;
  return SQLITE_OK;
}

}  // namespace assay::query::table_module
