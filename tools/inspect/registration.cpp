#include "cli/tool.hpp"

namespace assay {

void add_list(CommandLine& line);
void add_plan(CommandLine& line);
void add_show(CommandLine& line);
void add_plugins(CommandLine& line);
void add_doctor(CommandLine& line);

const Tool& inspect_tool() {
  static const Tool tool{
      .name = "inspect",
      .commands = {{"list", "Look at profiles", 20, &add_list},
                   {"plan", "Ask questions", 120, &add_plan},
                   {"show", "Ask questions", 140, &add_show},
                   {"plugins", "Extend", 350, &add_plugins},
                   {"doctor", "Record", 260, &add_doctor}},
  };
  return tool;
}

}  // namespace assay
