#include "cli/tool.hpp"

namespace assay {

void add_describe(CommandLine& line);
void add_schema(CommandLine& line);
void add_completion(CommandLine& line);

const Tool& describe_tool() {
  static const Tool tool{
      .name = "describe",
      .commands = {{"describe", "Extend assay", 340, &add_describe},
                   {"schema", "Set up", 420, &add_schema},
                   {"completion", "Set up", 440, &add_completion}},
  };
  return tool;
}

}  // namespace assay
