#include "cli/tool.hpp"
#include "sql/tables_schema.hpp"

namespace assay {

void add_query(CommandLine& line);

const Tool& sql_tool() {
  static const Tool tool{
      .name = "sql",
      .commands = {{"query", "Look at profiles", 30, &add_query}},
      .schema = {"tables", "a row of each table of SQL over profiles", &tables_schema},
  };
  return tool;
}

}  // namespace assay
