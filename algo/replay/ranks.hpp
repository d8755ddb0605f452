// The ranks of one job replayed together: a collective ends on every rank when the last one has arrived, and what it
// takes from then on.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "algo/replay/replay.hpp"

namespace assay::replay {

struct Rank {
  const Report* report = nullptr;
  const Graph* graph = nullptr;
};

/// One collective on the ranks.
struct SharedCollective {
  std::vector<std::uint32_t> node;  ///< of each rank, in its graph
  std::int64_t length = 0;          ///< ns from the last arrival on: the least that any rank spent in it
};

struct Ranks {
  std::vector<SharedCollective> shared;  ///< in the order of the first rank
  std::vector<std::int64_t> offset;      ///< ns that the clock of each rank is ahead of the first one's
  std::size_t unmatched = 0;             ///< collectives that wait for all, and are not on all ranks
};

/// Collectives that every rank of a group has to arrive at, matched by group and sequence number where profiles have
/// those, else by iteration, group, kind and place in the iteration. The graphs are those of build(), unchanged.
Ranks match_ranks(std::span<const Rank> ranks);

/// The graph of a rank in which nobody is waited for: each collective takes its length.
Graph without_other_ranks(const Graph& graph, const Ranks& ranks, std::size_t rank);

/// All ranks in one graph. Its nodes and iterations are those of the first rank, then of the second, and so on.
struct JoinedRanks {
  Graph graph;
  std::vector<std::size_t> first_node, first_iteration;  ///< of each rank, and one more
  std::size_t dropped = 0;  ///< collectives that would have to end before they began: they are no longer shared
};
/// `graphs` may be changed ones; their nodes are those that were matched.
JoinedRanks join_ranks(std::span<const Graph* const> graphs, const Ranks& ranks);

}  // namespace assay::replay
