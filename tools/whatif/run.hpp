// A profile that can be replayed, and how well its replay reproduces it.
#pragma once

#include <array>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "assay/algo/kernel_classes.hpp"
#include "assay/detail/replay.hpp"
#include "recognise/profiles.hpp"

namespace assay::whatif {

/// Of a critical path, by replay::Part: ns, or shares that sum to 1.
using PathParts = std::array<double, replay::kParts>;

/// What is kept of a run once its profile is closed.
struct RunSummary {
  std::string name;
  std::vector<std::int64_t> seen;      ///< ns of each iteration in the profile
  std::vector<std::int64_t> replayed;  ///< ns of each in the replay
  std::vector<std::int64_t> steady;    ///< the same in steady state, in which the host does not run ahead
  replay::Drift drift;
  PathParts path{};                  ///< ns of all iterations, without a change
  double between = 0;                ///< ns of the host from the end of an iteration to the next, median
  bool whole = false;                ///< no iterations were named: the capture is one
  std::string step;                  ///< folded name of the ranges of iterations; empty: the whole capture
  std::vector<std::string> remarks;  ///< "3 of 40 pieces ...": what of the profile the replay cannot know
};

/// A run whose profile is open.
struct Run : RunSummary {
  std::unique_ptr<Profile> profile;
  std::unique_ptr<Profile::View> view;
  replay::Graph graph;
  replay::ReplayTimes base;  ///< without a change
  [[nodiscard]] const Report& report() const { return view->report(); }
};

/// Reads and replays. `declared`: names of the ranges of iterations, as view_in_steps has them. `also`: columns beside
/// those of a replay. Error: it is no profile, cannot be read, or holds nothing to replay.
Result<Run> read_run(const ProfileFiles& files, const std::vector<std::string>& declared,
                     const std::set<ColumnId>& also = {});

/// Whether these profiles are of different ranks of a job of several.
bool ranks_of_one_job(std::span<const ProfileFiles> all);

}  // namespace assay::whatif
