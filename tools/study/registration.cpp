#include "cli/tool.hpp"

namespace assay {

void add_record(CommandLine& line);
void add_study(CommandLine& line);

const Tool& study_tool() {
  static const Tool tool{
      .name = "study",
      .commands = {{"record", "Record", 210, &add_record}, {"study", "Record", 220, &add_study}},
  };
  return tool;
}

}  // namespace assay
