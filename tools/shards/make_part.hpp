// One shard of `assay run`: its reports are analyzed into a part, for `assay merge`.
#pragma once

#include <vector>

#include "pipeline/pipeline.hpp"
#include "shards/cut.hpp"
#include "shards/part.hpp"

namespace assay {

/// What the results of a run rest on beside its reports. `configs`: the files that were named. Error: the system does
/// not tell which code runs, or a configuration has gone.
Result<PartIdentity> identity_of(const Plan& plan, const Plugins& plugins,
                                 const std::vector<std::filesystem::path>& configs);

/// Analyzes the reports of the shard. `reports`: places as they were named, `folders`: where they were found.
Result<ShardPart> make_part(Pipeline& line, ShardNumber shard, const std::vector<std::filesystem::path>& configs,
                            const std::vector<std::filesystem::path>& reports,
                            const std::vector<std::filesystem::path>& folders);

}  // namespace assay
