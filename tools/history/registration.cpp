#include "cli/tool.hpp"

namespace assay {

void add_history(CommandLine& line);

const Tool& history_tool() {
  static const Tool tool{
      .name = "history",
      .commands = {{"history", "Ask questions", 170, &add_history}},
  };
  return tool;
}

}  // namespace assay
