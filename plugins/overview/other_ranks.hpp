// What the other ranks of a job mean for one: what it waits for them, and what they wait for it. Sees facts only.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "facts.hpp"

namespace assay::overview {

/// One rank of a job whose other ranks have profiles too; shares of its step, 0..1.
struct OtherRanks {
  double wait = 0;  ///< in kernels that communicate, before the other side arrives, without compute beside
  std::optional<double> transfer;  ///< communication without compute beside and without that waiting
  bool awaited = false;            ///< it is the one that the others wait for
  std::string reason;              ///< why they wait, a clause: "stage 2 computes 63 % more"; empty: for no one rank
  std::string remedy;              ///< what to do about it
  std::optional<double> saving;    ///< share of a step that is saved without that, by replay
  /// Of a stage of a pipeline; empty: not known.
  struct Stage {
    std::optional<double> bubble = {}, imbalance = {};
    std::optional<double> ideal = {};  ///< bubble of equal stages without transfers
    std::optional<double> microbatches = {};
  };
  std::optional<Stage> stage;
};

/// By report: empty where no analyzer compared it with other ranks.
std::vector<std::optional<OtherRanks>> other_ranks_of(const StudyView& view, const std::vector<std::size_t>& reports);

}  // namespace assay::overview
