// From changes to predicted gains.
#pragma once

#include <memory>
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
  double before = 0, after = 0;  ///< ns of an iteration: median over iterations, mean over runs
  double gain = 0;               ///< ns; negative: it takes longer
  double low = 0, high = 0;      ///< 95 % interval, widened by the drift
  bool ranged = true;            ///< there is an interval: more than one iteration or run
  bool at_most = false;          ///< the changes are bounds: something takes no time, or nobody waits for it
  bool of_launches = false;      ///< they save time of the host that the profiler makes longer
  double drift = 0;              ///< ns by which the replay is off without a change
  bool told = true;              ///< the gain is larger than the drift
  PathParts path_before{}, path_after{};
  std::string reason;  ///< why it gains as much as it does, as a sentence
};

/// Changes that are made together.
using Changes = std::vector<ChangeRequest>;

/// Whether one of the changes is about the ranks of a job together.
bool needs_ranks(const Changes& changes);

/// What changes do to repeat runs of one program. Runs are added one after the other, and none is needed after that: no
/// more than one profile is in memory.
class Effects {
 public:
  /// Predicts each of these sets of changes by itself.
  Effects(std::vector<Changes> sets, NameRules classes);
  void add(const Run& run);
  /// Of each set; at least one run was added. Error: one of its changes means nothing that a run has.
  [[nodiscard]] std::vector<Result<Prediction>> predictions() const;

 private:
  struct Effect;
  std::vector<std::shared_ptr<Effect>> effects_;
  NameRules classes_;
};

/// The same for the ranks of one job, which are replayed together: they wait for each other in their collectives.
Result<Prediction> predict_job(std::span<const Run> ranks, const Changes& changes, const NameRules& classes);

/// What could gain most, each alone: kernels, operators and ranges that take no time, copies beside the rest, no
/// waiting, launches for nothing.
std::vector<Changes> single_changes(const Run& run);

/// Those that gain more than the drift and 1 % of a step, in an interval above 0; largest first, at most `most`.
std::vector<Prediction> largest_gains(std::vector<Result<Prediction>> predictions, std::size_t most);

/// "kernels 84 %, copies 11 %": the parts that hold most of a path, down to 5 %.
std::string largest_parts(const PathParts& path);

}  // namespace assay::whatif
