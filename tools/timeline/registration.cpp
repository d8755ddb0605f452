#include "cli/tool.hpp"

namespace assay {

void add_timeline(CommandLine& line);

const Tool& timeline_tool() {
  static const Tool tool{
      .name = "timeline",
      .commands = {{"timeline", "Share", 400, &add_timeline}},
  };
  return tool;
}

}  // namespace assay
