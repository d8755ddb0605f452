#include "cli/tool.hpp"

namespace assay {

void add_query(CommandLine& line);

const Tool& sql_tool() {
  static const Tool tool{
      .name = "sql",
      .commands = {{"query", "Explore profiles", 30, &add_query}},
  };
  return tool;
}

}  // namespace assay
