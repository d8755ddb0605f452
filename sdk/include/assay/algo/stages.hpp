// Ranks as stages of a pipeline: matches sends and receives, bounds clock differences, separates waiting in
// communication kernels, and predicts step times for other distributions of compute. Pure functions over one step of
// all ranks; times are integer ns.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "assay/algo/intervals.hpp"

namespace assay::stages {

/// One side of a message, as its rank posted it.
struct MessageSide {
  bool sends = false;
  std::uint32_t peer = 0;   ///< index of the peer rank
  std::int64_t bytes = -1;  ///< -1: not recorded
  std::int64_t group = 0;   ///< communicator; equal on both sides
  std::uint32_t event = 0;  ///< index into RankStep::events: the kernel that carries it
};

/// A communication kernel.
struct CommEvent {
  Interval time;                 ///< ns on the clock of the rank
  std::int64_t work_before = 0;  ///< ns of compute since the end of the previous event, or the start of the step
  std::int64_t covered = 0;      ///< ns of concurrent compute
};

/// One rank in one step.
struct RankStep {
  Interval window;  ///< first start to last end of its device work
  std::int64_t compute = 0, copy_only = 0,
               work_after = 0;     ///< ns: union of compute; copies without compute; compute after the last event
  std::vector<CommEvent> events;   ///< by start
  std::vector<MessageSide> sides;  ///< by event, within one in posting order
  Intervals uncovered;             ///< parts of the events without compute, in normal form
};

/// A send and its receive.
struct Message {
  std::uint32_t from = 0, from_event = 0;  ///< sending rank; index of its event
  std::uint32_t to = 0, to_event = 0;
  std::int64_t bytes = -1;  ///< -1: not recorded
};

/// One step of all ranks. Times of ranks are on one clock after `shift`.
struct JobStep {
  std::int64_t number = 0;
  std::vector<RankStep> ranks;    ///< by rank
  std::vector<Message> messages;  ///< filled by match_messages
  std::int64_t unmatched = 0;     ///< sides without a counterpart, or with other sizes

