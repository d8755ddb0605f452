#include "cli/tool.hpp"

namespace assay {

void add_budget(CommandLine& line);
void add_compare(CommandLine& line);

const Tool& difference_tool() {
  static const Tool tool{
      .name = "difference",
      .commands = {{"budget", "Look at profiles", 15, &add_budget}, {"compare", "Look at profiles", 16, &add_compare}},
  };
  return tool;
}

}  // namespace assay
