#include "cli/tool.hpp"

namespace assay {

void add_mcp(CommandLine& line);

const Tool& mcp_tool() {
  static const Tool tool{
      .name = "mcp",
      .commands = {{"mcp", "Share", 430, &add_mcp}},
  };
  return tool;
}

}  // namespace assay
