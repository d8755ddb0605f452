#include "cli/tool.hpp"

namespace assay {

void add_describe(CommandLine& line);
void add_schema(CommandLine& line);
void add_completion(CommandLine& line);

const Tool& describe_tool() {
  static const Tool tool{
      .name = "describe",
      .commands = {{"describe", "Extend", 340, &add_describe},
                   {"schema", "Share", 420, &add_schema},
                   {"completion", "Share", 440, &add_completion}},
  };
  return tool;
}

}  // namespace assay
