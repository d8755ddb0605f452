// Matches collectives across ranks. Time and memory are linear in the rows: ranks are compared with the first of their
// group, not with each other.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rows.hpp"

namespace assay::ranks {

/// A group of ranks that communicate.
struct Group {
  std::string name;                  ///< empty: the files do not distinguish groups
  std::vector<std::size_t> members;  ///< of JobRows::ranks, ascending
  std::int64_t size = 0;             ///< number of its ranks including missing ones; 0: unknown
  [[nodiscard]] bool complete() const { return size > 0 && members.size() == static_cast<std::size_t>(size); }
};

/// One collective on all present members of its group.
struct Match {
  std::uint32_t group = 0, step = 0;  ///< step: of Matches::steps
  std::size_t first = 0;              ///< row of Matches::rows, which has a row per member
};

struct Matches {
  std::vector<Group> groups;
  std::vector<std::int64_t> steps;                    ///< numbers that all ranks have, ascending
  std::vector<std::vector<std::uint32_t>> step_rows;  ///< by rank: the row of each of `steps`
  std::vector<Match> all;                             ///< by group, then in the order of its first member
  std::vector<std::uint32_t> rows;                    ///< collectives of the members
  std::int64_t unmatched = 0;                         ///< collectives of the ranks without a match
  std::vector<std::string> refused;                   ///< sentences: groups whose sequences differ
  std::vector<std::int64_t> dropped_steps;            ///< numbers that some but not all ranks have

  [[nodiscard]] std::uint32_t row(const Match& m, std::size_t member) const { return rows[m.first + member]; }
};

/// By (group, sequence number) if the files have those, otherwise by (group, position in its step, kind and bytes).
/// Incomplete parts at the ends of the first and last step of a capture are dropped; other differences refuse the
/// group. A group with a single present rank has nothing to match.
Matches match(const JobRows& job);

}  // namespace assay::ranks
