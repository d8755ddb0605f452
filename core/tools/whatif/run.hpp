// A profile that can be replayed, and how well its replay reproduces it.
#pragma once

#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "assay/algo/kernel_classes.hpp"
#include "assay/detail/replay.hpp"
#include "catalog/catalog.hpp"
#include "load/load.hpp"
#include "result.hpp"

namespace assay::whatif {

struct Run {
  std::string name;
  std::unique_ptr<Profile> profile;
  std::unique_ptr<Profile::View> view;
  replay::Graph graph;
  replay::Replayed base;               ///< without a change
  std::vector<std::int64_t> seen;      ///< ns of each iteration in the profile
  std::vector<std::int64_t> replayed;  ///< ns of each in the replay
  replay::Drift drift;
  std::string rank, world;  ///< of a distributed job; empty: the profile does not say
  bool whole = false;       ///< no iterations were named: the capture is one
  [[nodiscard]] const Report& report() const { return view->report(); }
};

/// Reads and replays. `steps`: names of the ranges of iterations, {i} standing for a number; the first that the profile
/// has. `also`: columns beside those of a replay. Error: it is no profile, cannot be read, or holds nothing to replay.
Result<Run> read_run(const FoundFile& file, const std::vector<std::string>& steps, const std::set<ColumnId>& also = {});

/// Whether these are different ranks of a job of several.
bool ranks_of_one_job(std::span<const Run> runs);

/// "3 of 40 pieces ...": what of the profile the replay cannot know; empty: nothing.
std::vector<std::string> remarks(const Run& run);

}  // namespace assay::whatif
