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
      .commands = {{"list", "Explore profiles", 20, &add_list},
                   {"plan", "Answer questions", 120, &add_plan},
                   {"show", "Answer questions", 140, &add_show},
                   {"plugins", "Extend assay", 350, &add_plugins},
                   {"doctor", "Set up", 410, &add_doctor}},
  };
  return tool;
}

}  // namespace assay
