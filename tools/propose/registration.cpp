#include "cli/tool.hpp"

namespace assay {

void add_init(CommandLine& line);

const Tool& propose_tool() {
  static const Tool tool{
      .name = "propose",
      .commands = {{"init", "Ask questions", 110, &add_init}},
  };
  return tool;
}

}  // namespace assay
