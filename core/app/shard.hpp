// One shard of `assay run`: its reports are analyzed into a part, for `assay merge`.
#pragma once

#include <atomic>
#include <vector>

#include "app/run.hpp"
#include "catalog/catalog.hpp"
#include "conclude/conclude.hpp"
#include "shards/part.hpp"

namespace assay {

/// A run as it stands before its reports are read.
struct ReadyRun {
  const Plan& plan;
  const Plugins& plugins;
  const Catalog& catalog;
  const std::vector<Analyzers>& analyzers;
  const std::vector<std::filesystem::path>& folders;  ///< of reports
};

/// What the results of a run rest on beside its reports. `configs`: the files that were named. Error: the system does
/// not tell which code runs, or a configuration has gone.
Result<PartIdentity> identity_of(const Plan& plan, const Plugins& plugins,
                                 const std::vector<std::filesystem::path>& configs);

/// Writes OUT/shard-K-of-N.part and nothing else there; returns the exit code.
Exit run_shard(const ReadyRun& run, const RunOptions& options, const std::atomic<bool>& stop);

}  // namespace assay
