#include "cli/tool.hpp"

namespace assay {

void add_whatif(CommandLine& line);

const Tool& whatif_tool() {
  static const Tool tool{
      .name = "whatif",
      .commands = {{"whatif", "Look at profiles", 17, &add_whatif}},
  };
  return tool;
}

}  // namespace assay
