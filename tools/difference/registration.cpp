#include "cli/tool.hpp"

namespace assay {

void add_compare(CommandLine& line);

const Tool& difference_tool() {
  static const Tool tool{
      .name = "difference",
      .commands = {{"compare", "Answer questions", 150, &add_compare}},
  };
  return tool;
}

}  // namespace assay
