// Predicts the gains of changes.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "whatif/asked.hpp"
#include "whatif/run.hpp"

namespace assay::whatif {

/// Shares of the critical path over all iterations of the runs.
PathParts path_shares(std::span<const RunSummary> runs);

struct Prediction {
  std::string change;
  double before = 0, after = 0;  ///< ns per step: mean over steps and runs
  double gain = 0;               ///< ns; negative: slower
  double low = 0, high = 0;      ///< 95 % interval for another run: of the gains, of how steps differ, and of the drift
  bool sure = true;              ///< the gains of its steps or runs are above 0
  bool ranged = true;            ///< there is an interval: more than one iteration or run
  bool at_most = false;          ///< the changes are bounds: something takes no time, or nothing waits for it
  bool of_launches = false;      ///< the changes save host time that the profiler lengthens
  double drift = 0;              ///< ns: error of the replay without a change
  bool told = true;              ///< the gain exceeds the drift
  PathParts path_before{}, path_after{};
  std::string reason;                      ///< sentence that explains the size of the gain
  std::optional<lever::Lever> lever = {};  ///< the only change
};

/// Changes that are applied together.
using Changes = std::vector<ChangeRequest>;

/// Whether a change concerns several ranks of a job.
bool needs_ranks(const Changes& changes);

/// Effects of changes on repeat runs of one program. Runs are added one by one and not needed afterwards, so that at
/// most one profile is in memory.
class Effects {
 public:
  /// Predicts each set of changes separately.
  Effects(std::vector<Changes> sets, NameRules classes);
  /// The graph is as it was again afterwards; the times of its replay are used up.
  void add(Run& run);
  /// One per set. Precondition: a run was added. Error: a change matches nothing in a run.
  [[nodiscard]] std::vector<Result<Prediction>> predictions() const;

 private:
  struct Effect;
  std::vector<std::shared_ptr<Effect>> effects_;
  NameRules classes_;
};

/// Like predictions(), for the ranks of one job replayed together: they wait for each other in collectives.
Result<Prediction> predict_job(std::span<const Run> ranks, const Changes& changes, const NameRules& classes);

/// The levers of a run, each alone; for launches of a range also one CUDA graph for each range.
std::vector<Changes> lever_changes(const Run& run, const NameRules& classes);
/// Kernels and operators that take no time, those with most of the critical path: bounds.
std::vector<Changes> bounds_of(const Run& run);

/// Keeps sure gains above the drift and 1 % of a step; largest first, at most `most`, but before
/// all others the lever that limits a step.
void keep_largest(std::vector<Prediction>& predictions, std::size_t most);

/// "kernels 84 %, copies 11 %": parts with most of a path, down to 5 %.
std::string largest_parts(const PathParts& path);

}  // namespace assay::whatif
