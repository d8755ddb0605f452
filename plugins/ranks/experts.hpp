// Layers of experts: a pair of all-to-alls, to the experts and back, with the compute of the experts between them.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "waits.hpp"

namespace assay::ranks {

/// One layer in one step, on the ranks of its group; ns.
struct ExpertLayer {
  std::size_t layer = 0, step = 0;    ///< of the step's layers; of Matches::steps
  std::vector<std::size_t> ranks;     ///< of JobRows::ranks
  std::vector<double> tokens;         ///< bytes that each rank's experts get
  std::vector<double> compute, wait;  ///< of each rank: between the two; waiting in both
  double transfer = 0;                ///< of both, without waiting
  double sent = 0;                    ///< bytes that the ranks send to experts
  std::int64_t size = 0;              ///< ranks of the group, with those without a profile; 0: not known

  /// Largest over mean of a list; 1 if all are 0.
  static double imbalance(const std::vector<double>& values);
  /// Ranks of the group without a profile.
  [[nodiscard]] double missing() const {
    return std::max(0.0, static_cast<double>(size) - static_cast<double>(ranks.size()));
  }
};

/// Pairs of all-to-alls that follow each other in a group, if every rank sends back as much as it got. Sequence
/// parallelism has such pairs too: its layers are even.
std::vector<ExpertLayer> expert_layers(const JobRows& job, const Matches& matches, const Waits& waits);

/// The rank whose experts get the most tokens over all layers: at least `least` times the mean, and that much more than
/// the second. Empty: none, or another one in each layer.
std::optional<std::size_t> hot_rank(const std::vector<ExpertLayer>& layers, std::size_t ranks, double least);

/// What a step saves if every rank's experts get the mean of the tokens: compute of ranks with more and transfers are
/// taken as proportional to the tokens, compute of ranks with fewer as it is or the mean. Mean over the steps, ns.
double saved_by_even_router(const std::vector<ExpertLayer>& layers, std::size_t steps);

/// Facts of the layers; none without layers. `length`: ns of a step of the slowest rank, mean.
void emit_experts(const JobRows& job, const Matches& matches, const Waits& waits, double length, JobSink& sink);

}  // namespace assay::ranks
