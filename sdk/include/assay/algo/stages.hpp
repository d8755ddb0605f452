// Ranks that are stages of a pipeline: which sends and receives are one message, how far the ranks' clocks differ, what
// of a kernel that communicates is waiting, and how long a step would take if compute were distributed otherwise.
// Pure functions over one step of all ranks; times are integer ns.
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
  std::uint32_t peer = 0;   ///< index of the rank on the other side
  std::int64_t bytes = -1;  ///< -1: not recorded
  std::int64_t group = 0;   ///< communicator; equal on both sides
  std::uint32_t event = 0;  ///< of RankStep::events; the kernel that carries it
};

/// A kernel that communicates.
struct CommEvent {
  Interval time;
  std::int64_t work_before = 0;  ///< compute since the end of the event before, or since the begin of the step
  std::int64_t covered = 0;      ///< compute while it runs
};

/// One rank in one step.
struct RankStep {
  Interval window;  ///< first start to last end of its device work
  std::int64_t compute = 0, copy_only = 0,
               work_after = 0;     ///< union of compute; copies alone; compute after the last event
  std::vector<CommEvent> events;   ///< by start
  std::vector<MessageSide> sides;  ///< by event, within one in the order they were posted
  Intervals uncovered;             ///< parts of the events without compute, in normal form
};

/// A send and its receive.
struct Message {
  std::uint32_t from = 0, from_event = 0;  ///< rank that sends; index of its event
  std::uint32_t to = 0, to_event = 0;
  std::int64_t bytes = -1;
};

/// One step of all ranks. Rank times are on one clock after `shift`.
struct JobStep {
  std::int64_t number = 0;
  std::vector<RankStep> ranks;
  std::vector<Message> messages;
  std::int64_t unmatched = 0;  ///< sides without another, or of other sizes

  /// Longest window of a rank. Ranks end a step one after the other and begin the next one at once, where the later
  /// stages wait, so that every window is about a period, and all windows together are longer.
  [[nodiscard]] std::int64_t length() const;
};

/// Pairs the k-th send from a to b with the k-th receive of b from a, per communicator. A pair of ranks whose counts or
/// sizes differ has no messages in that step, because nothing says which are one. Fills messages and unmatched.
void match_messages(JobStep& step);

/// What is added to the times of each rank to be on the first rank's clock.
struct Alignment {
  std::vector<std::int64_t> shift;
  std::vector<bool> known;       ///< a chain of messages leads to the first rank
  std::int64_t uncertainty = 0;  ///< how far any shift may be off, at most; 0 if nothing bounds it from both sides
  bool moved = false;            ///< the files' clocks contradict causality, so at least one was shifted
};

/// No receive ends before its send begins. If the files' clocks satisfy that they are kept; else a rank is moved so
/// that both sides of its messages end at once, within the bounds. Bounds are of all steps together, or, if no
/// offset satisfies those (the clocks drift), of each step. Result: one alignment per step.
std::vector<Alignment> align_clocks(std::span<const JobStep> steps);

/// Adds the shifts to all times of the step.
void shift(JobStep& step, const Alignment& by);

/// [rank][event]: the part of the event, from its start, in which the last of the other sides had not come yet. A send
/// that ends before its receive begins went into a buffer of NCCL: what it takes longer than the receive, which finds
/// its data there, it waited for room. 0 for events without a matched message.
std::vector<std::vector<std::int64_t>> waits_of(const JobStep& step);

/// Parts of one rank's step; they sum to the length of the job's step. `bubble`: neither compute nor transfer nor a
/// copy, so waiting in kernels that communicate is bubble.
struct RankParts {
  std::int64_t compute = 0, transfer = 0, copy = 0, bubble = 0;
  std::int64_t wait = 0;  ///< part of bubble inside kernels that communicate
};
std::vector<RankParts> parts_of(const JobStep& step, const std::vector<std::vector<std::int64_t>>& waits);

/// Ranks of one pipeline in the order of its stages.
struct Chain {
  std::vector<std::uint32_t> ranks;
  bool ring = false;  ///< the last stage sends to the first: every rank has several stages (interleaved)
};

/// Chains of ranks that send to each other, if exactly one of each begins with a send and all others with a receive
/// from the stage before. Ranks that exchange in another way (halos, ring attention) are in none.
std::vector<Chain> find_chains(const JobStep& step);

enum class Schedule : std::uint8_t { kForwardOnly, kAllForwardFirst, kInterleavedBackward };

/// What the order of messages of the first stage says.
struct ChainShape {
  std::int64_t microbatches = 0;  ///< sends to the second stage that compute lies between; of a ring times its rounds
  Schedule schedule = Schedule::kForwardOnly;
};
ChainShape shape_of(const JobStep& step, const Chain& chain);

enum class Pass : std::uint8_t { kUnknown, kForward, kBackward, kBoth };

/// What the compute before an event is (index events.size(): after the last), by the messages around it.
std::vector<Pass> passes_of(const JobStep& step, const Chain& chain, std::size_t stage);

/// A step as it would run if the compute of each rank took `scale` times as long: every rank does the same in the same
/// order, a message is transferred in the time it took once both sides are there, idle time of the host stays. All
/// ranks begin at once: a stage that begins earlier only waits longer. Empty if the order of events contradicts itself
/// (clocks that are off).
struct Replay {
  std::int64_t length = 0;
  std::vector<std::vector<Interval>> events;  ///< [rank][event], from the common begin
};
std::optional<Replay> replay(const JobStep& step, std::span<const double> scale);

/// Bubble of each stage of a chain, apart. Warm-up: before its first backward pass (forward only: before its first
/// compute), drain: after it, each as far as stages with equal compute would have it too, by replay; imbalance: the
/// rest. Sums to RankParts::bubble.
struct BubbleParts {
  std::int64_t warm_up = 0, drain = 0, imbalance = 0;
};
std::optional<std::vector<BubbleParts>> split_bubbles(const JobStep& step, const Chain& chain,
                                                      std::span<const RankParts> parts);

/// A stage that takes longer than the others.
struct LimitingStage {
  std::size_t stage = 0;
  double excess = 0;  ///< compute over the mean of the other stages', as a share of that
  double low = 0;     ///< lower limit of `excess`
};

/// Compute of one stage over several steps, and of the pieces between messages, which say how much it varies.
struct StageCompute {
  std::vector<double> steps;                ///< ns per step
  std::vector<std::vector<double>> pieces;  ///< ns, of all steps, by kind: pieces of one kind should take equally long
};

/// The stage with the greatest compute if it exceeds the mean of the others by `least_excess` and by more than the
/// variation explains: Student's t, Bonferroni over the stages, so that equal stages get a name with a chance of at
/// most `false_names`. Empty if there is none, or if nothing says how much compute varies.
std::optional<LimitingStage> limiting_stage(std::span<const StageCompute> stages, double least_excess,
                                            double false_names);

}  // namespace assay::stages
