#include "sql/tables_schema.hpp"

#include <nlohmann/json.hpp>

#include "query/column_text.hpp"
#include "query/session.hpp"

namespace assay {

using Json = nlohmann::ordered_json;

Result<std::string> tables_schema() {
  const Result<query::Session> session = query::Session::over_reports({.all_columns = true});
  if (!session) return session.error();
  Json tables = Json::object();
  for (const std::string& table : session->tables()) {
    Json columns = Json::object();
    for (const query::TypedColumn& column : session->typed_columns(table)) {
      const query::ColumnText text = query::column_text(table, column.name);
      Json& schema = columns[column.name] = {{"description", text.meaning}};
      if (!column.type.empty())
        schema["type"] = {column.type == "INTEGER" ? "integer" : column.type == "REAL" ? "number" : "string", "null"};
      if (!text.unit.empty()) schema["unit"] = text.unit;
      schema["filled_by"] = text.filled_by;
    }
    tables[table] = {{"type", "object"}, {"properties", std::move(columns)}, {"additionalProperties", false}};
  }
  return Json{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
              {"title", "Rows of the tables of SQL over profiles"},
              {"$defs", std::move(tables)}}
      .dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace assay
