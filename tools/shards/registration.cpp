#include "cli/tool.hpp"
#include "shards/shard_option.hpp"

namespace assay {

void add_merge(CommandLine& line);

const Tool& shards_tool() {
  static const Tool tool{
      .name = "shards",
      .commands = {{"merge", "Record", 240, &add_merge}},
      .add_run_options = &add_shard,
  };
  return tool;
}

}  // namespace assay
