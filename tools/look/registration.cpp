#include "cli/tool.hpp"

namespace assay {

void add_look(CommandLine& line);

const Tool& look_tool() {
  static const Tool tool{
      .name = "look",
      .commands = {{"look", "Look at profiles", 10, &add_look}},
  };
  return tool;
}

}  // namespace assay
