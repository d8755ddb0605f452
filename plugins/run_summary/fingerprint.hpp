// A text that is equal for two runs exactly if they requested the same device work, however long it took.
#pragma once

#include <cstdint>
#include <string>

#include "calls.hpp"
#include "work.hpp"

namespace assay::summary {

/// "copies=d2h:32000*1,h2d:4816896*1;kernels=130/14:<hash>;sets=6;syncs=stream:0+3;graph_launches=0;per=iteration"
///
/// copies: direction, bytes and count of each distinct (direction, bytes), or for more than kListedCopies of them a
/// hash as for kernels; kernels: count / distinct (name, grid, block), then the hash of "name grid block count" of
/// each, sorted; then counts of sets, of waiting calls by kind, and of graph launches. A count "2+3" is two per
/// iteration and three more once per run, so that a longer run of the same program is equal; with `iterations` 0,
/// counts are those of the window and the text ends in per=window. Kernel and copy tables, if present, must have the
/// columns checked by can_fingerprint.
std::string fingerprint(const Report& report, const CallSummary& calls, std::int64_t iterations);

inline constexpr std::size_t kListedCopies = 8;

/// Whether the report has the columns for a fingerprint.
bool can_fingerprint(const Report& report);

}  // namespace assay::summary