  /// Longest window of a rank in ns, 0 without ranks. Ranks end a step one after another and begin the next at once, so
  /// that later stages wait: each window is about a period, and their union is longer.
  [[nodiscard]] std::int64_t length() const;
};

/// Pairs the k-th send from a to b with the k-th receive of b from a, per communicator. A pair of ranks with unequal
/// counts or sizes (if recorded) has no messages in that step, because they cannot be matched. Appends to messages and
/// adds to unmatched.
void match_messages(JobStep& step);

/// Offsets that convert times of each rank to the first rank's clock.
struct Alignment {
  std::vector<std::int64_t> shift;  ///< ns to add, by rank; 0 if not known
  std::vector<bool> known;          ///< a chain of messages connects it to the first rank
  std::int64_t uncertainty = 0;     ///< ns, max error of the shifts that are bounded from both sides; 0: none is
  bool moved = false;               ///< the clocks of the files violate causality, so at least one was shifted
};

/// Bounds the clocks of the ranks by causality: no receive may end before its send begins. If the clocks of the files
/// satisfy that, they are kept; otherwise a rank is shifted so that both sides of its messages end at once, within the
/// bounds. Bounds come from all steps together, or per step if no offset satisfies all (the clocks drift). Returns one
/// alignment per step; empty without steps.
std::vector<Alignment> align_clocks(std::span<const JobStep> steps);

/// Adds the offsets to all times of the step.
void shift(JobStep& step, const Alignment& by);

/// [rank][event]: ns from the start of the event until the last counterpart arrived. A send that ends before its
/// receive begins was buffered by NCCL: it waited for space for as long as it exceeds the duration of the receive,
/// whose data is in the buffer. 0 for events without a matched message.
std::vector<std::vector<std::int64_t>> waits_of(const JobStep& step);

/// Parts of one rank's step in ns; they add up to the length of the job's step. `bubble`: neither compute nor transfer
/// nor copy, so waiting in communication kernels is bubble.
struct RankParts {
  std::int64_t compute = 0, transfer = 0, copy = 0, bubble = 0;
  std::int64_t wait = 0;  ///< part of bubble in communication kernels
};
/// Parts by rank. `waits`: as from waits_of.
std::vector<RankParts> parts_of(const JobStep& step, const std::vector<std::vector<std::int64_t>>& waits);

/// Ranks of one pipeline in stage order.
struct Chain {
  std::vector<std::uint32_t> ranks;
  bool ring = false;  ///< the last stage sends to the first: every rank has several stages (interleaved)
};

/// Chains of ranks that send to each other, if exactly one of them begins with a send and all others with a receive
/// from the previous stage. Ranks with another exchange pattern (halos, ring attention) are in none.
std::vector<Chain> find_chains(const JobStep& step);

/// Order of the passes: no backward; all microbatches forward before the first backward (GPipe, Huang et al. 2019);
/// forward again after the first backward (1F1B, Narayanan et al. 2019).
enum class Schedule : std::uint8_t { kForwardOnly, kAllForwardFirst, kInterleavedBackward };

/// Derived from the message order of the first stage.
struct ChainShape {
  std::int64_t microbatches = 0;  ///< sends to the second stage with compute in between; for a ring multiplied by its
                                  ///< rounds
  Schedule schedule = Schedule::kForwardOnly;
};
ChainShape shape_of(const JobStep& step, const Chain& chain);

enum class Pass : std::uint8_t { kUnknown, kForward, kBackward, kBoth };

/// Kind of the compute before each event of a stage, and as the last entry after the last event, from the messages
/// around it. `stage`: index into chain.ranks.
std::vector<Pass> passes_of(const JobStep& step, const Chain& chain, std::size_t stage);

/// A step as it would run if the compute of each rank took `scale` times as long: every rank does the same in the same
/// order, a transfer takes as long as before once both sides are ready, idle time of the host stays. All ranks begin at
/// once: a stage that begins earlier only waits longer. Empty if the order of events is contradictory (wrong clocks).
struct Replay {
  std::int64_t length = 0;                    ///< ns
  std::vector<std::vector<Interval>> events;  ///< [rank][event], ns from the common start
};
/// `scale`: one factor per rank.
std::optional<Replay> replay(const JobStep& step, std::span<const double> scale);

/// Bubble of each stage of a chain, broken down. Warm-up: before its first backward pass (forward only: before its
/// first compute); drain: after that; both as far as stages with equal compute would have them too, by replay;
/// imbalance: the rest. In ns; adds up to RankParts::bubble.
struct BubbleParts {
  std::int64_t warm_up = 0, drain = 0, imbalance = 0;
};
/// By stage. `parts`: by rank. Empty if a stage has no compute or the step cannot be replayed.
std::optional<std::vector<BubbleParts>> split_bubbles(const JobStep& step, const Chain& chain,
                                                      std::span<const RankParts> parts);

/// A stage that takes longer than the others.
struct LimitingStage {
  std::size_t stage = 0;  ///< index
  double excess = 0;      ///< compute relative to the mean of the other stages, minus 1
  double low = 0;         ///< lower confidence limit of `excess`
};

/// Compute of one stage over several steps, and of the pieces between messages, which show its variation.
struct StageCompute {
  std::vector<double> steps;                ///< ns per step
  std::vector<std::vector<double>> pieces;  ///< ns over all steps, by kind: pieces of one kind should take equally long
};

/// Stage with the most compute, if it exceeds the mean of the others by `least_excess` and by more than the variation
/// explains: Student's t, Bonferroni over the stages, so that equal stages are named with probability at most
/// `false_names` (0..1). Empty if no stage does, with fewer than two stages, or if the variation is unknown.
std::optional<LimitingStage> limiting_stage(std::span<const StageCompute> stages, double least_excess,
                                            double false_names);

}  // namespace assay::stages
