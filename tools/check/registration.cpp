#include "cli/tool.hpp"

namespace assay {

void add_new(CommandLine& line);
void add_check(CommandLine& line);
void add_bench(CommandLine& line);

const Tool& check_tool() {
  static const Tool tool{
      .name = "check",
      .commands = {{"new", "Extend", 310, &add_new},
                   {"check", "Extend", 320, &add_check},
                   {"bench", "Extend", 330, &add_bench}},
  };
  return tool;
}

}  // namespace assay
