#include "cli/tool.hpp"
#include "convert/conversion_option.hpp"

namespace assay {

void add_convert(CommandLine& line);

const Tool& convert_tool() {
  static const Tool tool{
      .name = "convert",
      .commands = {{"convert", "Record", 250, &add_convert}},
      .add_run_options = &add_convert_option,
  };
  return tool;
}

}  // namespace assay
