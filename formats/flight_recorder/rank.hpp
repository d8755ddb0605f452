// Which rank wrote a dump: the dump itself does not say.
#pragma once

#include <string>
#include <string_view>

#include "dump.hpp"

namespace assay::flight_recorder {

struct DumpRank {
  std::int64_t rank = kNoCell;  ///< kNoCell: unknown
  std::string from;             ///< "name", "groups"; empty: unknown
  std::string doubt;            ///< why the name was not believed, as a sentence; empty: no reason
};

/// The number after "rank" or "dump" in the name of the file, else the last one in it, if the groups have such a rank.
/// Else the only rank that is a member of all groups, or that the sends and receives of the dump name as their own.
DumpRank rank_of(const Dump& dump, std::string_view file_name);

/// Ranks of the largest group; kNoCell: unknown.
std::int64_t world_size(const Dump& dump);

}  // namespace assay::flight_recorder
