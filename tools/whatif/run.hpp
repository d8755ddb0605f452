// A profile prepared for replay, and how well the replay reproduces it.
#pragma once

#include <array>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "algo/replay/replay.hpp"
#include "assay/algo/kernel_classes.hpp"
#include "recognise/profiles.hpp"

namespace assay::whatif {

/// Parts of a critical path, by replay::Part: ns, or shares that add up to 1.
using PathParts = std::array<double, replay::kParts>;

/// Data of a run that remains after its profile is closed.
struct RunSummary {
  std::string name;
  std::vector<std::int64_t> seen;      ///< ns per iteration in the profile
  std::vector<std::int64_t> replayed;  ///< ns per iteration in the replay
  std::vector<std::int64_t> steady;    ///< in steady state, where the host does not run ahead
  replay::Drift drift;
  PathParts path{};                  ///< ns over all iterations, without a change
  double between = 0;                ///< median ns of the host between two iterations
  bool whole = false;                ///< no iterations: the capture counts as one
  std::string step;                  ///< folded name of the iteration ranges; empty: the whole capture
  std::vector<std::string> remarks;  ///< "3 of 40 pieces ...": what the replay cannot know from the profile
};

/// A run whose profile is open.
struct Run : RunSummary {
  std::unique_ptr<Profile> profile;
  std::unique_ptr<Profile::View> view;
  replay::Graph graph;
  replay::ReplayTimes base;  ///< without a change
  [[nodiscard]] const Report& report() const { return view->report(); }
};

/// Reads and replays. `declared`: names of ranges that are steps, as in view_in_steps. `also`: columns besides those of
/// a replay. Error: not a profile, unreadable, or nothing to replay.
Result<Run> read_run(const ProfileFiles& files, const std::vector<std::string>& declared,
                     const std::set<ColumnId>& also = {});

/// Whether the profiles belong to different ranks of one job.
bool ranks_of_one_job(std::span<const ProfileFiles> all);

}  // namespace assay::whatif
