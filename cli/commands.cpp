#include "cli/commands.hpp"

#include <algorithm>

#include "cli/tool.hpp"

namespace assay {

std::vector<Command> all_commands() {
#define ASSAY_LIST(name, group, place) {#name, group, place, &add_##name},
  std::vector<Command> all = {ASSAY_COMMANDS(ASSAY_LIST)};
#undef ASSAY_LIST
  for (const Tool* tool : linked_tools()) all.insert(all.end(), tool->commands.begin(), tool->commands.end());
  std::ranges::sort(all, {}, &Command::place);
  return all;
}

}  // namespace assay
