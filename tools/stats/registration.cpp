#include "cli/tool.hpp"

namespace assay {

void add_stats(CommandLine& line);

const Tool& stats_tool() {
  static const Tool tool{
      .name = "stats",
      .commands = {{"stats", "Look at profiles", 40, &add_stats}},
  };
  return tool;
}

}  // namespace assay
