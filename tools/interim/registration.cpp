#include "cli/tool.hpp"
#include "interim/power_option.hpp"

namespace assay {

const Tool& interim_tool() {
  static const Tool tool{.name = "interim", .add_plan_options = &add_power};
  return tool;
}

}  // namespace assay
