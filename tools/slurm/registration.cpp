#include "cli/tool.hpp"

namespace assay {

void add_submit(CommandLine& line);

const Tool& slurm_tool() {
  static const Tool tool{
      .name = "slurm",
      .commands = {{"submit", "Record", 230, &add_submit}},
  };
  return tool;
}

}  // namespace assay
