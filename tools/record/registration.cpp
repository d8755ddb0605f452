#include "cli/tool.hpp"
#include "record/machine_rows.hpp"

namespace assay {

const Tool& record_tool() {
  static const Tool tool{
      .name = "record",
      .describe_machine = &describe_machine,
  };
  return tool;
}

}  // namespace assay
