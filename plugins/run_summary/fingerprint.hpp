// A text that is equal for two runs exactly when they asked the device for the same things, however long it took them.
#pragma once

#include <cstdint>
#include <string>

#include "calls.hpp"
#include "work.hpp"

namespace assay::summary {

/// "copies=d2h:32000*1,h2d:4816896*1;kernels=130/14:<hash>;sets=6;syncs=stream:0+3;graph_launches=0;per=iteration"
///
/// copies: direction, bytes and count of each distinct (direction, bytes), or, of more than kListedCopies of them, a
/// hash like the kernels'; kernels: count / distinct (name, grid, block), then the hash of "name grid block count" of
/// each, sorted; then counts of sets, of waiting calls by kind, and of graph launches. A count "2+3" is two per
/// iteration and three more once a run, so that a longer run of one program is equal; with `iterations` 0 counts are
/// the window's and it ends in per=window. Where there is a kernel or copy table, it must have the columns that
/// can_fingerprint asks for.
std::string fingerprint(const Report& report, const CallSummary& calls, std::int64_t iterations);

inline constexpr std::size_t kListedCopies = 8;

/// Whether the report has the columns that a fingerprint is made of.
bool can_fingerprint(const Report& report);

}  // namespace assay::summary
