// One side of a comparison: profiles of one program, each a repeat run.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "algo/step_items.hpp"

namespace assay::difference {
using step_items::Item, step_items::ItemKey, step_items::ItemSums, step_items::ItemKind, step_items::LaunchCounts,
    step_items::Phase, step_items::RunMeasure, step_items::KernelTraits, step_items::WaitingCall;

/// A run, and what is known about it besides its steps.
struct SideRun : RunMeasure {
  std::size_t report = 0;        ///< row of the study
  std::int32_t place = kNone;    ///< in recording_order; kNone: its recording time is not known
  std::string recording, block;  ///< recording by `assay record`, and block in it; empty: not from one
  std::size_t fixed_blocks = 0;  ///< number of blocks of the recording if fixed beforehand, else 0
  std::vector<std::pair<std::string, std::string>> setup;  ///< device, driver, versions: sorted by name
};

/// Runs of a side, and their items as one table.
struct Side {
  std::string name;
  std::vector<SideRun> runs;

  std::vector<Item> items;                        ///< of all runs, sorted by key; sums over the runs
  std::vector<std::vector<std::int64_t>> wall;    ///< ns by item, then run
  std::vector<std::vector<std::int64_t>> counts;  ///< likewise
  std::vector<std::uint32_t> launches;            ///< of the first run: indices into `items`
  std::int64_t time = 0;                          ///< ns, of all steps of all runs
  std::int64_t steps = 0;

  /// Device time of kernels and graphs, ns.
  [[nodiscard]] std::int64_t device_time() const;
};

/// Joins the items of the runs. Precondition: `runs` is filled.
void join_items(Side& side);

/// Of all runs.
LaunchCounts launches_of(const Side& side);

/// Whether any launch has an operator around it.
bool knows_operators(const Side& side);

/// Merges items that differ only in their operators, for a comparison with a side without operators.
void forget_operators(Side& side);

}  // namespace assay::difference
