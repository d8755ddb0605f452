// What the analyzer `ranks` says of the clocks and collectives of a job, as a trace of all ranks needs it.
#pragma once

#include <string>
#include <vector>

#include "analyze/facts.hpp"
#include "result.hpp"
#include "timeline/chrome_trace.hpp"

namespace assay {

struct JobClocks {
  std::vector<RankInTrace> ranks;  ///< process and name are not set
  std::int64_t collectives = 0;    ///< numbered from 1
  std::size_t aligned = 0;         ///< ranks on the clock of the first, that one included
};

/// From the tables `clocks` and `matched` (null: there is none, and no clock is aligned). `reports`: names of the
/// ranks' reports, in the order of the result. Error (exit 3): the tables are not as `ranks` emits them.
Result<JobClocks> job_clocks(const OwnedTable* clocks, const OwnedTable* matched,
                             const std::vector<std::string>& reports);

}  // namespace assay
