// Replays the ranks of one job together: a collective ends on every rank a fixed time after the last one has arrived.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "assay/detail/replay.hpp"

namespace assay::replay {

struct Rank {
  const Report* report = nullptr;
  const Graph* graph = nullptr;
};

/// One collective on all ranks.
struct SharedCollective {
  std::vector<std::uint32_t> node;  ///< per rank, in its graph
  std::int64_t length = 0;          ///< ns from the last arrival on: the minimum over the ranks
};

struct Ranks {
  std::vector<SharedCollective> shared;  ///< in the order of the first rank
  std::vector<std::int64_t> offset;      ///< ns that the clock of each rank is ahead of the first one's
  std::size_t unmatched = 0;             ///< synchronizing collectives that are not on all ranks
};

/// Collectives at which every rank of a group has to arrive, matched by group and sequence number if the profiles have
/// them, else by iteration, group, kind and index in the iteration. The graphs are unchanged results of build().
Ranks match_ranks(std::span<const Rank> ranks);

/// Graph of a rank without waiting for others: each collective takes its length.
Graph without_other_ranks(const Graph& graph, const Ranks& ranks, std::size_t rank);

/// All ranks in one graph, with nodes and iterations of the first rank, then of the second, and so on.
struct JoinedRanks {
  Graph graph;
  std::vector<std::size_t> first_node, first_iteration;  ///< per rank, and one more
  std::size_t dropped = 0;  ///< collectives that would have to end before they began: no longer shared
};
/// `graphs` may be modified; their nodes are those that were matched.
JoinedRanks join_ranks(std::span<const Graph* const> graphs, const Ranks& ranks);

}  // namespace assay::replay
