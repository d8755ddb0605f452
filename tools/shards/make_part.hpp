// One shard of `assay run`: analyzes its reports into a part, for `assay merge`.
#pragma once

#include <vector>

#include "pipeline/pipeline.hpp"
#include "shards/cut.hpp"
#include "shards/part.hpp"

namespace assay {

/// Everything the results of a run depend on besides its reports. `configs`: files as named. Error: the system does not
/// reveal which code runs, or a configuration is gone.
Result<PartIdentity> identity_of(const Plan& plan, const Plugins& plugins,
                                 const std::vector<std::filesystem::path>& configs);

/// Analyzes the reports of the shard. `reports`: places as named, `folders`: where they were found.
Result<ShardPart> make_part(Pipeline& line, ShardNumber shard, const std::vector<std::filesystem::path>& configs,
                            const std::vector<std::filesystem::path>& reports,
                            const std::vector<std::filesystem::path>& folders);

}  // namespace assay
