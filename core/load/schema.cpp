#include "load/schema.hpp"

#include <algorithm>

namespace assay::load {

std::string sql_name(std::string_view name) {
  std::string out = "\"";
  for (const char c : name) out.append(c == '"' ? 2 : 1, c);
  return out + '"';
}

bool TableInfo::has(std::string_view column) const { return std::ranges::find(columns, column) != columns.end(); }

Schema Schema::read(const Connection& db, std::vector<Issue>& issues) {
  Schema schema;
  Statement tables(
      db.handle(),
      "SELECT name FROM sqlite_schema WHERE type='table' AND sql NOT LIKE 'CREATE VIRTUAL%' AND rootpage > 0");
  while (tables.step()) {
    TableInfo info{std::string(tables.text(0)), {}};
    Statement columns(db.handle(), "PRAGMA table_info(" + sql_name(info.name) + ")");
    while (columns.step()) info.columns.emplace_back(columns.text(1));
    schema.tables_.emplace(info.name, std::move(info));
  }
  if (tables.failed()) {
    issues.push_back({"truncated", Severity::kError, static_cast<std::int64_t>(schema.tables_.size()),
                      concat("The list of tables is damaged after ", schema.tables_.size(), " of them (", db.problem(),
                             "): the others are unknown; copy or export the file again.")});
  }
  return schema;
}

const TableInfo* Schema::find(std::string_view table) const {
  const auto found = tables_.find(table);
  return found == tables_.end() || found->second.columns.empty() ? nullptr : &found->second;
}

std::vector<std::string> Schema::names() const {
  std::vector<std::string> names;
  for (const auto& [name, info] : tables_) names.push_back(name);
  return names;
}

bool Schema::is_nsys() const {
  return std::ranges::any_of(tables_, [](const auto& entry) {
    const std::string& name = entry.first;
    return name == "StringIds" || name == "NVTX_EVENTS" || name == "META_DATA_EXPORT" || name == "EXPORT_META_DATA" ||
           name.starts_with("CUPTI_ACTIVITY_KIND_") || name.starts_with("TARGET_INFO_");
  });
}

}  // namespace assay::load
