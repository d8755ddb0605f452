// Merges pieces of a lane that are too short to be seen.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace assay::step_items {

/// What a lane shows at one time. Times in ns from the start of the step.
struct Piece {
  std::int64_t start = 0, end = 0, time = 0;  ///< time: in it, as opposed to between its parts
  std::string kind;    ///< class of kernel, direction of copy, cause of idle time; empty: a range
  std::string label;   ///< shown in it if it fits; empty: none
  std::string detail;  ///< shown on hover, without its time
  std::size_t count = 1;
};

struct Lane {
  std::string name, role;  ///< role: "host", "wait", "phase", "work", "copies", "idle"
  std::vector<Piece> pieces;
};

/// Makes pieces of at least `least` ns: longer ones stay, neighbours that are shorter and apart by less become one of
/// the kind with most of their time. `pieces`: by start.
std::vector<Piece> merged(const std::vector<Piece>& pieces, std::int64_t least);

/// Merges with 1/2400 of `length`, which half a pixel is, or more until at most `most` pieces are left in all.
void merge(std::vector<Lane>& lanes, std::int64_t length, std::size_t most = 1900);

}  // namespace assay::step_items
