// Which collectives of the ranks are one. Time and memory are linear in the rows: ranks are compared with the first of
// their group, never with each other.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rows.hpp"

namespace assay::ranks {

/// A group of ranks that communicate with each other.
struct Group {
  std::string name;                  ///< empty: the files do not tell groups apart
  std::vector<std::size_t> members;  ///< of JobRows::ranks, ascending
  std::int64_t size = 0;             ///< its ranks, also those that are not there; 0: not known
  [[nodiscard]] bool complete() const { return size > 0 && members.size() == static_cast<std::size_t>(size); }
};

/// One collective on all members of its group that are there.
struct Match {
  std::uint32_t group = 0, step = 0;  ///< step: of Matches::steps
  std::size_t first = 0;              ///< row of Matches::rows, which holds a row for each member
};

struct Matches {
  std::vector<Group> groups;
  std::vector<std::int64_t> steps;                    ///< numbers that all ranks have, ascending
  std::vector<std::vector<std::uint32_t>> step_rows;  ///< of each rank: the row of each of `steps`
  std::vector<Match> all;                             ///< by group, then in the order of its first member
  std::vector<std::uint32_t> rows;                    ///< collectives of the members
  std::int64_t unmatched = 0;                         ///< collectives of the ranks without a match
  std::vector<std::string> refused;                   ///< sentences: groups whose sequences differ within
  std::vector<std::int64_t> dropped_steps;            ///< numbers that some rank has and not all

  [[nodiscard]] std::uint32_t row(const Match& m, std::size_t member) const { return rows[m.first + member]; }
};

/// By (group, sequence number) where files have those, else by (group, place in its step, kind and bytes). In the first
/// and last step of a capture what begins or ends raggedly is dropped; a difference within refuses the group. A group
/// of which one rank is there has nothing to match.
Matches match(const JobRows& job);

}  // namespace assay::ranks
