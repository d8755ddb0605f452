// How a rank of a job and the other ranks wait for each other. Uses facts only.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "facts.hpp"

namespace assay::overview {

/// One rank of a job whose other ranks have profiles as well; shares of its step, 0..1.
struct OtherRanks {
  double wait = 0;  ///< in communication kernels before the other side arrives, without overlapping compute
  double lost = 0;  ///< that waiting; of a stage also idle time of its bubble, as far as another stage waits as long
  std::optional<double> transfer;  ///< communication without overlapping compute and without that waiting
  bool awaited = false;            ///< the others wait for this rank
  std::string reason;              ///< why they wait, a clause: "stage 2 computes 63 % more"; empty: for no single rank
  std::string remedy;              ///< recommended action
  std::optional<double> saving;    ///< share of a step saved without that, by replay
  /// For a stage of a pipeline; empty: unknown.
  struct Stage {
    std::optional<double> bubble = {}, imbalance = {};
    std::optional<double> ideal = {};  ///< bubble with equal stages and without transfers
    std::optional<double> microbatches = {};
  };
  std::optional<Stage> stage;
};

/// By report: empty if no analyzer compared it with other ranks.
std::vector<std::optional<OtherRanks>> other_ranks_of(const StudyView& view, const std::vector<std::size_t>& reports);

}  // namespace assay::overview
