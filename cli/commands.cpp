#include "cli/commands.hpp"

#include <algorithm>

#include "cli/tool.hpp"

namespace assay {

std::vector<Command> all_commands() {
  std::vector<Command> all = {{"run", "Ask questions", 130, &add_run}};
  for (const Tool* tool : linked_tools()) all.insert(all.end(), tool->commands.begin(), tool->commands.end());
  std::ranges::sort(all, {}, &Command::place);
  return all;
}

}  // namespace assay
